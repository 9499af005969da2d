// Single keys, as in the workbench, in our diffs alone: who types there says so first.
import { commands, Disposable, window } from "vscode";
import { isReview } from "./agreed";

export function registerKeys(): Disposable {
  let isTyping = false;
  const tell = () => {
    const isReviewing = !isTyping && isReview(window.tabGroups.activeTabGroup.activeTab);
    void commands.executeCommand("setContext", "blueline.reviewing", isReviewing);
    void commands.executeCommand("setContext", "blueline.typing", isTyping);
  };
  const type = (should: boolean) => {
    isTyping = should;
    const said = should ? "Blueline: typing; Escape goes back to reviewing" : "Blueline: reviewing";
    window.setStatusBarMessage(said, 4000);
    tell();
  };
  tell();
  return Disposable.from(
    window.tabGroups.onDidChangeTabs(tell),
    window.tabGroups.onDidChangeTabGroups(tell),
    window.onDidChangeActiveTextEditor(() => {
      isTyping = false;
      tell();
    }),
    // As a key, VS Code's own command does nothing in a diff.
    commands.registerCommand("blueline.note", () => commands.executeCommand("workbench.action.addComment")),
    // Letters that mean nothing are not typed either: half of what somebody types would be decisions.
    commands.registerCommand("blueline.letter", () => {
      window.setStatusBarMessage("Blueline: letters review here; e types, until Escape", 4000);
    }),
    commands.registerCommand("blueline.type", () => type(true)),
    commands.registerCommand("blueline.typeNoMore", () => type(false)),
  );
}

// In the status bar: how much is undecided, whether it may ship, and the mode if it is not the usual one.
import { Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Projects, Standing } from "./projects";
import { count, printable } from "./words";

export function registerStatus(projects: Projects): Disposable {
  const light = window.createStatusBarItem("blueline.count", StatusBarAlignment.Left, 50);
  light.name = "Blueline: what is undecided";
  light.command = "blueline.showReview";
  const mode = window.createStatusBarItem("blueline.mode", StatusBarAlignment.Left, 49);
  mode.name = "Blueline: how edits are taken";
  mode.command = "blueline.mode";
  const draw = () => {
    const standings = projects.all;
    if (standings.length === 0) {
      light.hide();
      mode.hide();
      return;
    }
    const undecided = standings.reduce((sum, { counts }) => sum + counts.hunks, 0);
    const isOpen = standings.every(({ gate }) => gate.open);
    const state = undecided > 0 ? `${undecided} undecided` : isOpen ? "may ship" : "gate closed";
    light.text = `$(${undecided > 0 ? "circle-filled" : isOpen ? "pass" : "lock"}) ${state}`;
    light.tooltip = tooltip(standings);
    light.show();
    const unusual = standings.find(one => one.mode !== "review");
    mode.text = unusual?.mode ?? "review";
    mode.tooltip = "How agents' edits are taken: click to change it";
    mode.backgroundColor =
      unusual?.mode === "direct" ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    mode.show();
  };
  return Disposable.from(light, mode, projects.onChange(draw));
}

function tooltip(standings: Standing[]): MarkdownString {
  const text = new MarkdownString();
  for (const { root, counts, gate } of standings) {
    const { hunks, files } = counts;
    text.appendText(`${root}\n${count(hunks, "undecided change")} in ${count(files, "file")}\n`);
    text.appendText(gate.open ? "The gate is open.\n" : "The gate is closed:\n");
    for (const { message } of gate.reasons.slice(0, 5)) text.appendText(`• ${printable(message, 200)}\n`);
  }
  return text;
}

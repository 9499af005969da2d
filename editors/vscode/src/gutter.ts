// In the gutter: what is not as agreed, with a diff on a click, and buttons in it.
import { commands, Disposable, scm, type SourceControl, Uri, workspace } from "vscode";
import type { PlacedHunkDocument } from "../../../frontend/src/wire/contract";
import { agreedOf } from "./agreed";
import { linesOf, type PlacedHunks } from "./placed";
import type { Projects } from "./projects";
import { digests, nothingHere } from "./verbs";

/** What VS Code found by its own diff: lines from one; a side without lines ends before it starts. */
interface LineChange {
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}

export class Gutter {
  private readonly controls = new Map<string, SourceControl>();

  constructor(
    private readonly projects: Projects,
    private readonly placed: PlacedHunks,
  ) {}

  register(): Disposable {
    return Disposable.from(
      this.projects.onChange(() => this.follow()),
      new Disposable(() => this.controls.forEach(one => one.dispose())),
      ...(["accept", "reject"] as const).map(verdict =>
        commands.registerCommand(`blueline.${verdict}Shown`, (uri: Uri, all: LineChange[], index: number) =>
          this.decide(verdict, uri, all[index]),
        ),
      ),
    );
  }

  private follow(): void {
    for (const { root } of this.projects.all) {
      if (this.controls.has(root)) continue;
      const control = scm.createSourceControl("blueline", "Blueline", Uri.file(root));
      control.inputBox.visible = false;
      control.count = 0;
      control.quickDiffProvider = {
        provideOriginalResource: uri =>
          uri.scheme === "file" && this.projects.rootOf(uri) === root ? agreedOf(uri) : undefined,
      };
      this.controls.set(root, control);
    }
  }

  private async decide(verdict: string, uri: Uri, change: LineChange | undefined): Promise<void> {
    const document = workspace.textDocuments.find(one => one.uri.toString() === uri.toString());
    const hunks = document && change ? meantBy(change, await this.placed.of(document)) : [];
    if (hunks.length === 0) return nothingHere();
    await commands.executeCommand(`blueline.${verdict}`, { uri: uri.toString(), hunks: digests(hunks) });
  }
}

/**
 * The hunks in the lines of a change. Another diff has other borders: if none overlaps, those that touch it.
 */
function meantBy(change: LineChange, hunks: PlacedHunkDocument[]): PlacedHunkDocument[] {
  const [start, stop] = [change.modifiedStartLineNumber, change.modifiedEndLineNumber];
  const from = stop < start ? start : start - 1;
  const to = stop < start ? start : stop;
  const lines = (hunk: PlacedHunkDocument) => {
    const [first, last] = linesOf(hunk);
    return { first, behind: hunk.held || hunk.new_lines === 0 ? first : last + 1 };
  };
  const inText = hunks.filter(hunk => hunk.range && !hunk.held);
  const within = inText.filter(hunk => {
    const { first, behind } = lines(hunk);
    const isEmpty = from === to || first === behind;
    return isEmpty ? first <= to && from <= behind : first < to && from < behind;
  });
  if (within.length > 0) return within;
  return inText.filter(hunk => {
    const { first, behind } = lines(hunk);
    return first <= to && from <= behind;
  });
}

// Buttons above each undecided hunk.
import { CodeLens, type CodeLensProvider, EventEmitter, type TextDocument } from "vscode";
import type { PlacedHunkDocument } from "../../../frontend/src/wire/contract";
import { type PlacedHunks, placeOf } from "./placed";
import { deed, who } from "./words";

export class Lenses implements CodeLensProvider {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly placed: PlacedHunks) {
    placed.onChange(() => this.changed.fire());
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    return (await this.placed.of(document)).flatMap(hunk => buttons(document, hunk));
  }
}

function buttons(document: TextDocument, hunk: PlacedHunkDocument): CodeLens[] {
  const at = placeOf(hunk);
  const file = document.uri.with({ scheme: "file" });
  const about = { uri: document.uri.toString(), hunks: { [hunk.id]: hunk.digest } };
  const ahead = hunk.ahead ? ", in the file" : "";
  const button = (title: string, command: string, ...given: unknown[]) =>
    new CodeLens(at, { title, command, arguments: given });
  return [
    button("$(check) Accept", "blueline.accept", about),
    button("$(discard) Reject", "blueline.reject", about),
    button(`$(diff) ${who(hunk)} ${deed(hunk)}${ahead}`, "blueline.diffFile", file, at.start.line),
  ];
}

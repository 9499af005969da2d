// Why a change is there, when the mouse rests on it. Nothing of it is taken for markup or a link.
import { Hover, type HoverProvider, MarkdownString, type Position, type TextDocument } from "vscode";
import type { PlacedHunkDocument, WhyDocument } from "../../../frontend/src/wire/contract";
import type { PlacedHunks } from "./placed";
import type { Server } from "./server";
import { at } from "./verbs";
import { absent, count, deed, printable, who } from "./words";

const MOST_LINES = 20;
const LONGEST = 200;

export class Why implements HoverProvider {
  constructor(
    private readonly server: Server,
    private readonly placed: PlacedHunks,
  ) {}

  async provideHover(document: TextDocument, position: Position): Promise<Hover | undefined> {
    const here = at(this.placed.drawn(document), position.line);
    if (here.length === 0) return undefined;
    const uri = document.uri.with({ scheme: "file" }).toString();
    const known = await Promise.all(
      here.map(({ id }) => this.server.ask<WhyDocument>("blueline/hunk", { uri, id })),
    );
    return new Hover(known.map((why, number) => told(here[number] as PlacedHunkDocument, why)));
  }
}

function told(hunk: PlacedHunkDocument, why: WhyDocument): MarkdownString {
  const text = new MarkdownString();
  text.appendText(`${who(hunk)} ${deed(hunk)}\n`);
  const lines = absent(hunk);
  if (lines.length > 0) {
    const sign = hunk.held ? "+" : "-";
    const shown = lines.slice(0, MOST_LINES).map(line => `${sign} ${printable(line, LONGEST)}`);
    if (lines.length > MOST_LINES) shown.push(`${sign} … ${count(lines.length - MOST_LINES, "line")} more`);
    text.appendCodeblock(shown.join("\n"), "diff");
  }
  const said = [
    why.prompt && `asked for: ${printable(why.prompt, LONGEST)}`,
    why.command && `by the command: ${printable(why.command, LONGEST)}`,
    why.about.reason && `because: ${printable(why.about.reason, LONGEST)}`,
    why.built_on_by.length > 0 && `others build on it: ${why.built_on_by.join(", ")}`,
    [hunk.id, why.call, why.turn, new Date(why.at).toLocaleString()].filter(Boolean).join(", "),
  ];
  text.appendText(said.filter(Boolean).join("\n"));
  return text;
}

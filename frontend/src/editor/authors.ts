/** A strip beside the text that says who wrote each line: an agent, the person, or both. */

import { type BlockInfo, type EditorView, GutterMarker, gutter } from "@codemirror/view";
import { colourClass } from "../rules/colours";
import type { SpanDocument } from "../wire/contract";
import { setSheet, sheetField } from "./sheet";

class Author extends GutterMarker {
  override elementClass: string;

  constructor(spans: readonly SpanDocument[]) {
    super();
    const agent = spans.findLast(span => isAgent(span));
    const byPerson = spans.some(span => !isAgent(span));
    this.elementClass = agent
      ? `author-agent ${colourClass(agent.turn)} ${byPerson ? "author-both" : ""}`
      : "author-person";
  }

  override eq(other: Author): boolean {
    return this.elementClass === other.elementClass;
  }
}

function isAgent(span: SpanDocument): boolean {
  return span.actor.kind !== "person" && span.actor.kind !== "external";
}

export const authors = gutter({
  class: "authors",
  lineMarker: (view, line) => {
    const spans = spansAt(view, line);
    return spans.length ? new Author(spans) : null;
  },
  lineMarkerChange: update =>
    update.docChanged || update.transactions.some(one => one.effects.some(effect => effect.is(setSheet))),
});

/** Who wrote a line, oldest first. */
export function spansAt(view: EditorView, line: Pick<BlockInfo, "from">): SpanDocument[] {
  const { spans } = view.state.field(sheetField);
  return spans.filter(({ from, to }) => from <= line.from && line.from <= to).map(({ span }) => span);
}

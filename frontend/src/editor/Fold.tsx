/** Lines that are folded away, and the buttons that bring them back. */

import { EditorView } from "@codemirror/view";
import { counted } from "../rules/counting";
import { unfold } from "./unfolding";

export type FoldKind = "unchanged" | "added" | "mirrored";

interface Props {
  lines: number;
  kind: FoldKind;
  step?: number;
}

export function Fold({ lines, kind, step = 0 }: Props) {
  const what = `${counted(lines, kind === "added" ? "more added line" : "unchanged line")}`;
  if (kind === "mirrored") return <div class="fold">{what}</div>;
  return (
    <div class="fold">
      {lines > step * 2 && (
        <button type="button" onClick={event => give(event, "above")}>
          ↓ {step} more
        </button>
      )}
      <button type="button" onClick={event => give(event, "all")}>
        {what}
      </button>
      {lines > step * 2 && (
        <button type="button" onClick={event => give(event, "below")}>
          ↑ {step} more
        </button>
      )}
    </div>
  );
}

function give(event: MouseEvent, part: "above" | "below" | "all"): void {
  const button = event.currentTarget as HTMLElement;
  const view = EditorView.findFromDOM(button.closest(".cm-editor") as HTMLElement);
  if (view) view.dispatch({ effects: unfold.of({ position: view.posAtDOM(button), part }) });
}

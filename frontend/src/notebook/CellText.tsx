/** The source of a cell in an editor: what went and what came in one text, to be read or typed in. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { colour, common } from "../editor/setup";
import { isWrapped } from "../state/settings";

interface Props {
  /** Tells the language. */
  name: string;
  label: string;
  text: string;
  /** What it is compared with; null if with nothing. */
  original: string | null;
  /** Called with every text that is typed; read only without it. */
  onType?: (text: string) => void;
}

export function CellText({ name, label, text, original, onType }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const view = new EditorView({
      parent: box.current,
      doc: text,
      extensions: [
        common({ path: name, label, wrap: isWrapped.value, separator: "\n", lines: text.split("\n").length }),
        original === null || original === text
          ? []
          : unifiedMergeView({ original, mergeControls: false, highlightChanges: true, gutter: true }),
        onType
          ? EditorView.updateListener.of(update => {
              if (update.docChanged) onType(update.state.doc.toString());
            })
          : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
        EditorView.contentAttributes.of({ tabindex: "0" }),
      ],
    });
    void colour(view, name);
    if (onType) view.focus();
    return () => view.destroy();
    // What is typed must not make the editor anew.
  }, [name, label, text, original, !onType, isWrapped.value]);
  return <div class="cell-text" ref={box} />;
}

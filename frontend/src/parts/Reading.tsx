/** A text to be read, not typed in: as it was, or as it would be. */

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { lineSeparator } from "../editor/lines";
import { colour, common } from "../editor/setup";
import { isWrapped } from "../state/settings";

interface Props {
  path: string;
  text: string;
  label: string;
  class?: string;
}

export function Reading({ path, text, label, class: name = "" }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const separator = lineSeparator(text);
    const view = new EditorView({
      parent: box.current,
      doc: text,
      extensions: [
        common({ path, label, wrap: isWrapped.value, separator, lines: text.split(separator).length }),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: "0" }),
      ],
    });
    void colour(view, path);
    return () => view.destroy();
  }, [path, text, label, isWrapped.value]);
  return <div class={`text-pane reading ${name}`} ref={box} />;
}

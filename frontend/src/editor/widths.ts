/** Tells the style how wide the text on the screen is, so that what stands between the lines does not scroll away. */

import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

export const widths = ViewPlugin.fromClass(
  class {
    constructor(view: EditorView) {
      this.measure(view);
    }

    update(update: ViewUpdate) {
      if (update.geometryChanged) this.measure(update.view);
    }

    private measure(view: EditorView) {
      view.requestMeasure({
        key: this,
        read: () => {
          const gutter = view.contentDOM.previousElementSibling?.getBoundingClientRect().width ?? 0;
          return { gutter, text: view.scrollDOM.clientWidth - gutter };
        },
        write: ({ gutter, text }) => {
          view.dom.style.setProperty("--gutter-width", `${gutter}px`);
          view.dom.style.setProperty("--text-width", `${text}px`);
        },
      });
    }
  },
);

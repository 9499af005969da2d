/** Grammars come with a script of their own, a moment after the page. Until then, text is shown as it is. */

import { signal } from "@preact/signals";

type Grammars = typeof import("../editor/languages");

const loaded = signal<Grammars | null>(null);
let isAsked = false;

export function grammars(): Grammars | null {
  if (!isAsked) {
    isAsked = true;
    import("../editor/languages").then(
      found => (loaded.value = found),
      () => (isAsked = false),
    );
  }
  return loaded.value;
}

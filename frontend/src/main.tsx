import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { start } from "./acts/starting";
import { listenToKeys } from "./keys/keyboard";
import { App } from "./parts/App";
import { overview } from "./state/project";

/** What is known by then is drawn with the page; nobody looks at an empty window for longer. */
const LONGEST_EMPTY_MS = 100;

let isDrawn = false;

function draw(): void {
  if (isDrawn) return;
  isDrawn = true;
  render(<App />, document.getElementById("workbench") as HTMLElement);
}

effect(() => {
  if (overview.value) untracked(draw);
});
setTimeout(draw, LONGEST_EMPTY_MS);
listenToKeys();
void start();

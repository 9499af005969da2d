import { render } from "preact";
import { start } from "./acts/starting";
import { listenToKeys } from "./keys/keyboard";
import { App } from "./parts/App";

render(<App />, document.getElementById("workbench") as HTMLElement);
listenToKeys();
void start();

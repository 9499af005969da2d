// Waiting until VS Code says that something has happened.
import type { Event } from "vscode";

/** Should it never say so: what it would be about may be closed meanwhile. */
const MOST_WAIT_MS = 2_000;

/** When an event is the one that is waited for. */
export function heard<Told>(event: Event<Told>, isIt: (told: Told) => boolean): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      listener.dispose();
      clearTimeout(late);
      resolve();
    };
    const listener = event(told => {
      if (isIt(told)) end();
    });
    const late = setTimeout(end, MOST_WAIT_MS);
  });
}

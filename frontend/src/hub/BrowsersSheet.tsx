/** Where somebody is signed in, and the way to end it. */

import { useEffect, useState } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Shown } from "../parts/Shown";
import { closeDialog } from "../state/dialogs";
import { fullTime, shortTime } from "../rules/times";
import type { BrowserEntry, BrowsersDocument } from "../wire/contract";
import { leave } from "./acts";
import * as hub from "./wire";

export function BrowsersSheet() {
  const [found, setFound] = useState<BrowserEntry[] | null>(null);
  const ask = async (question: Promise<BrowsersDocument>) => {
    try {
      setFound((await question).browsers);
    } catch (error) {
      fail(error);
    }
  };
  useEffect(() => void ask(hub.browsers()), []);
  return (
    <Dialog title="Your browsers" class="wide people-sheet">
      {found === null && <p role="status">Asking the hub …</p>}
      <ul class="known">
        {found?.map(one => (
          <li key={one.id}>
            <Shown text={one.about || "A browser"} class="name" />
            <span class="hint">
              signed in <time title={fullTime(one.since)}>{shortTime(one.since)}</time>, until{" "}
              <time title={fullTime(one.expires)}>{new Date(one.expires).toLocaleDateString()}</time>
              {one.here && " · this one"}
            </span>
            <Button
              label={one.here ? "Sign out" : "End"}
              onClick={() => void (one.here ? leave() : ask(hub.endBrowser(one.id)))}
            />
          </li>
        ))}
      </ul>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

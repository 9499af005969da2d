/** At a hub, as long as no project is open: nothing but the way to one. */

import { Button } from "../parts/Button";
import { Dialogs } from "../parts/Dialogs";
import { Messages } from "../parts/Messages";
import { TopBar } from "../parts/TopBar";
import { openDialog } from "../state/dialogs";
import { isNarrow } from "../state/settings";

export function Entrance() {
  return (
    <div class={isNarrow.value ? "workbench narrow" : "workbench"}>
      <TopBar />
      <main class="desk entrance">
        <Button label="Inbox" command="inbox" onClick={() => openDialog({ kind: "inbox" })} />
      </main>
      <footer class="review-bar" aria-label="Review">
        <div class="bar-line state-line">
          <Messages />
        </div>
      </footer>
      <Dialogs />
    </div>
  );
}

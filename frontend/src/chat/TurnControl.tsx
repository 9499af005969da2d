/** One control for a whole turn, whichever file is open: how much it did, accept, reject. */

import { useEffect } from "preact/hooks";
import { lightGroup } from "../acts/moving";
import { Button } from "../parts/Button";
import { Shown } from "../parts/Shown";
import { counted } from "../rules/counting";
import { firstLine } from "../rules/visible";
import { follow, wantTurn } from "./acts";
import { chatNews } from "./news";
import { filesOf, stepTurn, turnInHand, undecidedTurns } from "./state";

export function TurnControl() {
  // From the first conversation on, questions of agents are counted at the tab, whichever panel is open.
  const hasNews = chatNews.value !== null;
  useEffect(() => {
    if (hasNews) follow();
  }, [hasNews]);
  const turn = turnInHand.value;
  if (!turn) return null;
  const all = undecidedTurns.value;
  const at = all.findIndex(one => one.id === turn.id);
  return (
    <section class="turn-control" aria-label="Turn">
      <button type="button" class="link" onClick={() => void lightGroup(turn.id)}>
        Turn {turn.id.slice(1)}
      </button>
      <Edits turn={turn.id} />
      <span class="turn-prompt">
        <Shown text={firstLine(turn.prompt ?? "")} />
      </span>
      {all.length > 1 && (
        <span class="turn-steps">
          <Button label="Newer turn" icon="left" bare disabled={at === 0} onClick={() => stepTurn(-1)} />
          {at + 1} of {all.length}
          <Button
            label="Older turn"
            icon="right"
            bare
            disabled={at === all.length - 1}
            onClick={() => stepTurn(1)}
          />
        </span>
      )}
      {at > 0 && (
        <button type="button" class="link newer-turn" onClick={() => stepTurn(-at)}>
          Turn {all[0]?.id.slice(1)} is newer
        </button>
      )}
      <TurnVerbs turn={turn.id} />
    </section>
  );
}

/** "5 edits in 2 files": the files are in the tooltip, and read out. */
export function Edits({ turn }: { turn: string }) {
  const files = [...filesOf(turn)];
  const edits = files.reduce((sum, [, count]) => sum + count, 0);
  const named = files.map(([path, count]) => `${path} (${count})`).join("\n");
  return (
    <span class="turn-edits" title={named} aria-description={named}>
      {counted(edits, "edit")} in {counted(files.length, "file")}
    </span>
  );
}

export function TurnVerbs({ turn, command = true }: { turn: string; command?: boolean }) {
  return (
    <span class="turn-verbs">
      <Button
        label="Accept turn"
        icon="accept"
        tone="accept"
        {...(command && { command: "accept-turn" })}
        onClick={() => wantTurn("accept", turn)}
      />
      <Button
        label="Reject turn"
        icon="reject"
        tone="reject"
        {...(command && { command: "reject-turn" })}
        onClick={() => wantTurn("reject", turn)}
      />
    </span>
  );
}

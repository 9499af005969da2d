/** One control for a whole turn, whichever file is open: how much it did, accept, reject. */

import { useEffect } from "preact/hooks";
import { lightGroup } from "../acts/moving";
import { Button } from "../parts/Button";
import { Menu } from "../parts/Menu";
import { counted } from "../rules/counting";
import { firstLine, visible } from "../rules/visible";
import { follow, wantTurn } from "./acts";
import { chatNews } from "./news";
import { filesOf, newsOfTurns, stepTurn, takeInHand, turnInHand, undecidedTurns } from "./state";

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
  const news = newsOfTurns.value;
  const number = turn.id.slice(1);
  const items = () => [
    {
      label: `Accept turn ${number}`,
      tone: "accept" as const,
      command: "accept-turn",
      act: () => wantTurn("accept", turn.id),
    },
    {
      label: `Reject turn ${number}`,
      tone: "reject" as const,
      command: "reject-turn",
      act: () => wantTurn("reject", turn.id),
    },
    { label: `Show turn ${number}: ${firstLine(turn.prompt ?? "")}`, act: () => void lightGroup(turn.id) },
    { label: "Newer turn", disabled: at === 0, act: () => stepTurn(-1) },
    { label: "Older turn", disabled: at === all.length - 1, act: () => stepTurn(1) },
  ];
  return (
    <section class="turn-control" aria-label="Turn">
      <Menu label={`Turn ${number}`} class="quiet" title={visible(turn.prompt ?? "")} items={items}>
        Turn {number}
        <span class="in-full">
          {" · "}
          <Edits turn={turn.id} />
        </span>
      </Menu>
      {news && (
        <button
          type="button"
          class="link newer-turn"
          aria-label={`Turn ${news.id.slice(1)} is newer`}
          onClick={() => takeInHand(news.id)}
        >
          <span class="in-full">Turn </span>
          {news.id.slice(1)} is newer
        </button>
      )}
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

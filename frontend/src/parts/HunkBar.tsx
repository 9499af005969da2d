/** The bar above a hunk: whose it is, and what can be done with it. */

import { decideHunk, rejectWithReason } from "../acts/wishing";
import { noteOnHunk } from "../acts/noting";
import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { openDialog } from "../state/dialogs";
import { currentHunk, hoveredGroup, litGroup } from "../state/place";
import { queue, turns } from "../state/project";
import type { HunkDocument } from "../wire/documents";
import { Button } from "./Button";
import { Shown } from "./Shown";

export function HunkBar({ hunk }: { hunk: HunkDocument }) {
  const isCurrent = currentHunk.value === hunk.id;
  const isLit = litGroup.value === null || [hunk.turn, hunk.call, hunk.id].includes(litGroup.value);
  const isHovered =
    hoveredGroup.value !== null && [hunk.turn, hunk.call, hunk.id].includes(hoveredGroup.value);
  const classes = [isCurrent && "current", !isLit && "dim", isHovered && "hovered", colourClass(hunk.turn)];
  return (
    <div
      class={`hunk-bar ${classes.filter(Boolean).join(" ")}`}
      role="group"
      aria-label={labelOf(hunk)}
      aria-current={isCurrent}
      data-hunk={hunk.id}
      onMouseDown={() => (currentHunk.value = hunk.id)}
    >
      <span class="swatch" />
      <HunkOrigin hunk={hunk} />
      <span class="bar-actions">
        <Button
          label="Accept"
          icon="accept"
          tone="accept"
          command="accept"
          onClick={() => void decideHunk("accept", hunk)}
        />
        <Button
          label="Reject…"
          icon="reject"
          tone="reject"
          command="reject"
          onClick={() => void rejectWithReason(hunk)}
        />
        <Button label="Note" icon="note" bare command="note" onClick={() => noteOnHunk(hunk)} />
        <Button
          label="Why is this here?"
          icon="why"
          bare
          command="why"
          onClick={() => openDialog({ kind: "why", hunk: hunk.id })}
        />
      </span>
    </div>
  );
}

export function HunkOrigin({ hunk }: { hunk: HunkDocument }) {
  const isRunning = turns.value.some(turn =>
    turn.calls.some(call => call.id === hunk.call && call.ended === null),
  );
  return (
    <span class="origin">
      {isRunning && <span class="running" title="Still being written" />}
      <strong>{hunk.tool ?? hunk.actor.kind}</strong>
      {hunk.turn && <span>turn {hunk.turn.slice(1)}</span>}
      <Shown text={hunk.actor.name || hunk.actor.kind} />
      <time title={fullTime(hunk.at)}>{shortTime(hunk.at)}</time>
      {remarks(hunk).map(remark => (
        <span class="remark">{remark}</span>
      ))}
    </span>
  );
}

function remarks(hunk: HunkDocument): string[] {
  const said = [];
  if (hunk.held) said.push("held: not in the file yet");
  if (hunk.modified) said.push("edited by you");
  if (hunk.built_on_by.length) said.push(`${counted(hunk.built_on_by.length, "change")} on top`);
  if (hunk.builds_on.length) said.push("builds on another");
  if (hunk.endings) said.push("line ends only");
  if (hunk.shared_with.length) said.push("shared with another call");
  if (!hunk.complete) said.push("what was there before is not known");
  return said;
}

function labelOf(hunk: HunkDocument): string {
  const at = queue.value.findIndex(one => one.id === hunk.id);
  const size = `${counted(hunk.new_lines, "line")} for ${hunk.old_lines}`;
  const place = at < 0 ? "Change" : `Change ${at + 1} of ${queue.value.length}`;
  return `${place}: ${hunk.kind}, ${size}, from line ${hunk.new_start}`;
}

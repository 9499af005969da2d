/** Where an undecided change comes from, and what is special about it. */

import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { turns } from "../state/project";
import type { FileHunkDocument } from "../wire/contract";
import { Shown } from "./Shown";

const SHORT_COMMIT = 10;

export function HunkOrigin({ hunk }: { hunk: FileHunkDocument }) {
  const isRunning = turns.value.some(turn =>
    turn.calls.some(call => call.id === hunk.call && call.ended === null),
  );
  return (
    <span class="origin">
      {isRunning && <span class="running" title="Still being written" />}
      <strong>{hunk.tool ?? hunk.actor.kind}</strong>
      {hunk.turn && <span>turn {hunk.turn.slice(1)}</span>}
      {hunk.subagent && <span>sub-agent {hunk.subagent.slice(1)}</span>}
      <Shown text={hunk.actor.name || hunk.actor.kind} />
      <time title={fullTime(hunk.at)}>{shortTime(hunk.at)}</time>
      {remarks(hunk).map(remark => (
        <span class="remark">{remark}</span>
      ))}
    </span>
  );
}

function remarks(hunk: FileHunkDocument): string[] {
  const said = [];
  if (hunk.held) said.push("held: not in the file yet");
  if (hunk.committed) said.push(`committed: ${hunk.committed.slice(0, SHORT_COMMIT)}`);
  if (hunk.modified) said.push("edited by you");
  if (hunk.built_on_by.length) said.push(`${counted(hunk.built_on_by.length, "change")} on top`);
  if (hunk.builds_on.length) said.push("builds on another");
  if (hunk.endings) said.push("line ends only");
  if (hunk.shared_with.length) said.push("shared with another call");
  if (!hunk.complete) said.push("what was there before is not known");
  return said;
}

/** What an undecided change is for, once for each call, and what is special about it. */

import { wishes } from "../hub/state";
import { counted } from "../rules/counting";
import { fullTime } from "../rules/times";
import { firstLine } from "../rules/visible";
import { page } from "../state/place";
import { turns } from "../state/project";
import type { CallAboutDocument, FileHunkDocument } from "../wire/contract";
import { Lines } from "./LineCounts";
import { Shown } from "./Shown";

const SHORT_COMMIT = 10;

interface Props {
  hunk: FileHunkDocument;
  /** Lines that come and go, if not those of this hunk alone. */
  added?: number;
  removed?: number;
}

export function HunkOrigin({ hunk, added = hunk.new_lines, removed = hunk.old_lines }: Props) {
  const turn = turns.value.find(one => one.id === hunk.turn);
  const call = turn?.calls.find(one => one.id === hunk.call);
  const told = [
    hunk.actor.name || hunk.actor.kind,
    hunk.turn && `turn ${hunk.turn.slice(1)}`,
    hunk.subagent && `sub-agent ${hunk.subagent.slice(1)}`,
    fullTime(hunk.at),
  ];
  return (
    <span class="origin" title={told.filter(Boolean).join(", ")}>
      {isFirst(hunk) && (
        <>
          <strong>{hunk.tool ?? hunk.actor.kind}</strong>
          {hunk.subagent && <span>sub-agent {hunk.subagent.slice(1)}</span>}
          <Shown text={purpose(call?.about ?? {}, turn?.prompt ?? "")} class="purpose" />
        </>
      )}
      <Lines added={added} removed={removed} />
      {remarks(hunk).map(remark => (
        <span class="remark">{remark}</span>
      ))}
      {call?.ended === null && <span class="running" title="Still being written" />}
    </span>
  );
}

/** Whether it is the first change of its call in the open file. */
function isFirst(hunk: FileHunkDocument): boolean {
  if (hunk.call === null) return true;
  const first = page.value?.hunks.find(one => one.status === "pending" && one.call === hunk.call);
  return !first || first.id === hunk.id;
}

/** The command, or else the agent's words, or else the person's. */
function purpose(about: CallAboutDocument, prompt: string): string {
  return firstLine(about.command || about.reason || about.description || prompt);
}

function remarks(hunk: FileHunkDocument): string[] {
  const said = [];
  const wish = wishes.value.get(hunk.id);
  if (wish) said.push(wish);
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

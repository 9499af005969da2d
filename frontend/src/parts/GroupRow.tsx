/** One row of the groups: a turn, a sub-agent, a call, a hunk, or what a person did. */

import { computed, signal, useComputed } from "@preact/signals";
import { decideEdits, decideGroup, decideHunk } from "../acts/wishing";
import { goTo, lightGroup, openAtFirst } from "../acts/moving";
import { noteOnGroup } from "../acts/noting";
import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import type { GroupRow as Row } from "../rules/groups";
import { fullTime, shortTime } from "../rules/times";
import { firstLine, visible } from "../rules/visible";
import { clearAway } from "../state/clearing";
import { hiddenGroups, isHidden as isHiddenHunk } from "../state/hiding";
import { announce } from "../state/messages";
import { hoveredGroup, litGroup, openGroups } from "../state/place";
import { turns } from "../state/project";
import { isNarrow } from "../state/settings";
import type { OutsideEntry, CallDocument, TallyDocument } from "../wire/contract";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { LinesOf } from "./LineCounts";
import { Shown } from "./Shown";

interface Props {
  row: Row;
  /** The change that is read is in it. */
  isHere: boolean;
  index: number;
  count: number;
  onKey: (event: KeyboardEvent, row: Row, index: number) => void;
}

/** The row that the keyboard is in. */
const focusedGroup = signal<string | null>(null);

export function GroupRow({ row, isHere, index, count, onKey }: Props) {
  const isLit = litGroup.value === row.id;
  // What can be done with a row is drawn for the one that somebody is about to use. In a drawer, for all of them.
  const isAtHand = useComputed(
    () => isNarrow.value || [hoveredGroup, focusedGroup, litGroup].some(group => group.value === row.id),
  ).value;
  const isHidden = hiddenGroups.value.has(row.id);
  return (
    <div
      role="treeitem"
      class={`group-row ${row.kind} ${isLit ? "current" : ""} ${isHere ? "here" : ""} ${isHidden ? "muted" : ""}`}
      aria-level={row.depth + 1}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-expanded={row.open}
      aria-selected={isLit}
      aria-current={isHere || undefined}
      tabIndex={isLit || index === 0 ? 0 : -1}
      data-group={row.id}
      style={{ paddingLeft: `${6 + row.depth * 14}px` }}
      onClick={() => chosen(row)}
      onKeyDown={event => onKey(event, row, index)}
      onMouseEnter={() => (hoveredGroup.value = row.id)}
      onMouseLeave={() => (hoveredGroup.value = null)}
      onFocusIn={() => (focusedGroup.value = row.id)}
      onFocusOut={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) focusedGroup.value = null;
      }}
    >
      <button
        type="button"
        class="twist"
        tabIndex={-1}
        aria-label={row.open ? "Close" : "Open"}
        disabled={row.open === undefined}
        onClick={event => {
          event.stopPropagation();
          toggleOpen(row);
        }}
      >
        {row.open !== undefined && <Icon name={row.open ? "down" : "right"} />}
      </button>
      <span class={`swatch ${colourClass(turnOf(row))}`} />
      <Words row={row} />
      {isAtHand && <Verbs row={row} isHidden={isHidden} />}
    </div>
  );
}

/** With one agent, its name says nothing. */
const severalAgents = computed(() => new Set(turns.value.map(turn => turn.agent)).size > 1);

function tellEdits(edits: readonly OutsideEntry[]): string {
  const rejected = edits.filter(edit => edit.status === "rejected").length;
  const said = `${counted(edits.length, "edit")}, accepted as they arrive`;
  return rejected ? `${said}; ${rejected} rejected` : said;
}

function turnOf(row: Row): string | null {
  if (row.kind === "turn") return row.turn.id;
  if (row.kind === "subagent" || row.kind === "call") return row.turnId;
  return row.kind === "hunk" ? row.hunk.turn : null;
}

function chosen(row: Row): void {
  if (row.kind === "people") toggleOpen(row);
  else if (row.kind === "edit") void openAtFirst(row.edit.path);
  else if (row.kind === "hunk") void goTo(row.hunk);
  else void lightGroup(litGroup.peek() === row.id ? null : row.id);
}

function Words({ row }: { row: Row }) {
  switch (row.kind) {
    case "turn": {
      const { turn } = row;
      return (
        <span class="words">
          <span class="title">
            Turn {turn.id.slice(1)}{" "}
            <Shown text={firstLine(turn.prompt ?? "") || "without a prompt"} class="said" />
            {turn.ended === null && <span class="running" title="Still running" />}
          </span>
          <span class="about">
            <TallyText
              counts={turn.counts}
              none={turn.ended === null ? "no changes" : "no changes, listed for its prompt"}
            />{" "}
            <LinesOf id={turn.id} /> · <time title={fullTime(turn.started)}>{shortTime(turn.started)}</time>
            {severalAgents.value && (
              <>
                {" · "}
                <Shown text={turn.agent} />
              </>
            )}
          </span>
        </span>
      );
    }
    case "subagent": {
      const { subagent } = row;
      return (
        <span class="words">
          <span class="title">
            Sub-agent {subagent.id.slice(1)} <Shown text={firstLine(subagent.description)} class="said" />
            {subagent.ended === null && <span class="running" title="Still running" />}
          </span>
          <span class="about">
            <TallyText counts={subagent.counts} /> <LinesOf id={subagent.id} /> ·{" "}
            <Shown text={subagent.type || "sub-agent"} /> ·{" "}
            <time title={fullTime(subagent.started)}>{shortTime(subagent.started)}</time>
          </span>
        </span>
      );
    }
    case "call": {
      const { call } = row;
      return (
        <span class="words">
          <span class="title">
            {call.tool} <Shown text={subject(call)} class="said" />
            {call.ended === null && <span class="running" title="Still running" />}
          </span>
          <span class="about">
            <TallyText counts={call.counts} /> <LinesOf id={call.id} /> ·{" "}
            <time title={fullTime(call.started)}>{shortTime(call.started)}</time>
            {call.outcome && call.outcome !== "done" && ` · ${call.outcome}`}
          </span>
        </span>
      );
    }
    case "hunk":
      return (
        <span class="words">
          <span class="title">
            <Shown text={row.hunk.path} class="said" />
          </span>
          <span class="about">
            line {row.hunk.new_start} · +{row.hunk.new_lines} −{row.hunk.old_lines} · {row.hunk.kind}
            {row.hunk.built_on_by.length > 0 && ` · ${counted(row.hunk.built_on_by.length, "change")} on top`}
            {row.hunk.builds_on.length > 0 && " · builds on another"}
          </span>
        </span>
      );
    case "people":
      return (
        <span class="words">
          <span class="title">
            <span>{row.title}</span>
          </span>
          <span class="about">{tellEdits(row.edits)}</span>
        </span>
      );
    case "edit":
      return (
        <span class="words">
          <span class="title">
            <Shown text={row.edit.path} class="said" />
          </span>
          <span class="about">
            {row.edit.status} · <time title={fullTime(row.edit.at)}>{shortTime(row.edit.at)}</time>
          </span>
        </span>
      );
  }
}

function subject(call: CallDocument): string {
  return call.path ?? firstLine(call.about.command ?? call.about.description ?? "");
}

function TallyText({ counts, none = "no changes" }: { counts: TallyDocument; none?: string }) {
  const said = [
    counts.pending ? `${counts.pending} undecided` : "",
    counts.accepted ? `${counts.accepted} accepted` : "",
    counts.rejected ? `${counts.rejected} rejected` : "",
  ].filter(Boolean);
  return <span class="tally">{said.join(", ") || none}</span>;
}

function Verbs({ row, isHidden }: { row: Row; isHidden: boolean }) {
  const stop = (act: () => void) => (event: MouseEvent) => {
    event.stopPropagation();
    act();
  };
  if (row.kind === "people" || row.kind === "edit") {
    const edits = row.kind === "people" ? row.edits : [row.edit];
    const rejected = edits.filter(edit => edit.status === "rejected").flatMap(edit => edit.hunks);
    const standing = edits.filter(edit => edit.status !== "rejected").flatMap(edit => edit.hunks);
    const name = row.kind === "people" ? row.title : `the edit of ${visible(row.edit.path)}`;
    return (
      <span class="row-verbs">
        <Button
          label={`${isHidden ? "Show" : "Hide"} ${name}`}
          icon={isHidden ? "hidden" : "shown"}
          bare
          pressed={isHidden}
          onClick={stop(() => toggleHidden(row.id))}
        />
        {row.kind === "people" && (
          <Button
            label={`Clear ${name}: the text stays as it is`}
            icon="clear"
            bare
            onClick={stop(() => clear(row.id, edits))}
          />
        )}
        {rejected.length > 0 && (
          <Button
            label={`Accept ${name}`}
            icon="accept"
            bare
            tone="accept"
            onClick={stop(() => void decideEdits("accept", rejected, name))}
          />
        )}
        {standing.length > 0 && (
          <Button
            label={`Reject ${name}`}
            icon="reject"
            bare
            tone="reject"
            onClick={stop(() => void decideEdits("reject", standing, name))}
          />
        )}
      </span>
    );
  }
  if (row.kind === "hunk") {
    const { hunk } = row;
    if (isHiddenHunk(hunk)) return null;
    return (
      <span class="row-verbs">
        <Button
          label="Accept"
          icon="accept"
          bare
          tone="accept"
          onClick={stop(() => void decideHunk("accept", hunk))}
        />
        <Button
          label="Reject"
          icon="reject"
          bare
          tone="reject"
          onClick={stop(() => void decideHunk("reject", hunk))}
        />
      </span>
    );
  }
  const name = `${row.kind === "subagent" ? "sub-agent" : row.kind} ${row.id.slice(1)}`;
  const { pending } = countsOf(row);
  const isOut = isHidden || hiddenGroups.value.has(turnOf(row) ?? "");
  return (
    <span class="row-verbs">
      <Button
        label={`${isHidden ? "Show" : "Hide"} ${name}`}
        icon={isHidden ? "hidden" : "shown"}
        bare
        pressed={isHidden}
        onClick={stop(() => toggleHidden(row.id))}
      />
      {row.kind !== "subagent" && (
        <Button
          label={`Note on ${name}`}
          icon="note"
          bare
          needs="write"
          onClick={stop(() => noteOnGroup(row.id))}
        />
      )}
      {pending > 0 && !isOut && (
        <>
          <Button
            label={`Accept ${counted(pending, "change")} of ${visible(name)}`}
            icon="accept"
            bare
            tone="accept"
            onClick={stop(() => void decideGroup("accept", row.id))}
          />
          <Button
            label={`Reject ${counted(pending, "change")} of ${visible(name)}`}
            icon="reject"
            bare
            tone="reject"
            onClick={stop(() => void decideGroup("reject", row.id))}
          />
        </>
      )}
    </span>
  );
}

function countsOf(row: Row & { kind: "turn" | "subagent" | "call" }): TallyDocument {
  if (row.kind === "turn") return row.turn.counts;
  return row.kind === "subagent" ? row.subagent.counts : row.call.counts;
}

/** Takes what people did so far out of the list. Nothing is decided, and the text stays as it is. */
function clear(group: string, edits: readonly OutsideEntry[]): void {
  const last = edits.reduce((latest, edit) => (edit.at > latest ? edit.at : latest), "");
  clearAway(group, last);
  announce("Cleared. The text stays as it is.");
}

function toggleHidden(id: string): void {
  const hidden = new Set(hiddenGroups.peek());
  if (!hidden.delete(id)) hidden.add(id);
  hiddenGroups.value = hidden;
}

export function toggleOpen(row: Row): void {
  if (row.open === undefined) return;
  openGroups.value = new Map([...openGroups.peek(), [row.id, !row.open]]);
}

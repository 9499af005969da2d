/** Turns, calls and hunks, with what people did beside them. */

import { computed } from "@preact/signals";
import { useMemo, useRef, useState } from "preact/hooks";
import { type GroupRow as Row, isClearable, keptRows, withoutNews } from "../rules/groups";
import { hiddenGroups } from "../state/hiding";
import { hunkNamed } from "../state/hunks";
import { clearedUntil, showCleared } from "../state/clearing";
import { cleared, currentHunk, litGroup, openGroups } from "../state/place";
import { hunksById, overview, turns } from "../state/project";
import type { HunkEntry } from "../wire/contract";
import { Button } from "./Button";
import { GroupRow, toggleOpen } from "./GroupRow";
import { VirtualList } from "./VirtualList";

const ROW_HEIGHT = 46;

const shownOpen = new Set<string>();

let known = new Map<string, Row>();

const everyRow = computed(() => {
  const rows = keptRows(known, {
    turns: turns.value,
    outside: overview.value?.outside ?? [],
    hunks: hunksById.value,
    opened: openGroups.value,
    shown: shownOpen,
    cleared: cleared.value,
    clearedUntil: clearedUntil.value,
  });
  known = new Map(rows.map(row => [row.id, row]));
  return rows;
});

export function Groups() {
  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  /** How often the person asked for what is new. */
  const [taken, setTaken] = useState(0);
  const all = everyRow.value;
  const arranged = JSON.stringify([[...openGroups.value], cleared.value, taken]);
  const listed = useRef({ arranged: "", ids: new Set<string>() });
  if (listed.current.arranged !== arranged)
    listed.current = { arranged, ids: new Set(all.map(({ id }) => id)) };
  const rows = withoutNews(all, listed.current.ids);
  for (const { id } of rows) listed.current.ids.add(id);
  const drawn = useRef(rows);
  drawn.current = rows;
  const onKey = useMemo(() => move(list, drawn), []);
  const heldBack = all.length - rows.length;
  const here = rowOf(hunkNamed(currentHunk.value), rows);
  const isChosen =
    litGroup.value !== null || hiddenGroups.value.size > 0 || Object.keys(clearedUntil.value).length > 0;
  return (
    <>
      <div class="panel-verbs">
        <Button
          label={cleared.value ? "Show decided" : "Clear"}
          pressed={cleared.value}
          disabled={!cleared.value && !turns.value.some(isClearable) && !overview.value?.outside.length}
          onClick={() => (cleared.value = !cleared.value)}
        />
        {isChosen && <Button label="Show everything" onClick={showEverything} />}
        {above > 0 && (
          <Button
            label={`${above} new above`}
            icon="previous"
            onClick={() => list.current?.scrollTo({ top: 0 })}
          />
        )}
        {heldBack > 0 && <Button label={`Show ${heldBack} new`} onClick={() => setTaken(taken + 1)} />}
      </div>
      {rows.length ? (
        <VirtualList
          rows={rows}
          rowHeight={ROW_HEIGHT}
          keyOf={row => row.id}
          draw={(row, index) => (
            <GroupRow
              key={row.id}
              row={row}
              isHere={row.id === here}
              index={index}
              count={rows.length}
              onKey={onKey}
            />
          )}
          role="tree"
          label="Groups"
          shown={here ?? litGroup.value}
          arranged={arranged}
          onNews={setAbove}
          box={list}
        />
      ) : (
        <p class="empty">{cleared.value ? "All groups are decided." : "No agent has done anything yet."}</p>
      )}
    </>
  );
}

/** The smallest group on the screen with a change in it. */
function rowOf(hunk: HunkEntry | null, rows: readonly Row[]): string | null {
  const ids = [hunk?.id, hunk?.call, hunk?.subagent, hunk?.turn];
  return ids.find(id => rows.some(row => row.id === id)) ?? null;
}

function showEverything(): void {
  litGroup.value = null;
  hiddenGroups.value = new Set();
  showCleared();
}

/** Arrow keys in the tree. */
function move(list: { current: HTMLDivElement | null }, drawn: { current: readonly Row[] }) {
  return (event: KeyboardEvent, row: Row, index: number) => {
    const rows = drawn.current;
    if (event.target !== event.currentTarget) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const opens = event.key === "ArrowRight" && row.open === false;
    const closes = event.key === "ArrowLeft" && row.open === true;
    if (step !== undefined) focusRow(list.current, rows[index + step]);
    else if (opens || closes) toggleOpen(row);
    else if (event.key === "Enter" || event.key === " ") (event.currentTarget as HTMLElement).click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function focusRow(list: HTMLDivElement | null, row: Row | undefined): void {
  if (row) list?.querySelector<HTMLElement>(`[data-group="${CSS.escape(row.id)}"]`)?.focus();
}

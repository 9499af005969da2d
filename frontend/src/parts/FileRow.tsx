/** One row of the files rail: a file, or a folder. */

import { useComputed } from "@preact/signals";
import { openAtFirst } from "../acts/moving";
import { decideFolder } from "../acts/wishing";
import type { Row } from "../rules/ordering";
import { counted } from "../rules/counting";
import { visible } from "../rules/visible";
import { openPath } from "../state/place";
import { closedFolders, hunks } from "../state/project";
import { isViewed } from "../state/viewed";
import type { Verdict } from "../wire/contract";
import { Button } from "./Button";
import { Dot } from "./Dot";
import { Icon } from "./Icon";
import { LinesOf } from "./LineCounts";
import { Shown } from "./Shown";

interface Props {
  row: Row;
  index: number;
  count: number;
  onKey: (event: KeyboardEvent, row: Row, index: number) => void;
}

const LETTERS = { M: "modified", A: "added", D: "deleted", R: "renamed", T: "became something else" };

export function FileRow({ row, index, count, onKey }: Props) {
  // Of a thousand rows, the two are drawn anew for which that is another answer.
  const isOpen = useComputed(() => row.kind === "file" && openPath.value === row.path).value;
  const isNoneOpen = useComputed(() => openPath.value === null).value;
  return (
    <div
      role="treeitem"
      class={`row ${row.muted ? "muted" : ""} ${isOpen ? "current" : ""}`}
      aria-level={row.depth + 1}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-expanded={row.kind === "folder" ? row.open : undefined}
      aria-selected={isOpen}
      aria-label={labelOf(row)}
      tabIndex={isOpen || (index === 0 && isNoneOpen) ? 0 : -1}
      data-path={row.path}
      style={{ paddingLeft: `${8 + row.depth * 14}px` }}
      onClick={() => choose(row)}
      onKeyDown={event => onKey(event, row, index)}
    >
      {row.kind === "folder" ? <Icon name={row.open ? "down" : "right"} /> : <Dot mark={row.mark} />}
      <Shown text={row.name} class="name" />
      {row.kind === "file" ? <FileDetails row={row} /> : <FolderDetails row={row} />}
    </div>
  );
}

export function choose(row: Row): void {
  if (row.kind === "file") {
    void openAtFirst(row.path);
    return;
  }
  const closed = new Set(closedFolders.peek());
  if (!closed.delete(row.path)) closed.add(row.path);
  closedFolders.value = closed;
}

function FileDetails({ row }: { row: Extract<Row, { kind: "file" }> }) {
  const { entry } = row;
  const all = entry.pending + entry.decided;
  const isSeen = useComputed(() => isViewed(row.path, hunks.value)).value;
  return (
    <span class="details">
      {entry.running && <span class="running" title="An agent is writing to it" />}
      {entry.notes > 0 && <span class="notes-count">{entry.notes}</span>}
      {isSeen && entry.pending > 0 && <span class="viewed">viewed</span>}
      <LinesOf id={row.path} />
      <span class="tally">
        {entry.pending > 0 && (entry.decided ? `${entry.decided}/${all}` : entry.pending)}
      </span>
      {entry.letter !== "M" && <span class={`letter letter-${entry.letter}`}>{entry.letter}</span>}
    </span>
  );
}

function FolderDetails({ row }: { row: Extract<Row, { kind: "folder" }> }) {
  return (
    <span class="details">
      {row.deleted && row.pending > 0 && <FolderVerbs row={row} />}
      {!row.open && <Dot mark={row.mark} />}
      <span class="tally">{row.pending > 0 && row.pending}</span>
      {row.deleted && <span class="letter letter-D">D</span>}
    </span>
  );
}

/** A folder that went is one decision. */
function FolderVerbs({ row }: { row: Extract<Row, { kind: "folder" }> }) {
  const name = `the deletion of ${visible(row.path)}, ${counted(row.files, "file")}`;
  const act = (verdict: Verdict) => (event: MouseEvent) => {
    event.stopPropagation();
    void decideFolder(verdict, row.path);
  };
  return (
    <span class="row-verbs">
      <Button label={`Accept ${name}`} icon="accept" bare tone="accept" onClick={act("accept")} />
      <Button label={`Reject ${name}`} icon="reject" bare tone="reject" onClick={act("reject")} />
    </span>
  );
}

function labelOf(row: Row): string {
  if (row.kind === "folder") {
    const size = `${counted(row.files, "file")}${row.deleted ? " deleted" : ""}`;
    return `Folder ${visible(row.name)}, ${size}, ${row.pending} undecided`;
  }
  const { entry } = row;
  const said = [visible(row.name), LETTERS[entry.letter], `${entry.pending} undecided`];
  if (entry.decided) said.push(`${entry.decided} decided`);
  if (entry.notes) said.push(counted(entry.notes, "note"));
  if (entry.running) said.push("being written");
  if (row.mark === "conflict") said.push("conflict");
  if (row.mark === "changed") said.push("changed since viewed");
  return said.join(", ");
}

/** The files that agents changed. */

import { useMemo, useRef } from "preact/hooks";
import { counted } from "../rules/counting";
import { type Filter, type Order, type Row } from "../rules/ordering";
import { openPath } from "../state/place";
import { arrange, closedFolders, fileRows, files, filter, filterWords, queue } from "../state/project";
import { isNarrow, order } from "../state/settings";
import { FileRow, choose } from "./FileRow";
import { RailEdge } from "./RailEdge";
import { VirtualList } from "./VirtualList";

const ROW_HEIGHT = 24;

const ORDERS: Record<Order, string> = { smart: "Smart order", path: "By path", pending: "Most undecided" };
const FILTERS: Record<Filter, string> = {
  all: "All",
  pending: "Undecided",
  notes: "With notes",
  changed: "Changed",
};

export function FilesRail() {
  const list = useRef<HTMLDivElement>(null);
  const shown = fileRows.value;
  const drawn = useRef(shown);
  drawn.current = shown;
  const onKey = useMemo(() => move(list, drawn), []);
  return (
    <nav class="rail files-rail" aria-label="Files" data-rail="files">
      <div class="rail-head">
        <h2>Files</h2>
        <span class="count">{files.value.length}</span>
        <span class="spring" />
        <select
          aria-label="Order of files"
          value={order.value}
          onChange={event => {
            const { value } = event.currentTarget;
            arrange(() => (order.value = value as Order));
          }}
        >
          {Object.entries(ORDERS).map(([name, label]) => (
            <option value={name}>{label}</option>
          ))}
        </select>
      </div>
      <div class="rail-head">
        <input
          type="search"
          class="filter"
          placeholder="Filter paths"
          aria-label="Filter paths; !word leaves out"
          value={filterWords.value}
          onInput={event => {
            const { value } = event.currentTarget;
            arrange(() => (filterWords.value = value));
          }}
        />
        <select
          aria-label="Which files"
          value={filter.value}
          onChange={event => {
            const { value } = event.currentTarget;
            arrange(() => (filter.value = value as Filter));
          }}
        >
          {Object.entries(FILTERS).map(([name, label]) => (
            <option value={name}>{label}</option>
          ))}
        </select>
      </div>
      {shown.length ? (
        <VirtualList
          rows={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={row => row.path}
          draw={(row, index) => (
            <FileRow key={row.path} row={row} index={index} count={shown.length} onKey={onKey} />
          )}
          role="tree"
          label={`Files, ${counted(queue.value.length, "undecided change")}`}
          shown={openPath.value}
          arranged={`${order.value} ${filter.value} ${filterWords.value} ${[...closedFolders.value].join()}`}
          box={list}
        />
      ) : (
        <p class="empty">{files.value.length ? "No file matches." : "No agent has changed a file yet."}</p>
      )}
      {!isNarrow.value && <RailEdge of="files" />}
    </nav>
  );
}

/** Arrow keys in the tree. */
function move(list: { current: HTMLDivElement | null }, rows: { current: readonly Row[] }) {
  return (event: KeyboardEvent, row: Row, index: number) => {
    const shown = rows.current;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) focusRow(list.current, shown[index + step]);
    else if (event.key === "Enter" || event.key === " ") choose(row);
    else if (event.key === "ArrowRight" && row.kind === "folder" && !row.open) choose(row);
    else if (event.key === "ArrowLeft" && row.kind === "folder" && row.open) choose(row);
    else if (event.key === "ArrowLeft") focusRow(list.current, parentOf(shown, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function parentOf(shown: readonly Row[], index: number): Row | undefined {
  const depth = shown[index]?.depth ?? 0;
  return shown.slice(0, index).findLast(row => row.depth < depth);
}

function focusRow(list: HTMLDivElement | null, row: Row | undefined): void {
  if (!row) return;
  const drawn = [...(list?.querySelectorAll<HTMLElement>("[data-path]") ?? [])];
  drawn.find(element => element.dataset["path"] === row.path)?.focus();
}

/** An open notebook, cell by cell: what is pending stands in its place, and what nobody changed is folded. */

import { useEffect, useState } from "preact/hooks";
import { wanted } from "../acts/revealing";
import { Button } from "../parts/Button";
import { DecidedRow } from "../parts/DecidedRow";
import { Reading } from "../parts/Reading";
import { counted } from "../rules/counting";
import { concernsWholeFile } from "../rules/regions";
import { currentHunk, decidedHere, side } from "../state/place";
import type { FilePage } from "../wire/client";
import type { CellDocument, FileHunkDocument } from "../wire/contract";
import { Cell, decidedIn } from "./Cell";
import { HunkCard } from "./HunkCard";

/** Unchanged cells that are shown beside a changed one. */
const AROUND = 1;
const SHOWN_AT_FIRST = 100;

export function NotebookContent({ page }: { page: FilePage }) {
  const cells = page.cells ?? [];
  const changed = cells.filter(cell => cell.state !== "same").length;
  const [most, setMost] = useState(SHOWN_AT_FIRST);
  useEffect(show, [currentHunk.value, page.version]);
  useEffect(() => {
    if (wanted.peek()?.path === page.path) wanted.value = null;
  }, [wanted.value, page.path]);
  if (page.too_large) return <p class="empty">The notebook is too large to be shown.</p>;
  if (page.cells === undefined) return <Reading path={page.path} text={page.live ?? ""} label="Notebook" />;
  if (side.value !== "diff") return <OneSide page={page} cells={cells} />;
  const parts = folded(cells, cell => cell.state !== "same" || decidedIn(page, cell).length > 0);
  return (
    <div class="notebook" role="group" aria-label="Notebook">
      {(changed > 0 || own(page).length > 0) && <Bar page={page} count={changed} />}
      {own(page).map(hunk => (
        <section class="cell edited" aria-label="Metadata of the notebook">
          <header class="cell-header">
            <span class="cell-name">Notebook metadata</span>
          </header>
          <HunkCard hunk={hunk} />
        </section>
      ))}
      {withGone(parts, withoutCell(page, cells))
        .slice(0, most)
        .map(part =>
          Array.isArray(part) ? (
            <Unchanged key={keyOf(part[0])} page={page} cells={part} />
          ) : "status" in part ? (
            <DecidedRow key={part.id} hunks={[part]} />
          ) : (
            <Cell key={keyOf(part)} page={page} cell={part} />
          ),
        )}
      {parts.length > most && (
        <Button
          label={`Show ${counted(parts.length - most, "more cell")}`}
          onClick={() => setMost(most + SHOWN_AT_FIRST)}
        />
      )}
      {cells.length === 0 && <p class="empty">This notebook has no cells.</p>}
    </div>
  );
}

/** What was decided just now about cells that are not there any more. */
function withoutCell(page: FilePage, cells: readonly CellDocument[]): FileHunkDocument[] {
  const shown = new Set(cells.flatMap(cell => decidedIn(page, cell)));
  return page.hunks.filter(
    hunk =>
      hunk.status !== "pending" &&
      decidedHere.value.has(hunk.id) &&
      !shown.has(hunk) &&
      !concernsWholeFile(hunk),
  );
}

/** The same, with a row for each cell that went where it stood. */
function withGone(
  parts: readonly (CellDocument | CellDocument[])[],
  gone: readonly FileHunkDocument[],
): (CellDocument | CellDocument[] | FileHunkDocument)[] {
  const left = gone.toSorted((a, b) => (a.cell?.index ?? 0) - (b.cell?.index ?? 0));
  const found: (CellDocument | CellDocument[] | FileHunkDocument)[] = [];
  for (const part of parts) {
    const last = Array.isArray(part) ? part.at(-1) : part;
    while (left[0] && (left[0].cell?.index ?? 0) <= (last?.index ?? 0)) found.push(left.shift()!);
    found.push(part);
  }
  return [...found, ...left];
}

/** The notebook were everything rejected, or accepted: to be read. */
function OneSide({ page, cells }: { page: FilePage; cells: CellDocument[] }) {
  const isFinal = side.value === "final";
  const shown = cells
    .map(cell => ({ ...cell, new: isFinal ? cell.new : cell.old }))
    .filter(cell => cell.new !== null);
  return (
    <div class="notebook" role="group" aria-label={isFinal ? "Final notebook" : "Original notebook"}>
      {shown.map(cell => (
        <Cell key={keyOf(cell)} page={page} cell={{ ...cell, state: "same", hunks: [], live: null }} />
      ))}
    </div>
  );
}

/** What is pending about the notebook itself. */
function own(page: FilePage) {
  return page.hunks.filter(hunk => hunk.status === "pending" && hunk.cell === null && hunk.kind === "modify");
}

function Bar({ page, count }: { page: FilePage; count: number }) {
  return (
    <div class="notebook-bar" role="group" aria-label="Cell changes">
      <strong>{counted(count, "cell change")}</strong>
      {page.held && (
        <span class="guarded">Nothing you type is saved while proposals wait for an answer.</span>
      )}
    </div>
  );
}

function Unchanged({ page, cells }: { page: FilePage; cells: CellDocument[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <>
        {cells.map(cell => (
          <Cell key={keyOf(cell)} page={page} cell={cell} />
        ))}
      </>
    );
  return (
    <button type="button" class="unchanged-cells" onClick={() => setOpen(true)}>
      {counted(cells.length, "unchanged cell")}
    </button>
  );
}

/** The cells, with those that nobody changed, and that stand beside no changed one, put together. */
function folded(
  cells: CellDocument[],
  isChanged: (cell: CellDocument) => boolean,
): (CellDocument | CellDocument[])[] {
  const near = cells.map((_, at) => cells.slice(Math.max(at - AROUND, 0), at + AROUND + 1).some(isChanged));
  const found: (CellDocument | CellDocument[])[] = [];
  const none = !cells.some(isChanged);
  cells.forEach((cell, at) => {
    const last = found.at(-1);
    if (near[at] || none) found.push(cell);
    else if (Array.isArray(last)) last.push(cell);
    else found.push([cell]);
  });
  return found;
}

function keyOf(cell: CellDocument | undefined): string {
  return cell ? `${cell.id} ${cell.index} ${cell.state}` : "";
}

/** Brings the change that the keys are about onto the screen. */
function show(): void {
  const id = currentHunk.peek();
  const found = id && document.querySelector(`.notebook [data-hunk="${CSS.escape(id)}"]`);
  if (found) found.scrollIntoView({ block: "nearest" });
}

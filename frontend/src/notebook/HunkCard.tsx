/** One change inside a cell: its lines, and what can be done with it. */

import { DiffLines } from "../parts/DiffLines";
import { HunkBar } from "../parts/HunkBar";
import type { FileHunkDocument } from "../wire/contract";

export function HunkCard({ hunk }: { hunk: FileHunkDocument }) {
  return (
    <div class="cell-hunk">
      <HunkBar hunk={hunk} />
      <HunkLines hunk={hunk} />
    </div>
  );
}

export function HunkLines({ hunk }: { hunk: FileHunkDocument }) {
  const { old, new: now, old_start: oldStart, new_start: newStart } = hunk;
  return <DiffLines old={old ?? ""} now={now ?? ""} oldStart={oldStart} newStart={newStart} />;
}

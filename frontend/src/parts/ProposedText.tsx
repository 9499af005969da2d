/** The text of a held hunk, where it would stand. */

import type { FileHunkDocument } from "../wire/contract";
import { DiffLines } from "./DiffLines";

export function ProposedText({ hunk }: { hunk: FileHunkDocument }) {
  return (
    <div class="proposed" role="group" aria-label="Proposed, not in the file yet">
      <DiffLines
        old=""
        now={hunk.new ?? ""}
        oldStart={hunk.old_start}
        newStart={hunk.new_start}
        numbers={false}
        path={hunk.path}
      />
    </div>
  );
}

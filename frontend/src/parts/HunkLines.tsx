/** The lines of a hunk, as the server shows it. */

import { DiffLines } from "./DiffLines";

interface Lines {
  old: string | null;
  new: string | null;
  old_start: number;
  new_start: number;
  path: string;
  /** Numbers of new lines that are not part of the change. */
  agreed?: readonly number[];
  /** Lines of the file before and after. */
  above?: readonly string[];
  below?: readonly string[];
}

export function HunkLines({ hunk }: { hunk: Lines }) {
  const { agreed, above, below } = hunk;
  return (
    <DiffLines
      old={hunk.old ?? ""}
      now={hunk.new ?? ""}
      oldStart={hunk.old_start}
      newStart={hunk.new_start}
      path={hunk.path}
      {...(agreed && { agreed })}
      {...(above && { above })}
      {...(below && { below })}
    />
  );
}

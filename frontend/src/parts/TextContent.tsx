/** An open file as a text: as a diff, or one side of it. */

import { side } from "../state/place";
import type { FilePage } from "../wire/client";
import { DiffLines } from "./DiffLines";
import { Reading } from "./Reading";
import { TextPane } from "./TextPane";

export function TextContent({ page: found }: { page: FilePage }) {
  const { path, live, baseline, original, final } = found;
  const isHeld = final !== live;
  if (found.too_large)
    return <p class="empty">The text is too large to be shown. It can be decided as a whole.</p>;
  if (side.value === "original") {
    return original === null ? <Absent /> : <Reading path={path} text={original} label="Original of" />;
  }
  if (side.value === "final" && (isHeld || live === null)) {
    return final === null ? <Absent /> : <Reading path={path} text={final} label="Final text of" />;
  }
  if (live !== null) return <TextPane key={path} path={path} />;
  if (baseline !== null)
    return <Reading path={path} text={baseline} label="Deleted text of" class="all-removed" />;
  const rejected = found.hunks.find(hunk => hunk.kind === "create" && hunk.status === "rejected" && hunk.new);
  if (rejected)
    return (
      <section class="rejected-text" aria-label="Rejected text" tabIndex={0}>
        <p class="hint">There is no file here. This was rejected:</p>
        <DiffLines old="" now={rejected.new ?? ""} oldStart={1} newStart={1} path={path} />
      </section>
    );
  return <p class="empty">{found.kind === "absent" ? "There is no file here." : "This is not text."}</p>;
}

function Absent() {
  return <p class="empty">On this side there is no file.</p>;
}

/** A change to a file as a whole: made, deleted, renamed, its mode or its kind. One row, one decision. */

import { colourClass } from "../rules/colours";
import { decidedWith } from "../state/hunks";
import { currentHunk, openSteps } from "../state/place";
import type { FilePage } from "../wire/client";
import type { FileHunkDocument, HunkSummary } from "../wire/contract";
import { DecisionQuestion } from "./DecisionQuestion";
import { HunkOrigin } from "./HunkOrigin";
import { HunkVerbs } from "./HunkVerbs";
import { StepsToggle } from "./PlaceBar";
import { Shown } from "./Shown";

export function WholeFileCard({ hunk, page }: { hunk: FileHunkDocument; page: FilePage }) {
  const place = decidedWith(hunk.id);
  const isCurrent = place.some(one => one.id === currentHunk.value) || currentHunk.value === hunk.id;
  return (
    <div
      class={`whole-file ${colourClass(hunk.turn)} ${isCurrent ? "current" : ""}`}
      role="group"
      aria-label={`Change to the whole file: ${hunk.kind}`}
      aria-current={isCurrent}
      data-hunk={hunk.id}
    >
      <span class="swatch" />
      <span class="what">{wholeFileWords(hunk, page)}</span>
      <HunkOrigin hunk={hunk} />
      {place.length > 1 && <StepsToggle hunks={place} />}
      <HunkVerbs hunk={hunk} together />
      {[hunk, ...(openSteps.value.has(hunk.id) ? [] : place.filter(one => one.id !== hunk.id))].map(one => (
        <DecisionQuestion key={one.id} hunk={one.id} />
      ))}
    </div>
  );
}

/** What happens to the file, in words. */
export function wholeFileWords(hunk: HunkSummary & { new?: string | null }, page?: FilePage) {
  switch (hunk.kind) {
    case "create":
      return hunk.new === null ? "New file: not text" : "New file";
    case "delete":
      return "File deleted";
    case "rename":
      return (
        <>
          Renamed from <Shown text={hunk.from ?? "?"} /> to <Shown text={hunk.path} />
        </>
      );
    case "mode":
      return `Mode changed${modes(page)}`;
    case "symlink":
      return "Link changed";
    case "binary":
      return "Bytes changed: not text";
    default:
      return `Changed: ${hunk.kind}`;
  }
}

/** " from 644 to 755": what changes, and nothing where that is not known. */
function modes(page: FilePage | undefined): string {
  const { baseline_mode_bits: from, mode_bits: to } = page ?? {};
  return [from && ` from ${from}`, to && ` to ${to}`].filter(Boolean).join("");
}

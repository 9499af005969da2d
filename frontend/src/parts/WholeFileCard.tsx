/** A change to a file as a whole: made, deleted, renamed, its mode or its kind. One row, one decision. */

import { decideHunk, rejectWithReason } from "../acts/wishing";
import { noteOnHunk } from "../acts/noting";
import { colourClass } from "../rules/colours";
import { openDialog } from "../state/dialogs";
import { currentHunk } from "../state/place";
import type { FilePage, HunkDocument } from "../wire/documents";
import { Button } from "./Button";
import { HunkOrigin } from "./HunkBar";
import { Shown } from "./Shown";

export function WholeFileCard({ hunk, page }: { hunk: HunkDocument; page: FilePage }) {
  const isCurrent = currentHunk.value === hunk.id;
  return (
    <div
      class={`whole-file ${colourClass(hunk.turn)} ${isCurrent ? "current" : ""}`}
      role="group"
      aria-label={`Change to the whole file: ${hunk.kind}`}
      aria-current={isCurrent}
      data-hunk={hunk.id}
    >
      <span class="swatch" />
      <span class="what">{said(hunk, page)}</span>
      <HunkOrigin hunk={hunk} />
      <span class="bar-actions">
        <Button
          label="Accept"
          icon="accept"
          tone="accept"
          command="accept"
          onClick={() => void decideHunk("accept", hunk)}
        />
        <Button
          label="Reject…"
          icon="reject"
          tone="reject"
          command="reject"
          onClick={() => void rejectWithReason(hunk)}
        />
        <Button label="Note" icon="note" bare command="note" onClick={() => noteOnHunk(hunk)} />
        <Button
          label="Why is this here?"
          icon="why"
          bare
          command="why"
          onClick={() => openDialog({ kind: "why", hunk: hunk.id })}
        />
      </span>
    </div>
  );
}

function said(hunk: HunkDocument, page: FilePage) {
  switch (hunk.kind) {
    case "create":
      return "New file";
    case "delete":
      return "File deleted";
    case "rename":
      return (
        <>
          Renamed from <Shown text={hunk.from ?? "?"} />
        </>
      );
    case "mode":
      return `Mode changed${page.mode_bits ? ` to ${page.mode_bits}` : ""}`;
    case "symlink":
      return "Link changed";
    case "binary":
      return "Bytes changed: not text";
    default:
      return `Changed: ${hunk.kind}`;
  }
}

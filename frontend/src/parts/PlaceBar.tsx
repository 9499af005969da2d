/** Several undecided changes of the same lines: what they come to, and one decision; below it, each step by itself. */

import { decideTogether } from "../acts/wishing";
import { counted } from "../rules/counting";
import { currentHunk } from "../state/place";
import type { FileHunkDocument } from "../wire/contract";
import { Button } from "./Button";
import { Lines } from "./LineCounts";

interface Props {
  hunks: FileHunkDocument[];
  added: number;
  removed: number;
}

export function PlaceBar({ hunks, added, removed }: Props) {
  const size = counted(hunks.length, "step");
  const isCurrent = hunks.some(hunk => hunk.id === currentHunk.value);
  return (
    <div class={`place-bar ${isCurrent ? "current" : ""}`} role="group" aria-label={`One place, ${size}`}>
      <span class="origin">
        <strong>{size}</strong>
        <span>in one place</span>
        <Lines added={added} removed={removed} />
        <span class="remark">{counted(new Set(hunks.map(hunk => hunk.turn)).size, "turn")}</span>
      </span>
      <span class="bar-actions">
        <Button
          label={`Accept ${size}`}
          icon="accept"
          tone="accept"
          onClick={() => void decideTogether("accept", hunks)}
        />
        <Button
          label={`Reject ${size}`}
          icon="reject"
          tone="reject"
          onClick={() => void decideTogether("reject", hunks)}
        />
      </span>
    </div>
  );
}

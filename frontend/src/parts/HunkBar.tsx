/** The bar above a hunk: whose it is, and what can be done with it. */

import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import { isIn } from "../rules/groups";
import { currentHunk, hoveredGroup, litGroup } from "../state/place";
import { numberOf, queue } from "../state/project";
import type { FileHunkDocument } from "../wire/contract";
import { DecisionQuestion } from "./DecisionQuestion";
import { HunkOrigin } from "./HunkOrigin";
import { HunkVerbs } from "./HunkVerbs";
import { SameElsewhere } from "./SameChange";

export function HunkBar({ hunk }: { hunk: FileHunkDocument }) {
  const isCurrent = currentHunk.value === hunk.id;
  const isLit = litGroup.value === null || isIn(litGroup.value, hunk);
  const isHovered = isIn(hoveredGroup.value, hunk);
  const classes = [isCurrent && "current", !isLit && "dim", isHovered && "hovered", colourClass(hunk.turn)];
  return (
    <>
      <div
        class={`hunk-bar ${classes.filter(Boolean).join(" ")}`}
        role="group"
        aria-label={labelOf(hunk)}
        aria-current={isCurrent}
        data-hunk={hunk.id}
        onMouseDown={() => (currentHunk.value = hunk.id)}
      >
        <span class="swatch" />
        <HunkOrigin hunk={hunk} />
        <SameElsewhere hunk={hunk} />
        <HunkVerbs hunk={hunk} />
      </div>
      <DecisionQuestion hunk={hunk.id} />
    </>
  );
}

function labelOf(hunk: FileHunkDocument): string {
  const at = numberOf(hunk.id);
  const size = `${counted(hunk.new_lines, "line")} for ${hunk.old_lines}`;
  const place = at < 0 ? "Change" : `Change ${at + 1} of ${queue.value.length}`;
  return `${place}: ${hunk.kind}, ${size}, from line ${hunk.new_start}`;
}

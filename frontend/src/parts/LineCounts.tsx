/** How many lines come and go: "+12 −3". */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { sizes } from "../state/project";

export function Lines({ added, removed }: { added: number; removed: number }) {
  if (!added && !removed) return null;
  return (
    <span class="line-counts">
      {added > 0 && <span class="added-count">+{added}</span>}
      {removed > 0 && <span class="removed-count">−{removed}</span>}
    </span>
  );
}

/** The same for what is undecided in a file, a turn, a sub-agent or a call. */
export function LinesOf({ id }: { id: string }) {
  // Numbers, so that of all that show some, those are drawn anew for which they are others.
  const size = useMemo(
    () => ({
      added: computed(() => sizes.value.get(id)?.added ?? 0),
      removed: computed(() => sizes.value.get(id)?.removed ?? 0),
    }),
    [id],
  );
  return <Lines added={size.added.value} removed={size.removed.value} />;
}

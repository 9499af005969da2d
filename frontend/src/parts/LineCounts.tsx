/** How many lines come and go: "+12 −3". */

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
  const size = sizes.value.get(id);
  return size ? <Lines {...size} /> : null;
}

/** Lists that mostly stay as they are: whoever depends on one hears of it only when it is another. */

import { type ReadonlySignal, computed } from "@preact/signals";

export function asBefore<T>(list: () => readonly T[]): ReadonlySignal<readonly T[]> {
  let known: readonly T[] = [];
  return computed(() => {
    const found = list();
    const isSame = found.length === known.length && found.every((one, place) => one === known[place]);
    return isSame ? known : (known = found);
  });
}

/** Finding things by a few typed letters. */

/** How well letters match a text, higher is better; what matches as well comes first if it is listed first. Null when they do not occur in it in this order. */
export function score(letters: string, text: string): number | null {
  const wanted = letters.toLowerCase().replace(/\s+/g, "");
  const hay = text.toLowerCase();
  let total = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = hay.indexOf(letter, at + 1);
    if (next < 0) return null;
    const isStart = next === 0 || /[\s/_.\-:]/.test(hay[next - 1] ?? "");
    total += next === at + 1 ? 3 : isStart ? 2 : 0;
    at = next;
  }
  return total;
}

export function best<T>(
  letters: string,
  things: readonly T[],
  textOf: (thing: T) => string,
  limit: number,
): T[] {
  if (!letters.trim()) return things.slice(0, limit);
  return things
    .map(thing => ({ thing, score: score(letters, textOf(thing)) }))
    .filter((one): one is { thing: T; score: number } => one.score !== null)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(one => one.thing);
}

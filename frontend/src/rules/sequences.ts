/** Which parts differ between two lists: of lines, or of words. */

import { diff } from "@codemirror/merge";

/** From zero, half-open. */
export interface Swap {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

const SCAN_LIMIT = 4000;
const TIMEOUT_MS = 200;
/** Each different part becomes one code unit; surrogates would be paired up. */
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const UNITS = 0x10000;

export function swaps(old: readonly string[], now: readonly string[]): Swap[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const oldTo = old.length - end;
  const newTo = now.length - end;
  if (start === oldTo && start === newTo) return [];
  const whole = [{ oldFrom: start, oldTo, newFrom: start, newTo }];
  if (start === oldTo || start === newTo) return whole;
  const units = asUnits(old.slice(start, oldTo), now.slice(start, newTo));
  if (!units) return whole;
  return diff(units[0], units[1], { scanLimit: SCAN_LIMIT, timeout: TIMEOUT_MS }).map(change => ({
    oldFrom: start + change.fromA,
    oldTo: start + change.toA,
    newFrom: start + change.fromB,
    newTo: start + change.toB,
  }));
}

/** Both lists as strings in which equal units stand for equal parts; null when there are too many. */
function asUnits(old: readonly string[], now: readonly string[]): [string, string] | null {
  const known = new Map<string, number>();
  for (const parts of [old, now]) {
    for (const part of parts) if (!known.has(part)) known.set(part, known.size);
  }
  if (known.size > UNITS - SURROGATES) return null;
  const unit = (part: string) => {
    const number = known.get(part) ?? 0;
    return String.fromCharCode(number < FIRST_SURROGATE ? number : number + SURROGATES);
  };
  return [old.map(unit).join(""), now.map(unit).join("")];
}

/** Numbers in words. */

/** With commas. The browser knows that too, but takes a while to find out how. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function percent(part: number, whole: number): number {
  return whole ? Math.round((100 * part) / whole) : 100;
}

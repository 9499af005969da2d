/** Numbers in words. */

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export function percent(part: number, whole: number): number {
  return whole ? Math.round((100 * part) / whole) : 100;
}

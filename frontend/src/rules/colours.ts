/** Each turn has a colour, in the rail and in the editor; two turns that look alike are far apart. */

const COLOURS = 12;

/** The classes of a turn, for style/colours.css. */
export function colourClass(turn: string | null): string {
  const number = turn === null ? NaN : Number(turn.slice(1));
  if (!Number.isInteger(number)) return "colour-none";
  const isBroken = Math.floor(number / COLOURS) % 2 === 1;
  return `colour-${number % COLOURS}${isBroken ? " broken-strip" : ""}`;
}

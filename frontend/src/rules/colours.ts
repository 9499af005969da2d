/** Each turn has one of a few colours, in the rail and in the editor. */

const COLOURS = 6;

/** The number of a turn's colour, for the classes of style/groups.css; null for what no turn made. */
export function colourOf(turn: string | null): number | null {
  const number = turn === null ? NaN : Number(turn.slice(1));
  return Number.isInteger(number) ? number % COLOURS : null;
}

export function colourClass(turn: string | null): string {
  const colour = colourOf(turn);
  return colour === null ? "colour-none" : `colour-${colour}`;
}

/** The hunks of a unified diff, line by line. */

export interface PatchLine {
  sign: " " | "-" | "+";
  text: string;
  /** In the file as it would be; of a line that goes, in the file as it is. */
  number: number;
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function patchHunks(diff: string): PatchLine[][] {
  const found: PatchLine[][] = [];
  let old = 0;
  let now = 0;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const head = HEAD.exec(line);
    const sign = line[0];
    if (head) {
      old = Number(head[1]);
      now = Number(head[2]);
      found.push([]);
    } else if (sign === " " || sign === "-" || sign === "+") {
      found.at(-1)?.push({ sign, text: line.slice(1), number: sign === "-" ? old : now });
      if (sign !== "+") old += 1;
      if (sign !== "-") now += 1;
    }
  }
  return found;
}

/** How many lines two diffs begin with alike. */
export function linesAlike(one: string, other: string): number {
  const ours = patchHunks(one).flat();
  const theirs = patchHunks(other).flat();
  const at = ours.findIndex((line, number) => {
    const there = theirs[number];
    return line.sign !== there?.sign || line.text !== there.text || line.number !== there.number;
  });
  return at < 0 ? ours.length : at;
}

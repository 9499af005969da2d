/**
 * What does not print is made visible: controls, marks of direction, odd blanks. The same characters, spelled
 * the same way, as in the command line (surfaces/cli/terminal.py).
 */

/** Controls, format marks, surrogates, private and unassigned codes, all blanks but the space. */
const UNPRINTABLE = String.raw`\p{C}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
/** Printable by name, and yet nothing is seen of them. */
const UNSEEN = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0`;
/** Selectors of a glyph's form can carry hidden text; only the one that every emoji uses is let through. */
const SELECTORS = String.raw`\ufe00-\ufe0e\u{e0100}-\u{e01ef}`;

const HIDDEN = new RegExp(`[${UNPRINTABLE}${UNSEEN}${SELECTORS}]`, "gu");

/** The same without tab, which an editor draws as what it is. */
export const HIDDEN_IN_TEXT = new RegExp(`(?!\t)[${UNPRINTABLE}${UNSEEN}${SELECTORS}]`, "gu");

const SHORT: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** How one character that does not print is spelled. */
export function spelled(char: string): string {
  const short = SHORT[char];
  if (short) return short;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  // How a byte of a file name that is not UTF-8 is kept.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  return `<U+${hex(code, 4).toUpperCase()}>`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

export function visible(text: string): string {
  return text.replace(HIDDEN, spelled);
}

export interface Piece {
  text: string;
  /** Stands for a character that does not print. */
  hidden: boolean;
}

export function pieces(text: string, { tabs = false } = {}): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(tabs ? HIDDEN_IN_TEXT : HIDDEN)) {
    if (match.index > at) found.push({ text: text.slice(at, match.index), hidden: false });
    found.push({ text: spelled(match[0]), hidden: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at), hidden: false });
  return found;
}

/** The first line that is not blank, with a mark when there is more. */
export function firstLine(text: string): string {
  const lines = text.split("\n").filter(line => line.trim());
  return (lines[0] ?? "").trim() + (lines.length > 1 ? " …" : "");
}

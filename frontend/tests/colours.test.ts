import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** The least contrast at which small text can be read: WCAG 2, level AA. */
const ENOUGH = 4.5;

const CODE = ["ink", "keyword", "string", "comment", "number", "function", "type", "property"];
const BEHIND_CODE = ["paper", "green-soft", "green-word", "red-soft", "red-word", "selection"];

/** Which colours stand on which. */
const PAIRS: [string[], string[]][] = [
  [CODE, BEHIND_CODE],
  [
    ["ink", "soft", "faint"],
    ["paper", "panel", "raised", "hover", "blue-soft"],
  ],
  [
    ["blue", "green", "red", "amber"],
    ["paper", "panel", "raised", "hover", "blue-soft"],
  ],
  [["amber"], ["amber-soft"]],
  [["green"], ["green-soft"]],
  [["red"], ["red-soft"]],
  [["on-blue"], ["blue", "green", "red"]],
  [["paper"], ["red", "green", "amber", "ink"]],
];

function themes(): Map<string, Map<string, string>> {
  const sheet = readFileSync("src/style/colours.css", "utf8");
  const blocks = sheet.matchAll(/data-theme="(\w+)"\] \{([^}]*)\}/g);
  return new Map(
    [...blocks].map(([, name = "", body = ""]) => [
      name,
      new Map([...body.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, one = "", value = ""]) => [one, value])),
    ]),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const [name, colours] of themes()) {
  test(`what is written can be read: ${name}`, () => {
    const poor = PAIRS.flatMap(([inks, grounds]) =>
      inks.flatMap(ink =>
        grounds
          .map(ground => ({
            ink,
            ground,
            ratio: contrast(colours.get(ink) ?? "", colours.get(ground) ?? ""),
          }))
          .filter(pair => !(pair.ratio >= ENOUGH))
          .map(pair => `${pair.ink} on ${pair.ground}: ${pair.ratio.toFixed(2)}`),
      ),
    );
    assert.deepEqual(poor, []);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { colourClass } from "../src/rules/colours";

test("no two turns of a screen look alike", () => {
  const looks = Array.from({ length: 24 }, (_, number) => colourClass(`t${number + 100}`));
  assert.equal(new Set(looks).size, looks.length);
});

test("what no turn made has no colour of one", () => {
  assert.equal(colourClass(null), "colour-none");
});

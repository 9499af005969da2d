import { EditorState, Text } from "@codemirror/state";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Typing } from "../src/editor/typing";
import { changesBetween } from "../src/rules/changes";

const text = (lines: string) => Text.of(lines.split("\n"));

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function scrambled(lines: string[], next: (below: number) => number, mark: string): string[] {
  const found = [...lines];
  for (let count = next(4); count > 0; count -= 1) {
    const at = next(found.length + 1);
    if (next(3) === 0) found.splice(at, next(3));
    else found.splice(at, 0, `${mark}${next(5)}`);
  }
  return found;
}

test("changes between two texts make one of the other", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const next = numbers(seed);
    const before = Array.from({ length: next(8) }, () => `line ${next(4)}`);
    const now = scrambled(before, next, "new ");
    for (const ends of ["", "\n"]) {
      const [a, b] = [text(before.join("\n") + ends), text(now.join("\n") + (next(2) ? ends : ""))];
      assert.equal(changesBetween(a, b).apply(a).toString(), b.toString(), `seed ${seed}`);
    }
  }
});

test("an insertion far away leaves all else alone", () => {
  const lines = Array.from({ length: 5000 }, (_, number) => `line ${number}`);
  const now = [...lines.slice(0, 100), "new", ...lines.slice(100, 4000), ...lines.slice(4001)];
  const changes = changesBetween(text(lines.join("\n")), text(now.join("\n")));
  let touched = 0;
  changes.iterChangedRanges((from, to) => (touched += to - from));
  assert.ok(touched < 20, `${touched} characters`);
});

/** An editor without a screen. */
class Desk {
  state: EditorState;
  readonly typing: Typing;

  constructor(lines: string) {
    this.state = EditorState.create({ doc: text(lines) });
    this.typing = new Typing(this.state);
  }

  type(from: number, insert: string): void {
    this.apply({ changes: { from, insert } });
  }

  receive(lines: string): void {
    this.apply(this.typing.receive(text(lines)));
  }

  private apply(spec: Parameters<EditorState["update"]>[0]): void {
    const transaction = this.state.update(spec);
    this.typing.observe([transaction]);
    this.state = transaction.state;
  }

  get text(): string {
    return this.state.doc.toString();
  }
}

test("what was typed stays when others write, before, after and around it", () => {
  const desk = new Desk("one\ntwo\nthree\n");
  desk.type(7, " mine");
  desk.receive("zero\none\ntwo\nthree\nfour\n");
  assert.equal(desk.text, "zero\none\ntwo mine\nthree\nfour\n");
  assert.ok(desk.typing.isUnsaved);
});

test("typing goes on while a save is under way", () => {
  const desk = new Desk("one\ntwo\n");
  desk.type(3, " a");
  desk.typing.send(desk.state.doc);
  desk.type(5, "b");
  // The server has joined it with a line that an agent wrote.
  desk.typing.arrived();
  desk.receive("one a\nagent\ntwo\n");
  assert.equal(desk.text, "one ab\nagent\ntwo\n");
  assert.equal(desk.typing.base.toString(), "one a\nagent\ntwo\n");
  assert.ok(desk.typing.isUnsaved);
});

test("a save that failed is sent again with all that came since", () => {
  const desk = new Desk("one\n");
  desk.type(3, " a");
  desk.typing.send(desk.state.doc);
  desk.type(5, "b");
  desk.typing.returned();
  assert.equal(desk.typing.base.toString(), "one\n");
  assert.equal(desk.typing.pending.apply(desk.typing.base).toString(), "one ab\n");
});

test("whatever happens in whatever order, the editor is what was agreed on and what was typed since", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const next = numbers(seed);
    const desk = new Desk("line 0\nline 1\nline 2\n");
    for (let step = 0; step < 12; step += 1) {
      const chance = next(4);
      if (chance === 0) desk.type(next(desk.state.doc.length + 1), `<${step}>`);
      else if (chance === 1 && !desk.typing.isSending) {
        desk.receive(scrambled(desk.typing.base.toString().split("\n"), next, "agent ").join("\n"));
      } else if (chance === 2 && !desk.typing.isSending) desk.typing.send(desk.state.doc);
      else if (desk.typing.isSending) {
        if (next(3)) desk.typing.arrived();
        else desk.typing.returned();
      }
      const { base, pending } = desk.typing;
      assert.equal(pending.apply(base).toString(), desk.text, `seed ${seed}, step ${step}`);
    }
  }
});

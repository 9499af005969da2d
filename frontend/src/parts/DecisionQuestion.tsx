/** What has to be chosen before a change is rejected, asked in its place, with what would stand there then. */

import { useEffect, useRef } from "preact/hooks";
import { decideWith } from "../acts/deciding";
import { PatchView } from "../chat/PatchView";
import { counted } from "../rules/counting";
import { linesAlike } from "../rules/patch";
import { type Question, dropQuestion, question } from "../state/question";
import type { CorrectedLineDocument } from "../wire/contract";
import { Button } from "./Button";
import { Shown } from "./Shown";

const MOST_LISTED = 8;

/** How many lines are shown above the first in which the two answers differ. */
const LEAD = 2;

export function DecisionQuestion({ hunk }: { hunk: string }) {
  const box = useRef<HTMLDivElement>(null);
  const asked = question.value?.hunk === hunk ? question.value : null;
  const wish = asked?.wish;
  useEffect(() => box.current?.focus(), [wish]);
  // With what each answer would make of the file it is larger.
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [asked?.results]);
  if (!asked) return null;
  const lines = asked.needs.flatMap(need => need.lines ?? []);
  const title = lines.length
    ? `You changed ${lines.length === 1 ? "this line" : "these lines"}`
    : told(asked);
  return (
    <div ref={box} class="decision-question" role="group" aria-label={title} tabIndex={-1}>
      <p>
        {title}. {lines.length ? "What should stand here?" : "What should become of that?"}
      </p>
      {lines.length ? <Corrected asked={asked} lines={lines} /> : <Dependents asked={asked} />}
      <Button label="Cancel" onClick={dropQuestion} />
    </div>
  );
}

function later(asked: Question): number {
  return new Set(asked.needs.flatMap(need => need.built_on_by ?? [])).size;
}

function told(asked: Question): string {
  const count = later(asked);
  if (!count) return "Other calls ran at the same time and may have made the same change";
  return `${counted(count, "later change")} ${count === 1 ? "builds" : "build"} on this`;
}

function Corrected({ asked, lines }: { asked: Question; lines: readonly CorrectedLineDocument[] }) {
  const differ = lines.findIndex(one => one.now !== one.before);
  const from = lines.length > MOST_LISTED ? Math.max(differ - LEAD, 0) : 0;
  return (
    <>
      <div class="question-answer">
        <Button label="Keep yours" icon="accept" onClick={() => void decideWith(asked.wish, "keep")} />
        <Lines texts={lines.map(one => one.now)} from={from} />
      </div>
      <div class="question-answer">
        <Button
          label="Back to the original"
          icon="reject"
          tone="reject"
          onClick={() => void decideWith(asked.wish, "with")}
        />
        <Lines texts={lines.map(one => one.before)} from={from} />
      </div>
    </>
  );
}

function Dependents({ asked }: { asked: Question }) {
  const count = later(asked);
  const { keep, with: both } = asked.results;
  const skipped = keep && both ? Math.max(linesAlike(keep, both) - LEAD, 0) : 0;
  return (
    <>
      <div class="question-answer">
        <Button
          label={count ? "Reject only this" : "Leave what is shared"}
          onClick={() => void decideWith(asked.wish, "keep")}
        />
        <Result diff={keep} skipped={skipped} />
      </div>
      <div class="question-answer">
        <Button
          label={count ? `Reject with ${counted(count, "later change")}` : "Reject all the same"}
          icon="reject"
          tone="reject"
          onClick={() => void decideWith(asked.wish, "with")}
        />
        <Result diff={both} skipped={skipped} />
      </div>
    </>
  );
}

function Result({ diff, skipped }: { diff: string | undefined; skipped: number }) {
  if (diff === undefined) return <span class="nothing">…</span>;
  return diff ? (
    <PatchView diff={diff} isPlaced skipped={skipped} />
  ) : (
    <span class="nothing">Nothing changes in the file.</span>
  );
}

function Lines({ texts, from }: { texts: readonly (string | null)[]; from: number }) {
  const there = texts.filter(text => text !== null);
  if (!there.length) return <span class="nothing">nothing</span>;
  const shown = texts.slice(from, from + MOST_LISTED).filter(text => text !== null);
  return (
    <span class="question-lines">
      {shown.map((text, at) => (
        <code key={at}>
          <Shown text={text} />
        </code>
      ))}
      {there.length > shown.length && <span>and {there.length - shown.length} more</span>}
    </span>
  );
}

/** What has to be chosen before a change is rejected, asked in its place, with what would stand there then. */

import { useEffect, useRef } from "preact/hooks";
import { decideWith } from "../acts/deciding";
import { PatchView } from "../chat/PatchView";
import { counted } from "../rules/counting";
import { type Question, dropQuestion, question } from "../state/question";
import type { CorrectedLineDocument } from "../wire/contract";
import { Button } from "./Button";
import { Shown } from "./Shown";

const MOST_LISTED = 8;

export function DecisionQuestion({ hunk }: { hunk: string }) {
  const box = useRef<HTMLDivElement>(null);
  const asked = question.value?.hunk === hunk ? question.value : null;
  const wish = asked?.wish;
  useEffect(() => box.current?.focus(), [wish]);
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
  return (
    <>
      <div class="question-answer">
        <Button label="Keep yours" icon="accept" onClick={() => void decideWith(asked.wish, "keep")} />
        <Lines texts={lines.map(one => one.now)} />
      </div>
      <div class="question-answer">
        <Button
          label="Back to the original"
          icon="reject"
          tone="reject"
          onClick={() => void decideWith(asked.wish, "with")}
        />
        <Lines texts={lines.map(one => one.before).filter(text => text !== null)} />
      </div>
    </>
  );
}

function Dependents({ asked }: { asked: Question }) {
  const count = later(asked);
  return (
    <>
      <div class="question-answer">
        <Button
          label={count ? "Reject only this" : "Leave what is shared"}
          onClick={() => void decideWith(asked.wish, "keep")}
        />
        <Result diff={asked.results.keep} />
      </div>
      <div class="question-answer">
        <Button
          label={count ? `Reject with ${counted(count, "later change")}` : "Reject all the same"}
          icon="reject"
          tone="reject"
          onClick={() => void decideWith(asked.wish, "with")}
        />
        <Result diff={asked.results.with} />
      </div>
    </>
  );
}

function Result({ diff }: { diff: string | undefined }) {
  if (diff === undefined) return <span class="nothing">…</span>;
  return diff ? (
    <PatchView diff={diff} isPlaced />
  ) : (
    <span class="nothing">Nothing changes in the file.</span>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  if (!texts.length) return <span class="nothing">nothing</span>;
  return (
    <span class="question-lines">
      {texts.slice(0, MOST_LISTED).map((text, at) => (
        <code key={at}>
          <Shown text={text} />
        </code>
      ))}
      {texts.length > MOST_LISTED && <span>and {texts.length - MOST_LISTED} more</span>}
    </span>
  );
}

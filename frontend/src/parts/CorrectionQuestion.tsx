/** The person corrected what is to be rejected: which of the two should stand, asked in place. */

import { useEffect, useRef } from "preact/hooks";
import { decideWith } from "../acts/deciding";
import { dropQuestion, question } from "../state/question";
import { Button } from "./Button";
import { Shown } from "./Shown";

const MOST_LISTED = 8;

export function CorrectionQuestion({ hunk }: { hunk: string }) {
  const box = useRef<HTMLDivElement>(null);
  const asked = question.value?.hunk === hunk ? question.value : null;
  useEffect(() => box.current?.focus(), [asked]);
  if (!asked) return null;
  const { wish, lines } = asked;
  return (
    <div
      ref={box}
      class="correction-question"
      role="group"
      aria-label={`You changed ${lines.length === 1 ? "this line" : "these lines"}`}
      tabIndex={-1}
    >
      <p>You changed {lines.length === 1 ? "this line" : "these lines"}. What should stand here?</p>
      <div class="correction-answer">
        <Button label="Keep yours" icon="accept" onClick={() => void decideWith(wish, "keep")} />
        <Lines texts={lines.map(one => one.now)} />
      </div>
      <div class="correction-answer">
        <Button
          label="Back to the original"
          icon="reject"
          tone="reject"
          onClick={() => void decideWith(wish, "with")}
        />
        <Lines texts={lines.map(one => one.before).filter(text => text !== null)} />
      </div>
      <Button label="Cancel" onClick={dropQuestion} />
    </div>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  if (!texts.length) return <span class="nothing">nothing</span>;
  return (
    <span class="correction-lines">
      {texts.slice(0, MOST_LISTED).map((text, at) => (
        <code key={at}>
          <Shown text={text} />
        </code>
      ))}
      {texts.length > MOST_LISTED && <span>and {texts.length - MOST_LISTED} more</span>}
    </span>
  );
}

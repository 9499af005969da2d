/** One undecided change with its text, its reason, and large buttons. */

import { useEffect, useRef, useState } from "preact/hooks";
import { decideHunk } from "../acts/wishing";
import { noteOnHunk } from "../acts/noting";
import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import { concernsWholeFile } from "../rules/regions";
import { firstLine } from "../rules/visible";
import { openDialog } from "../state/dialogs";
import { currentHunk } from "../state/place";
import { turns } from "../state/project";
import { markSeen } from "../state/seen";
import * as server from "../wire/client";
import type { HunkEntry, WhyDocument } from "../wire/contract";
import { Button } from "./Button";
import { DecisionQuestion } from "./DecisionQuestion";
import { DiffLines } from "./DiffLines";
import { SameElsewhere } from "./SameChange";
import { Shown } from "./Shown";
import { wholeFileWords } from "./WholeFileCard";
import { FAR_ENOUGH, useSwipe } from "./swipe";

/** Cards that are nearly on the screen are filled before they get there. */
const AHEAD = "600px";

export function StreamCard({ hunk }: { hunk: HunkEntry }) {
  const box = useRef<HTMLElement>(null);
  const why = useText(hunk, box);
  const turn = turns.value.find(one => one.id === hunk.turn);
  const { shift, handlers } = useSwipe(
    () => void decideHunk("accept", hunk),
    () => void decideHunk("reject", hunk),
  );
  return (
    <article
      ref={box}
      id={`card-${hunk.id}`}
      class={`stream-card ${colourClass(hunk.turn)} ${currentHunk.value === hunk.id ? "current" : ""}`}
      aria-label={spoken(hunk)}
      data-hunk={hunk.id}
      onFocusIn={() => (currentHunk.value = hunk.id)}
      style={shift ? { transform: `translateX(${shift}px)` } : {}}
      {...handlers}
    >
      {shift !== 0 && (
        <span class={`swiped ${shift > 0 ? "accept" : "reject"}`}>
          {Math.abs(shift) < FAR_ENOUGH ? "" : shift > 0 ? "✓ Accept" : "✗ Reject"}
        </span>
      )}
      <header>
        <span class="swatch" />
        <strong>{hunk.tool ?? hunk.kind}</strong>
        <span>line {hunk.new_start || hunk.old_start || 1}</span>
        <SameElsewhere hunk={hunk} />
        {turn && <Shown text={firstLine(turn.prompt ?? "")} class="said" />}
      </header>
      {why ? (
        <DiffLines
          old={why.old ?? ""}
          now={why.new ?? ""}
          oldStart={why.old_start}
          newStart={why.new_start}
          agreed={why.agreed}
          path={hunk.path}
          above={why.above}
          below={why.below}
        />
      ) : (
        <div
          class="diff-lines waiting"
          style={{ height: `${Math.min(30, hunk.old_lines + hunk.new_lines) * 20}px` }}
        />
      )}
      {concernsWholeFile(hunk) && <p class="what">{wholeFileWords(hunk)}</p>}
      <footer>
        <Button label="Accept" icon="accept" tone="accept" onClick={() => void decideHunk("accept", hunk)} />
        <Button label="Reject" icon="reject" tone="reject" onClick={() => void decideHunk("reject", hunk)} />
        <Button label="Note" icon="note" onClick={() => noteOnHunk(hunk)} />
        <Button label="Why" icon="why" onClick={() => openDialog({ kind: "why", hunk: hunk.id })} />
      </footer>
      <DecisionQuestion hunk={hunk.id} />
    </article>
  );
}

/** The hunk with its text, asked for when the card comes near the screen. */
function useText(hunk: HunkEntry, box: { current: HTMLElement | null }): WhyDocument | null {
  const [why, setWhy] = useState<WhyDocument | null>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(
      seen => {
        if (!seen.some(entry => entry.isIntersecting)) return;
        observer.disconnect();
        server.hunk(hunk.id).then(
          found => {
            setWhy(found);
            markSeen([hunk]);
          },
          () => undefined,
        );
      },
      { rootMargin: AHEAD },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [hunk.id, hunk.digest]);
  return why;
}

function spoken(hunk: HunkEntry): string {
  const how = hunk.old_lines ? (hunk.new_lines ? "Changed" : "Removed") : "Added";
  const size = counted(hunk.new_lines || hunk.old_lines, "line");
  return `${how} ${size}, ${hunk.path} line ${hunk.new_start || hunk.old_start || 1}`;
}

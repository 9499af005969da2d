/** One undecided change with its text, its reason, and large buttons. */

import { useEffect, useRef, useState } from "preact/hooks";
import { decidePlace } from "../acts/wishing";
import { noteOnHunk } from "../acts/noting";
import { isAllowed } from "../hub/allowed";
import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import { concernsWholeFile, newLines, oldLines, span } from "../rules/regions";
import { firstLine } from "../rules/visible";
import { openDialog } from "../state/dialogs";
import { currentHunk } from "../state/place";
import { placeOf, turns } from "../state/project";
import { markSeen } from "../state/seen";
import * as server from "../wire/client";
import type { FilePage } from "../wire/client";
import type { HunkEntry, WhyDocument } from "../wire/contract";
import { Button } from "./Button";
import { DecisionQuestion } from "./DecisionQuestion";
import { HunkLines } from "./HunkLines";
import { stepWords } from "./PlaceBar";
import { SameElsewhere } from "./SameChange";
import { Shown } from "./Shown";
import { wholeFileWords } from "./WholeFileCard";
import { FAR_ENOUGH, useSwipe } from "./swipe";

/** Cards that are nearly on the screen are filled before they get there. */
const AHEAD = "600px";

export function StreamCard({ hunk }: { hunk: HunkEntry }) {
  const box = useRef<HTMLElement>(null);
  const place = placeOf(hunk.id);
  const why = useText(hunk, place, box);
  const isCurrent = currentHunk.value === hunk.id || place.some(one => one.id === currentHunk.value);
  const turn = turns.value.find(one => one.id === hunk.turn);
  const { shift, handlers } = useSwipe(
    () => void decidePlace("accept", hunk),
    () => void decidePlace("reject", hunk),
  );
  return (
    <article
      ref={box}
      id={`card-${hunk.id}`}
      class={`stream-card ${colourClass(hunk.turn)} ${isCurrent ? "current" : ""}`}
      aria-label={spoken(hunk)}
      data-hunk={hunk.id}
      onFocusIn={() => (currentHunk.value = hunk.id)}
      style={shift ? { transform: `translateX(${shift}px)` } : {}}
      {...(isAllowed("decide") && handlers)}
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
        {place.length > 1 && <span class="remark">{stepWords(place)}</span>}
        <SameElsewhere hunk={hunk} />
        {turn && <Shown text={firstLine(turn.prompt ?? "")} class="said" />}
      </header>
      {why ? (
        <HunkLines hunk={{ ...why, path: hunk.path }} />
      ) : (
        <div
          class="diff-lines waiting"
          style={{ height: `${Math.min(30, hunk.old_lines + hunk.new_lines) * 20}px` }}
        />
      )}
      {concernsWholeFile(hunk) && <WholeFile hunk={hunk} />}
      <footer>
        <Button label="Accept" icon="accept" tone="accept" onClick={() => void decidePlace("accept", hunk)} />
        <Button label="Reject" icon="reject" tone="reject" onClick={() => void decidePlace("reject", hunk)} />
        <Button label="Note" icon="note" needs="write" onClick={() => noteOnHunk(hunk)} />
        <Button label="Why" icon="why" onClick={() => openDialog({ kind: "why", hunk: hunk.id })} />
      </footer>
      {(place.length ? place : [hunk]).map(one => (
        <DecisionQuestion key={one.id} hunk={one.id} />
      ))}
    </article>
  );
}

/** What happens to the file; the modes of one are on its page. */
function WholeFile({ hunk }: { hunk: HunkEntry }) {
  const [page, setPage] = useState<FilePage>();
  useEffect(() => {
    if (hunk.kind === "mode") server.file(hunk.path).then(setPage, () => undefined);
  }, [hunk.id, hunk.digest]);
  return <p class="what">{wholeFileWords(hunk, page)}</p>;
}

type Text = Pick<WhyDocument, "old" | "new" | "old_start" | "new_start" | "agreed" | "above" | "below">;

/** What there is to read of a place, asked for when the card comes near the screen. */
function useText(
  hunk: HunkEntry,
  place: readonly HunkEntry[],
  box: { current: HTMLElement | null },
): Text | null {
  const [why, setWhy] = useState<Text | null>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(
      seen => {
        if (!seen.some(entry => entry.isIntersecting)) return;
        observer.disconnect();
        // What was done to a new file since is in its text.
        const isNet = place.length > 1 && !concernsWholeFile(hunk);
        (isNet ? netOf(place) : server.hunk(hunk.id)).then(
          found => {
            setWhy(found);
            markSeen(place.length ? place : [hunk]);
          },
          () => undefined,
        );
      },
      { rootMargin: AHEAD },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [hunk.id, hunk.digest, ...(place.length > 1 ? [place.map(one => one.digest).join()] : [])]);
  return why;
}

const CONTEXT_LINES = 3;

/** What several changes of the same lines come to. */
async function netOf(place: readonly HunkEntry[]): Promise<Text> {
  const { baseline, live } = await server.file(place[0]?.path ?? "");
  const [before, now] = [baseline, live].map(text => (text ?? "").split(/(?<=\n)/)) as [string[], string[]];
  const old = place.map(oldLines).reduce(span);
  const fresh = place.map(newLines).reduce(span);
  const bare = (lines: string[]) => lines.map(line => line.replace(/\r?\n$/, ""));
  return {
    old: before.slice(old.from, old.to).join(""),
    new: now.slice(fresh.from, fresh.to).join(""),
    old_start: old.from + 1,
    new_start: fresh.from + 1,
    agreed: [],
    above: bare(now.slice(Math.max(0, fresh.from - CONTEXT_LINES), fresh.from)),
    below: bare(now.slice(fresh.to, fresh.to + CONTEXT_LINES)),
  };
}

function spoken(hunk: HunkEntry): string {
  const how = hunk.old_lines ? (hunk.new_lines ? "Changed" : "Removed") : "Added";
  const size = counted(hunk.new_lines || hunk.old_lines, "line");
  return `${how} ${size}, ${hunk.path} line ${hunk.new_start || hunk.old_start || 1}`;
}

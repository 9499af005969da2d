/** One conversation: its messages, its proposals, and the composer. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { open } from "../acts/opening";
import { Button } from "../parts/Button";
import { Shown } from "../parts/Shown";
import { hunks } from "../state/project";
import { load, loadOlder } from "./acts";
import { ComposerBox } from "./ComposerBox";
import { EntryView } from "./EntryView";
import { Proposal } from "./Proposal";
import { type Thread, filesOf, shownEntries, thread } from "./state";
import { Edits, TurnVerbs } from "./TurnControl";
import type { EntryDocument, RoundDocument } from "../wire/contract";

/** So near to the end, somebody who reads along wants to see what comes. */
const NEAR_PX = 60;

export function ConversationView({ id }: { id: string }) {
  const known = thread(id);
  const document = known.document.value;
  useEffect(() => void load(id), [id]);
  if (!document) return <p class="empty">Reading …</p>;
  const proposals = hunks.value.filter(hunk => hunk.held && document.turns.includes(hunk.turn ?? ""));
  return (
    <section class="conversation" aria-label={document.title || "New conversation"} data-conversation={id}>
      {document.task && (
        <p class="task-place">
          Task at{" "}
          <button
            type="button"
            class="link"
            onClick={() =>
              void open(document.task!.path, document.task!.line ? { line: document.task!.line } : {})
            }
          >
            <Shown text={`${document.task.path}:${document.task.line ?? 1}`} />
          </button>
        </p>
      )}
      <Messages id={id} known={known} />
      {proposals.map(hunk => (
        <Proposal key={hunk.id} hunk={hunk} />
      ))}
      <ComposerBox id={id} known={known} />
    </section>
  );
}

function Messages({ id, known }: { id: string; known: Thread }) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef<number | null>(null);
  const document = known.document.value!;
  const entries = shownEntries(known);
  const hasOlder = entries.length > 0 && entries[0]!.number > document.first;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (before.current !== null) {
      // Older messages came above: what was read stays where it was.
      element.scrollTop += element.scrollHeight - before.current;
      before.current = null;
    } else if (isAtEnd.current) {
      element.scrollTop = element.scrollHeight;
    }
  });

  useEffect(() => {
    // What is drawn for the first time, and code that gets its colours, may be higher than it was taken for.
    const sizes = new ResizeObserver(() => {
      if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
    });
    if (inner.current) sizes.observe(inner.current);
    return () => sizes.disconnect();
  }, []);

  const older = async () => {
    before.current = box.current?.scrollHeight ?? null;
    isAtEnd.current = false;
    await loadOlder(id);
  };

  return (
    <div
      class="chat-messages"
      ref={box}
      role="log"
      aria-label="Messages"
      tabIndex={0}
      onScroll={event => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      <div ref={inner}>
        {hasOlder && <Button label="Show older messages" onClick={() => void older()} />}
        {entries.length === 0 && <p class="empty">Say what you want done.</p>}
        {inRounds(entries, document.rounds).map(([round, said]) => (
          <div class="round" key={round?.number ?? 0}>
            {said.map(entry => (
              <EntryView key={entry.number} id={id} entry={entry} />
            ))}
            {round && <RoundEnd round={round} />}
          </div>
        ))}
        {document.running && <p class="working">Working …</p>}
      </div>
    </div>
  );
}

function inRounds(
  entries: EntryDocument[],
  rounds: RoundDocument[],
): [RoundDocument | undefined, EntryDocument[]][] {
  const found = new Map<number, EntryDocument[]>();
  for (const entry of entries) found.set(entry.turn, [...(found.get(entry.turn) ?? []), entry]);
  return [...found].map(([number, said]) => [rounds.find(round => round.number === number), said]);
}

const ENDS: Record<string, string> = {
  cancelled: "Stopped.",
  failed: "Failed. What landed is undecided.",
  refusal: "The agent refused.",
  max_tokens: "The answer got too long.",
  max_turn_requests: "The agent asked its model too often.",
};

/** What a turn left to decide. While it runs, nothing is offered. */
function RoundEnd({ round }: { round: RoundDocument }) {
  if (round.ended === null) return null;
  const isOpen = round.turn !== null && filesOf(round.turn).size > 0;
  if (!isOpen && !ENDS[round.stop]) return null;
  return (
    <p class="round-end">
      {ENDS[round.stop] && <span class="round-stop">{ENDS[round.stop]}</span>}
      {isOpen && round.turn && (
        <>
          <Edits turn={round.turn} />
          <TurnVerbs turn={round.turn} command={false} />
        </>
      )}
    </p>
  );
}

/** What happened, newest first: turns, calls, decisions. Any decision can be taken back from here. */

import { computed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isExpected } from "../acts/opening";
import { fail } from "../acts/refreshing";
import { Tally } from "../chat/Tally";
import { OUTSIDE, OWN, withEdits } from "../rules/groups";
import { hiddenGroups } from "../state/hiding";
import { overview } from "../state/project";
import * as server from "../wire/client";
import type { LogEntry, OutsideEntry, TimelineDocument } from "../wire/contract";
import { Button } from "./Button";
import { hasMoments, openMoments } from "./MomentsSheet";
import { EditEntry, TimelineEntry } from "./TimelineEntry";

/** How many entries the server gives at a time. */
const AT_ONCE = 200;

export function Timeline() {
  const [entries, setEntries] = useState<LogEntry[] | null>(null);
  const [places, setPlaces] = useState<Places>({});
  const [isWhole, setWhole] = useState(false);
  const version = overview.value?.version;

  useEffect(() => {
    void load(undefined, (found, where) => {
      setPlaces(known => ({ ...known, ...where }));
      if (found.length < AT_ONCE) setWhole(true);
      setEntries(known => joined(found, known ?? []));
    });
  }, [version]);

  const more = () =>
    load(entries?.at(-1)?.id, (found, where) => {
      setPlaces(known => ({ ...known, ...where }));
      const known = new Set(entries?.map(entry => entry.id));
      const fresh = found.filter(entry => !known.has(entry.id));
      setWhole(!fresh.length);
      setEntries([...(entries ?? []), ...fresh]);
    });

  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  const shown = entries ? withEdits(entries, edits.value, isWhole) : [];
  useStill(list, shown.map(keyOf), version ?? 0, setAbove);

  if (!entries) return <p class="empty">Reading the journal …</p>;
  if (!entries.length) return <p class="empty">Nothing has happened yet.</p>;
  return (
    <div class="timeline">
      <div class="panel-verbs">
        <Button
          label="Moments of this file"
          command="moments"
          disabled={!hasMoments()}
          onClick={openMoments}
        />
        {above > 0 && (
          <Button label={`${above} new`} icon="previous" onClick={() => list.current?.scrollTo({ top: 0 })} />
        )}
      </div>
      <div class="timeline-list" ref={list} onScroll={() => list.current?.scrollTop || setAbove(0)}>
        <ol>
          {shown.map(entry =>
            "kind" in entry ? (
              <TimelineEntry key={keyOf(entry)} entry={entry} places={places} />
            ) : (
              <EditEntry key={keyOf(entry)} edit={entry} />
            ),
          )}
        </ol>
        {!isWhole && <Button label="Show older" onClick={() => void more()} />}
      </div>
      {/* Below the list: it comes later, and moves nothing there. */}
      <Tally />
    </div>
  );
}

function keyOf(entry: LogEntry | OutsideEntry): string {
  return `${"kind" in entry ? entry.kind : "edit"} ${entry.id}`;
}

/** What others did comes above what is on the screen, which stays where it is; what the person did is shown. */
function useStill(
  list: RefObject<HTMLDivElement | null>,
  keys: readonly string[],
  version: number,
  tell: (above: number) => void,
): void {
  const known = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const items = [...box.querySelectorAll<HTMLElement>("li.entry")];
    const tops = new Map(keys.map((key, at) => [key, items[at]?.offsetTop ?? 0]));
    const before = known.current;
    known.current = tops;
    const read = keys.find(key => (before.get(key) ?? -1) >= box.scrollTop);
    const come = read === undefined ? 0 : (tops.get(read) ?? 0) - (before.get(read) ?? 0);
    if (come <= 0 || (!box.scrollTop && isExpected(version))) return;
    const top = box.scrollTop + come;
    // There must be room to scroll down to it.
    const last = box.lastElementChild as HTMLElement;
    const room = top + box.clientHeight - last.offsetTop - last.offsetHeight;
    box.style.paddingBottom = `${Math.max(0, room)}px`;
    box.scrollTop = top;
    tell(keys.filter(key => !before.has(key) && (tops.get(key) ?? 0) < top).length);
  });
}

/** What people did, as far as they want to see it. */
const edits = computed(() => {
  const hidden = hiddenGroups.value;
  const all = overview.value?.outside ?? [];
  return all.filter(
    edit => !hidden.has(edit.id) && !hidden.has(edit.actor.kind === "person" ? OWN : OUTSIDE),
  );
});

type Places = TimelineDocument["places"];

async function load(
  before: string | undefined,
  take: (entries: LogEntry[], places: Places) => void,
): Promise<void> {
  try {
    const { entries, places } = await server.timeline(before);
    take(entries, places);
  } catch (error) {
    fail(error);
  }
}

/** The newest entries, with older ones that were asked for before. */
function joined(found: LogEntry[], known: LogEntry[]): LogEntry[] {
  const ids = new Set(found.map(entry => entry.id));
  const last = known.findIndex(entry => entry.id === found.at(-1)?.id);
  return [...found, ...(last < 0 ? [] : known.slice(last + 1).filter(entry => !ids.has(entry.id)))];
}

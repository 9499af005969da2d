/** What happened, newest first: turns, calls, decisions. Any decision can be taken back from here. */

import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { Tally } from "../chat/Tally";
import { OUTSIDE, OWN, withEdits } from "../rules/groups";
import { hiddenGroups } from "../state/hiding";
import { page } from "../state/place";
import { overview } from "../state/project";
import * as server from "../wire/client";
import type { LogEntry, TimelineDocument } from "../wire/contract";
import { Button } from "./Button";
import { openMoments } from "./MomentsSheet";
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

  if (!entries) return <p class="empty">Reading the journal …</p>;
  if (!entries.length) return <p class="empty">Nothing has happened yet.</p>;
  return (
    <div class="timeline">
      <Tally />
      <div class="panel-verbs">
        <Button
          label="Moments of this file"
          command="moments"
          disabled={!page.value?.hunks.length}
          onClick={openMoments}
        />
      </div>
      <ol>
        {withEdits(entries, edits.value, isWhole).map(entry =>
          "kind" in entry ? (
            <TimelineEntry key={`${entry.kind} ${entry.id}`} entry={entry} places={places} />
          ) : (
            <EditEntry key={`edit ${entry.id}`} edit={entry} />
          ),
        )}
      </ol>
      {!isWhole && <Button label="Show older" onClick={() => void more()} />}
    </div>
  );
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

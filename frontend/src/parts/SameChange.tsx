/** The same change in many places: some examples, and one decision about all that are not left out by hand. */

import { useEffect, useState } from "preact/hooks";
import { carryOut } from "../acts/deciding";
import { goTo } from "../acts/moving";
import { fail } from "../acts/refreshing";
import { counted } from "../rules/counting";
import { closeDialog, openDialog } from "../state/dialogs";
import { isHidden } from "../state/hiding";
import { hunks, leadOf } from "../state/project";
import * as server from "../wire/client";
import type { HunkEntry, Verdict, WhyDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { HunkLines } from "./HunkLines";
import { Shown } from "./Shown";
import { VirtualList } from "./VirtualList";

/** From here on it is worth a word. */
const FEWEST = 3;
const EXAMPLES = 3;
const PLACE_HEIGHT = 28;

function likes(hunk: HunkEntry): HunkEntry[] {
  return hunk.same ? hunks.value.filter(one => one.same === hunk.same && !isHidden(one)) : [];
}

/** The way to it, where one of them stands. */
export function SameElsewhere({ hunk }: { hunk: HunkEntry }) {
  // Steps of one place are no other places.
  const count = new Set(likes(hunk).map(one => leadOf(one.id))).size;
  if (count < FEWEST) return null;
  return (
    <button
      type="button"
      class="link remark"
      onClick={() => openDialog({ kind: "sheet", draw: () => <SameChange hunk={hunk} /> })}
    >
      same in {counted(count, "place")}
    </button>
  );
}

function SameChange({ hunk }: { hunk: HunkEntry }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const all = likes(hunk);
  const [words, setWords] = useState("");
  const listed = all.filter(one => placeName(one).toLowerCase().includes(words.toLowerCase()));
  const meant = all.filter(one => !left.has(one.id));
  const count = counted(meant.length, "change");
  const toggle = (id: string) => {
    const now = new Set(left);
    if (!now.delete(id)) now.add(id);
    setLeft(now);
  };
  const decide = (verdict: Verdict) => {
    closeDialog();
    const files = counted(new Set(meant.map(one => one.path)).size, "file");
    void carryOut({
      verdict,
      selectors: meant.map(one => one.id),
      about: `the same change in ${counted(meant.length, "place")} in ${files}`,
      hunks: meant,
    });
  };
  return (
    <Dialog title={`The same change in ${counted(all.length, "place")}`} class="wide same-change">
      <Examples of={all.slice(0, EXAMPLES)} />
      <input
        type="search"
        class="filter"
        placeholder="Filter places"
        aria-label="Filter places"
        value={words}
        onInput={event => setWords(event.currentTarget.value)}
      />
      <VirtualList
        rows={listed}
        rowHeight={PLACE_HEIGHT}
        keyOf={one => one.id}
        role="list"
        label="Places"
        arranged={words}
        draw={one => (
          <div key={one.id} class="same-place" role="listitem">
            <label class="check">
              <input type="checkbox" checked={!left.has(one.id)} onChange={() => toggle(one.id)} />
              <Shown text={placeName(one)} />
            </label>
            <Button
              label="Show"
              onClick={() => {
                closeDialog();
                void goTo(one);
              }}
            />
          </div>
        )}
      />
      <div class="sheet-verbs">
        <Button label="Cancel" onClick={closeDialog} />
        <Button
          label={`Reject ${count}`}
          tone="reject"
          disabled={!meant.length}
          onClick={() => decide("reject")}
        />
        <Button
          label={`Accept ${count}`}
          tone="accept"
          disabled={!meant.length}
          onClick={() => decide("accept")}
        />
      </div>
    </Dialog>
  );
}

function placeName({ path, new_start: line }: HunkEntry): string {
  return `${path}:${line}`;
}

function Examples({ of }: { of: readonly HunkEntry[] }) {
  const [found, setFound] = useState<WhyDocument[]>([]);
  useEffect(() => {
    Promise.all(of.map(one => server.hunk(one.id))).then(setFound, fail);
  }, []);
  return (
    <>
      {found.map(why => (
        <div key={why.id} class="same-example">
          <Shown text={`${why.path}:${why.new_start}`} class="said" />
          <HunkLines hunk={{ ...why, above: [], below: [] }} />
        </div>
      ))}
    </>
  );
}

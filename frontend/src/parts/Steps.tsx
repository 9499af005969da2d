/** The changes that one place is made of, oldest first, each with what it did if that is known by itself. */

import { useEffect, useState } from "preact/hooks";
import { colourClass } from "../rules/colours";
import { concernsWholeFile } from "../rules/regions";
import { swaps } from "../rules/sequences";
import { proof } from "../state/proof";
import * as server from "../wire/client";
import type { FileHunkDocument, MomentDocument } from "../wire/contract";
import { DecisionQuestion } from "./DecisionQuestion";
import { DiffLines } from "./DiffLines";
import { HunkOrigin } from "./HunkOrigin";
import { HunkVerbs } from "./HunkVerbs";

export function Steps({ hunks }: { hunks: FileHunkDocument[] }) {
  const path = hunks[0]?.path ?? "";
  const [moments, setMoments] = useState<MomentDocument[]>([]);
  useEffect(() => {
    // Without them the steps have their names only.
    server.moments(path).then(
      found => setMoments(found.moments),
      () => undefined,
    );
  }, [path]);
  const ordered = hunks.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return (
    <ol class="steps-list" aria-label="Steps">
      {ordered.map(hunk => (
        <li key={hunk.id} class={`step-row ${colourClass(hunk.turn)}`} data-hunk={hunk.id}>
          <div class="step-head">
            <span class="swatch" />
            <HunkOrigin hunk={hunk} />
            <HunkVerbs hunk={hunk} />
          </div>
          {!concernsWholeFile(hunk) && <DecisionQuestion hunk={hunk.id} />}
          <StepText key={moments.length} hunk={hunk} moments={moments} />
        </li>
      ))}
    </ol>
  );
}

/** What a call did to the file, if it did nothing else to it than this step. */
function StepText({ hunk, moments }: { hunk: FileHunkDocument; moments: readonly MomentDocument[] }) {
  const [texts, setTexts] = useState<[string, string] | null>(null);
  // The newest comes first.
  const at = moments.findIndex(moment => moment.hunks.includes(hunk.id));
  const [after, before] = [moments[at], moments[at + 1]];
  useEffect(() => {
    if (!after || !before || after.hunks.length > 1) return;
    Promise.all([server.moment(hunk.path, before.id), server.moment(hunk.path, after.id)]).then(
      ([old, now]) => setTexts([old.text, now.text]),
      () => undefined,
    );
  }, []);
  useEffect(() => proof.peek()?.measure(), [texts]);
  if (!texts) return null;
  const [old, now] = texts.map(text => text.split(/(?<=\n)/)) as [string[], string[]];
  return (
    <>
      {swaps(old, now).map(({ oldFrom, oldTo, newFrom, newTo }) => (
        <DiffLines
          old={old.slice(oldFrom, oldTo).join("")}
          now={now.slice(newFrom, newTo).join("")}
          oldStart={oldFrom + 1}
          newStart={newFrom + 1}
          path={hunk.path}
        />
      ))}
    </>
  );
}

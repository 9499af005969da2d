/** The moments of the open file: compare any two, and go back to one. */

import { useEffect, useState } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { goBackTo } from "../acts/wishing";
import { counted } from "../rules/counting";
import { swaps } from "../rules/sequences";
import { exactTime, fullTime } from "../rules/times";
import { closeDialog, openDialog } from "../state/dialogs";
import { say } from "../state/messages";
import { page } from "../state/place";
import { turns } from "../state/project";
import * as server from "../wire/client";
import type { MomentDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { DiffLines } from "./DiffLines";
import { Shown } from "./Shown";

/** Whether the open file is a text that somebody changed. */
export function hasMoments(): boolean {
  return page.value?.kind === "text" && page.value.live !== null && page.value.hunks.length > 0;
}

export function openMoments(): void {
  const shown = page.peek();
  if (!shown || !hasMoments()) say("This file has no moments to go back to.");
  else openDialog({ kind: "sheet", draw: () => <MomentsSheet path={shown.path} /> });
}

function MomentsSheet({ path }: { path: string }) {
  const [moments, setMoments] = useState<MomentDocument[] | null>(null);
  const [chosen, choose] = useState({ from: "", to: "" });
  useEffect(() => {
    server.moments(path).then(({ moments: found }) => {
      setMoments(found);
      choose({ from: found.at(-1)?.id ?? "", to: found[0]?.id ?? "" });
    }, fail);
  }, [path]);
  return (
    <Dialog title={`Moments of ${path}`} class="wide">
      {moments ? (
        <>
          <table class="moments">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Moment</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {moments.map((moment, at) => (
                <tr key={moment.id}>
                  {(["from", "to"] as const).map(end => (
                    <td>
                      <input
                        type="radio"
                        name={end}
                        aria-label={`${end === "from" ? "From" : "To"} ${nameOf(moment)}`}
                        checked={chosen[end] === moment.id}
                        onChange={() => choose({ ...chosen, [end]: moment.id })}
                      />
                    </td>
                  ))}
                  <td>
                    {moments[at + 1] ? (
                      <button
                        type="button"
                        class="link"
                        title="Show what this changed"
                        onClick={() => choose({ from: moments[at + 1]!.id, to: moment.id })}
                      >
                        <Shown text={nameOf(moment)} />
                      </button>
                    ) : (
                      <Shown text={nameOf(moment)} />
                    )}{" "}
                    {moment.at && <time title={fullTime(moment.at)}>{exactTime(moment.at)}</time>}
                  </td>
                  <td>
                    {at > 0 && (
                      <Button
                        label="Go back"
                        needs="write"
                        onClick={() => void goBackTo(path, toldOf(moment), moments.slice(0, at))}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Comparison path={path} from={chosen.from} to={chosen.to} />
        </>
      ) : (
        <p>Looking …</p>
      )}
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function nameOf({ actor, at, call }: MomentDocument): string {
  if (!at) return "Before anybody changed it";
  if (actor?.kind === "person") return "You typed";
  const found = turns.peek().flatMap(turn => turn.calls.map(one => ({ turn, one })));
  const by = found.find(({ one }) => one.id === call);
  if (by) return `${by.one.tool}, turn ${by.turn.id.slice(1)}`;
  return call ? `Call ${call.slice(1)}` : "Outside: an editor or program";
}

/** The same, told from others of that name. */
function toldOf(moment: MomentDocument): string {
  return moment.at ? `${nameOf(moment)}, ${exactTime(moment.at)}` : nameOf(moment);
}

interface Ends {
  path: string;
  from: string;
  to: string;
}

/** Of two moments. The comparison before it stays until it is there, so that nothing jumps. */
function Comparison({ path, from, to }: Ends) {
  const [shown, show] = useState<{ ends: string; texts: [string, string] } | null>(null);
  useEffect(() => {
    if (!from || !to) return;
    let isWanted = true;
    Promise.all([server.moment(path, from), server.moment(path, to)]).then(
      ([old, now]) => isWanted && show({ ends: `${from} ${to}`, texts: [old.text, now.text] }),
      fail,
    );
    return () => {
      isWanted = false;
    };
  }, [path, from, to]);
  if (!shown) return null;
  const [old, now] = shown.texts.map(text => text.split(/(?<=\n)/)) as [string[], string[]];
  const found = swaps(old, now);
  return (
    <section key={shown.ends} class="comparison" aria-label="Difference">
      <p class="hint" role="status">
        {found.length ? counted(found.length, "difference") : "No difference"}
      </p>
      {found.map(({ oldFrom, oldTo, newFrom, newTo }) => (
        <DiffLines
          old={old.slice(oldFrom, oldTo).join("")}
          now={now.slice(newFrom, newTo).join("")}
          oldStart={oldFrom + 1}
          newStart={newFrom + 1}
        />
      ))}
    </section>
  );
}

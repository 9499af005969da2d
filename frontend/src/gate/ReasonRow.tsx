/** Why the gate is closed, what to do, and the way to it. */

import { goToHunk, openAtFirst } from "../acts/moving";
import { Button } from "../parts/Button";
import { Shown } from "../parts/Shown";
import { closeDialog, openDialog } from "../state/dialogs";
import { tab } from "../state/place";
import { overview } from "../state/project";
import { groupsShown, isNarrow } from "../state/settings";
import { isWaiting } from "../rules/waiting";
import type { ReasonDocument } from "../wire/contract";

import { Lamp } from "./Lamp";

const MOST_FILES = 5;

const VERBS: Record<string, { label: string; act: () => void }> = {
  undecided: { label: "Go to the first", act: first },
  "must-fix": { label: "Show notes", act: showNotes },
};

export function ReasonRow({ reason }: { reason: ReasonDocument }) {
  const verb = VERBS[reason.code];
  return (
    <li class="reason">
      <Lamp state={isWaiting(reason) ? "waiting" : "failed"} />
      <div>
        <Shown text={reason.message} />
        {!verb && (
          <div class="hint">
            <Shown text={reason.hint} />
          </div>
        )}
        {reason.code === "stale-review" && <Files paths={reason.about ?? []} />}
      </div>
      {verb && <Button label={verb.label} onClick={verb.act} />}
    </li>
  );
}

function Files({ paths }: { paths: string[] }) {
  const known = new Set(overview.value?.files.map(file => file.path));
  return (
    <div class="paths">
      {paths.slice(0, MOST_FILES).map(path =>
        known.has(path) ? (
          <button key={path} type="button" class="link" onClick={() => open(path)}>
            <Shown text={path} />
          </button>
        ) : (
          <span key={path}>
            <Shown text={path} />
          </span>
        ),
      )}
      {paths.length > MOST_FILES && <span>and {paths.length - MOST_FILES} more</span>}
    </div>
  );
}

function open(path: string): void {
  closeDialog();
  void openAtFirst(path);
}

function first(): void {
  closeDialog();
  void goToHunk(1);
}

function showNotes(): void {
  closeDialog();
  tab.value = "notes";
  if (isNarrow.peek()) openDialog({ kind: "drawer" });
  else groupsShown.value = true;
}

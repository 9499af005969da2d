/** The line above the text: which file, how far it is decided, and from which side it is looked at. */

import { decideFile } from "../acts/wishing";
import { toggleViewed } from "../acts/moving";
import { noteOnFile } from "../acts/noting";
import { startTyping, stopTyping } from "../acts/typing";
import { visible } from "../rules/visible";
import { isNarrow, isSplit, layout } from "../state/settings";
import { type Side, newerPage, openedInNarrow, side } from "../state/place";
import { entries, hunks } from "../state/project";
import { isTyping, proof } from "../state/proof";
import { isViewed } from "../state/viewed";
import type { FilePage } from "../wire/client";
import type { FileEntry } from "../wire/contract";
import { Button } from "./Button";
import { NewsPill } from "./NewsPill";
import { Shown } from "./Shown";

const SIDES: Record<Side, string> = { original: "Original", diff: "Diff", final: "Final" };

export function FileHeader({ page }: { page: FilePage }) {
  const entry = entries.value.get(page.path);
  return (
    <header class="file-header">
      {isNarrow.value && (
        <Button label="Back to all changes" icon="left" bare onClick={() => (openedInNarrow.value = false)} />
      )}
      <h1 title={visible(page.path)}>
        <Path path={page.path} />
      </h1>
      {newerPage.value ? (
        <NewsPill newer={newerPage.value} />
      ) : (
        entry && <Progress page={page} entry={entry} />
      )}
      <span class="spring" />
      <Controls path={page.path} entry={entry} />
    </header>
  );
}

function Controls({ path, entry }: { path: string; entry: FileEntry | undefined }) {
  return (
    <span class="file-controls">
      {entry && entry.pending > 0 && <FileVerbs path={path} count={entry.pending} />}
      {proof.value && (
        <Button
          label={isTyping.value ? "Back to reviewing" : "Type here"}
          icon="type"
          bare
          command="edit"
          pressed={isTyping.value}
          onClick={() => (isTyping.value ? stopTyping() : startTyping())}
        />
      )}
      {!isNarrow.value && (
        <Button label="Note on the file" icon="note" bare command="note-file" onClick={noteOnFile} />
      )}
      <div class="switch" role="group" aria-label="Which text">
        {Object.entries(SIDES).map(([name, label]) => (
          <button
            type="button"
            aria-pressed={side.value === name}
            onClick={() => (side.value = name as Side)}
          >
            {label}
          </button>
        ))}
      </div>
      {!isNarrow.value && (
        <div class="switch" role="group" aria-label="Arrangement">
          <button type="button" aria-pressed={!isSplit.value} onClick={() => (layout.value = "unified")}>
            Unified
          </button>
          <button type="button" aria-pressed={isSplit.value} onClick={() => (layout.value = "split")}>
            Split
          </button>
        </div>
      )}
    </span>
  );
}

function Progress({ page, entry }: { page: FilePage; entry: FileEntry }) {
  return (
    <>
      <span class="decided-count">
        {entry.decided} of {entry.pending + entry.decided} decided
      </span>
      <label class="check">
        <input
          type="checkbox"
          checked={isViewed(page.path, hunks.value)}
          onChange={() => toggleViewed(page.path)}
        />
        viewed
      </label>
    </>
  );
}

function FileVerbs({ path, count }: { path: string; count: number }) {
  return (
    <>
      <Button
        label={`Accept all ${count} in this file`}
        tone="accept"
        command="accept-file"
        onClick={() => void decideFile("accept", path)}
      >
        Accept file
      </Button>
      <Button
        label={`Reject all ${count} in this file`}
        tone="reject"
        command="reject-file"
        onClick={() => void decideFile("reject", path)}
      >
        Reject file
      </Button>
    </>
  );
}

function Path({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      {cut > 0 && <Shown text={path.slice(0, cut)} class="folder-name" />}
      <Shown text={path.slice(cut)} class="file-name" />
    </>
  );
}

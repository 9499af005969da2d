/** The line above the text: which file, how far it is decided, and from which side it is looked at. */

import { decideFile } from "../acts/wishing";
import { toggleViewed } from "../acts/moving";
import { noteOnFile } from "../acts/noting";
import { startTyping, stopTyping } from "../acts/typing";
import { counted } from "../rules/counting";
import { visible } from "../rules/visible";
import { isNarrow, isSplit, layout } from "../state/settings";
import { type Side, newerPage, openedInNarrow, side } from "../state/place";
import { entries, hunks } from "../state/project";
import { isTyping, proof } from "../state/proof";
import { isViewed } from "../state/viewed";
import type { FilePage } from "../wire/client";
import type { FileEntry } from "../wire/contract";
import { Button } from "./Button";
import { LinesOf } from "./LineCounts";
import { find } from "../keys/focus";
import { Menu, type MenuItem } from "./Menu";
import { hasMoments, openMoments } from "./MomentsSheet";
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
      {side.value !== "diff" && <span class="side-shown">{SIDES[side.value]}</span>}
      <Menu label="File" class="bare" items={() => fileItems(path, entry?.pending ?? 0)} />
    </span>
  );
}

function fileItems(path: string, count: number): MenuItem[] {
  const verbs: MenuItem[] = [
    {
      label: `Accept file: ${counted(count, "change")}`,
      tone: "accept",
      command: "accept-file",
      disabled: !count,
      act: () => void decideFile("accept", path),
    },
    {
      label: `Reject file: ${counted(count, "change")}`,
      tone: "reject",
      command: "reject-file",
      disabled: !count,
      act: () => void decideFile("reject", path),
    },
    { label: "Note on the file", command: "note-file", act: noteOnFile },
    { label: "Moments of the file", command: "moments", disabled: !hasMoments(), act: openMoments },
    { label: "Search in the file", command: "search", disabled: !proof.value, act: find },
  ];
  const sides = (Object.keys(SIDES) as Side[]).map(name => ({
    label: SIDES[name],
    checked: side.value === name,
    act: () => void (side.value = name),
  }));
  if (isNarrow.value) return [...verbs, ...sides];
  return [
    ...verbs,
    ...sides,
    { label: "Unified", checked: !isSplit.value, act: () => void (layout.value = "unified") },
    { label: "Split", checked: isSplit.value, act: () => void (layout.value = "split") },
  ];
}

function Progress({ page, entry }: { page: FilePage; entry: FileEntry }) {
  return (
    <>
      <LinesOf id={page.path} />
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

function Path({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      {cut > 0 && <Shown text={path.slice(0, cut)} class="folder-name" />}
      <Shown text={path.slice(cut)} class="file-name" />
    </>
  );
}

/** One cell: what it is, what is pending in it, and what running it left. */

import { useEffect, useState } from "preact/hooks";
import { carryOut } from "../acts/deciding";
import { Button } from "../parts/Button";
import { DecidedRow } from "../parts/DecidedRow";
import { HunkBar } from "../parts/HunkBar";
import { Shown } from "../parts/Shown";
import { counted } from "../rules/counting";
import type { Wish } from "../state/dialogs";
import { currentHunk, decidedHere } from "../state/place";
import type { FilePage } from "../wire/client";
import type { CellDocument, FileHunkDocument, Verdict } from "../wire/contract";
import { CellText } from "./CellText";
import { HunkCard, HunkLines } from "./HunkCard";
import { Lines } from "./Lines";
import { Markdown } from "../markdown/Markdown";
import { Outputs } from "./Outputs";
import { draftOf, dropDraft, keepDraft, saveDraft, typingIn } from "./drafts";

interface Props {
  page: FilePage;
  cell: CellDocument;
}

const WORDS = { same: "", edited: "edited", added: "added", deleted: "deleted", moved: "moved" };

export function Cell({ page, cell }: Props) {
  const [isTyping, setTyping] = useState(
    () => cell.live !== null && draftOf(page.path, cellName(cell)) !== null,
  );
  const hunks = page.hunks.filter(hunk => cell.hunks.includes(hunk.id));
  const isCurrent = cell.hunks.includes(currentHunk.value ?? "");
  // Once open it stays so: what moves under the pointer is not what was meant.
  const [wasCurrent, setCurrent] = useState(isCurrent);
  if (isCurrent && !wasCurrent) setCurrent(true);
  const place = cell.index ? `Cell ${cell.index}` : cell.state === "deleted" ? "Deleted cell" : "New cell";
  return (
    <section
      class={`cell ${cell.state} ${isCurrent ? "current" : ""}`}
      aria-label={`${place}, ${cell.type}${WORDS[cell.state] && `, ${WORDS[cell.state]}`}`}
      aria-current={isCurrent}
      data-cell={cell.id || cell.index}
    >
      <header class="cell-header">
        <span class="cell-name">{place}</span>
        <span class="cell-type">{cell.type}</span>
        {cell.id && <Shown text={cell.id} class="cell-id" />}
        {WORDS[cell.state] && <span class="cell-state">{WORDS[cell.state]}</span>}
        {hunks.some(hunk => hunk.held) && <span class="cell-state">proposed</span>}
        <span class="spring" />
        {hunks.length > 1 && <Verbs path={page.path} cell={cell} hunks={hunks} place={place} />}
        {cell.live !== null && cell.state !== "deleted" && !isTyping && (
          <Button label="Edit" onClick={() => setTyping(true)} />
        )}
      </header>
      {decidedIn(page, cell).map(hunk => (
        <DecidedRow key={hunk.id} hunks={[hunk]} />
      ))}
      {hunks.length === 1 && hunks.map(hunk => <HunkBar key={hunk.id} hunk={hunk} />)}
      {isTyping ? (
        <Typing page={page} cell={cell} onEnd={() => setTyping(false)} />
      ) : (
        <Source cell={cell} path={page.path} />
      )}
      {hunks.length === 1 && isAspect(hunks[0]) && <HunkLines hunk={hunks[0]} />}
      {hunks.length > 1 && (
        <details class="cell-hunks" open={wasCurrent}>
          <summary>{counted(hunks.length, "change")} in this cell</summary>
          {hunks.map(hunk => (
            <HunkCard key={hunk.id} hunk={hunk} />
          ))}
        </details>
      )}
      {cell.index > 0 && (
        <Outputs path={page.path} cell={cell.index} size={cell.outputs} version={page.version} />
      )}
    </section>
  );
}

/** What was decided about a cell just now. */
export function decidedIn(page: FilePage, { id, index }: CellDocument): FileHunkDocument[] {
  return page.hunks.filter(({ id: hunk, status, cell }) => {
    if (status === "pending" || !decidedHere.value.has(hunk) || !cell) return false;
    return cell.id ? cell.id === id : cell.index === index;
  });
}

/** Whether a change is not about the source, which is shown anyway. */
function isAspect(hunk: FileHunkDocument | undefined): hunk is FileHunkDocument {
  return ["type", "id", "metadata", "attachments"].includes(hunk?.cell?.change ?? "");
}

function Verbs({
  path,
  cell,
  hunks,
  place,
}: {
  path: string;
  cell: CellDocument;
  hunks: FileHunkDocument[];
  place: string;
}) {
  const wish = (verdict: Verdict): Wish => ({
    verdict,
    selectors: cell.hunks,
    about: `${place.toLowerCase()} of ${path}`,
    hunks,
  });
  return (
    <span class="bar-actions">
      <Button label="Accept cell" icon="accept" tone="accept" onClick={() => void carryOut(wish("accept"))} />
      <Button label="Reject cell" icon="reject" tone="reject" onClick={() => void carryOut(wish("reject"))} />
    </span>
  );
}

function Source({ cell, path }: { cell: CellDocument; path: string }) {
  const name = nameOf(cell, path);
  if (cell.state === "edited" || (cell.state === "moved" && cell.old !== cell.new))
    return <CellText name={name} label="Source" text={cell.new ?? ""} original={cell.old} />;
  const text = (cell.state === "deleted" ? cell.old : cell.new) ?? "";
  if (cell.type === "markdown") return <Markdown source={text} />;
  if (cell.state === "added") return <CellText name={name} label="New source" text={text} original={null} />;
  return (
    <pre class="cell-source" tabIndex={0}>
      <Lines text={text} />
    </pre>
  );
}

/** A file name whose language is that of the cell. */
function nameOf(cell: CellDocument, path: string): string {
  return cell.type === "markdown" ? `${path}.md` : cell.type === "code" ? `${path}.py` : `${path}.txt`;
}

function Typing({ page, cell, onEnd }: Props & { onEnd: () => void }) {
  const name = cellName(cell);
  const [{ base, text: first }] = useState(
    () => draftOf(page.path, name) ?? { base: cell.live ?? "", text: cell.live ?? "" },
  );
  const [text, setText] = useState(first);
  const [problem, setProblem] = useState("");
  useEffect(() => typingIn(page.path, name), []);
  const draft = { path: page.path, cell: name, base, text };
  const save = async () => {
    const found = await saveDraft(draft);
    setProblem(found);
    if (!found) onEnd();
  };
  return (
    <div class="cell-typing">
      <CellText
        name={nameOf(cell, page.path)}
        label="Edit source"
        text={first}
        original={cell.state === "edited" ? cell.old : null}
        onType={typed => {
          setText(typed);
          keepDraft({ ...draft, text: typed });
        }}
      />
      <div class="cell-verbs">
        <Button
          label="Save"
          tone="main"
          disabled={page.held === true || text === base}
          onClick={() => void save()}
        />
        <Button
          label="Cancel"
          onClick={() => {
            dropDraft(page.path, name);
            onEnd();
          }}
        />
        {page.held && <span class="guarded">Decide the proposals first: then this can be saved.</span>}
        {problem && <span class="guarded">{problem}</span>}
      </div>
    </div>
  );
}

/** As the server names it. */
function cellName(cell: CellDocument): string {
  return cell.id || String(cell.index);
}

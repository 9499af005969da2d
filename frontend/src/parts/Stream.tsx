/** All undecided changes as cards, one below the other: for narrow screens, and for reading without an editor. */

import { useEffect, useRef, useState } from "preact/hooks";
import { decideFile } from "../acts/wishing";
import { open } from "../acts/opening";
import { toggleFolded } from "../acts/moving";
import { counted } from "../rules/counting";
import { visible } from "../rules/visible";
import { currentHunk, foldedFiles, setStream } from "../state/place";
import { filter, filterWords, isFoldedAtFirst, overview, queue } from "../state/project";
import type { HunkEntry } from "../wire/contract";
import { AllReviewed } from "./AllReviewed";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { Shown } from "./Shown";
import { StreamCard } from "./StreamCard";

/** How many files are drawn at first, and how many more when the end of those comes near. */
const SOME_FILES = 40;

export function Stream() {
  const isFolded = (path: string) => foldedFiles.value.has(path) !== isFoldedAtFirst(path);
  const [most, setMost] = useState(SOME_FILES);
  const groups = byPath(queue.value);
  const current = groups.findIndex(([, hunks]) => hunks.some(hunk => hunk.id === currentHunk.value));
  const drawn = groups.slice(0, Math.max(most, current + SOME_FILES));
  return (
    <main class="stream" aria-label="Changes" tabIndex={-1} data-home data-rail="editor">
      {groups.length > 0 && <h1 class="unshown">Undecided changes</h1>}
      {drawn.map(([path, hunks]) => (
        <section key={path} class="stream-file" aria-label={path}>
          <header>
            <h2>
              <button type="button" class="link" onClick={() => void openInEditor(path)}>
                <Shown text={path} />
              </button>
            </h2>
            <button
              type="button"
              class="twist"
              aria-expanded={!isFolded(path)}
              aria-label={`Changes in ${visible(path)}`}
              onClick={() => toggleFolded(path)}
            >
              <Icon name={isFolded(path) ? "right" : "down"} />
            </button>
            <span class="count">{hunks.length}</span>
            {hunks.length > 1 && (
              <Button
                label={`Accept ${counted(hunks.length, "change")} in file`}
                icon="accept"
                bare
                tone="accept"
                onClick={() => void decideFile("accept", path)}
              />
            )}
          </header>
          {!isFolded(path) && hunks.map(hunk => <StreamCard key={hunk.id} hunk={hunk} />)}
        </section>
      ))}
      {drawn.length < groups.length && (
        <Further count={groups.length - drawn.length} show={() => setMost(drawn.length + SOME_FILES)} />
      )}
      {!groups.length && overview.value && <NothingLeft />}
    </main>
  );
}

/** The end of what is drawn. When it comes near the screen, there is more. */
function Further({ count, show }: { count: number; show: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(seen => seen.some(one => one.isIntersecting) && show(), {
      rootMargin: "800px",
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  });
  return (
    <div class="further" ref={box}>
      <Button label={`Show ${counted(count, "more file")}`} onClick={show} />
    </div>
  );
}

function NothingLeft() {
  if (!overview.value?.counts.hunks) return <AllReviewed />;
  return (
    <div class="empty">
      <h1>No undecided change matches</h1>
      <Button label="Show all files" onClick={showAllFiles} />
    </div>
  );
}

function showAllFiles(): void {
  filter.value = "all";
  filterWords.value = "";
}

async function openInEditor(path: string): Promise<void> {
  setStream(false);
  await open(path);
}

function byPath(hunks: readonly HunkEntry[]): [string, HunkEntry[]][] {
  const found = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    const known = found.get(hunk.path);
    if (known) known.push(hunk);
    else found.set(hunk.path, [hunk]);
  }
  return [...found];
}

/** All undecided changes as cards, one below the other: for narrow screens, and for reading without an editor. */

import { decideFile } from "../acts/wishing";
import { open } from "../acts/opening";
import { counted } from "../rules/counting";
import { setStream } from "../state/place";
import { overview, queue } from "../state/project";
import type { HunkEntry } from "../wire/documents";
import { Button } from "./Button";
import { Shown } from "./Shown";
import { StreamCard } from "./StreamCard";

export function Stream() {
  const groups = byPath(queue.value);
  return (
    <main class="stream" aria-label="Changes" tabIndex={-1} data-home data-rail="editor">
      <h1 class="unshown">Undecided changes</h1>
      {groups.map(([path, hunks]) => (
        <section key={path} class="stream-file" aria-label={path}>
          <header>
            <h2>
              <button type="button" class="link" onClick={() => void openInEditor(path)}>
                <Shown text={path} />
              </button>
            </h2>
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
          {hunks.map(hunk => (
            <StreamCard key={hunk.id} hunk={hunk} />
          ))}
        </section>
      ))}
      {!groups.length && overview.value && (
        <div class="empty">
          <h2>{overview.value.files.length ? "All reviewed" : "Nothing to review yet"}</h2>
          <p>{overview.value.gate.open ? "The gate is open." : "The gate says what is still missing."}</p>
        </div>
      )}
    </main>
  );
}

async function openInEditor(path: string): Promise<void> {
  await open(path);
  setStream(false);
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

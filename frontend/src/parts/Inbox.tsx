/** Every project in which something is undecided: what waits longest first, work trees side by side. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { lookIntoInbox } from "../acts/inboxing";
import { addressOfProject } from "../acts/starting";
import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { inbox } from "../state/inbox";
import { project } from "../state/project";
import type { WaitingProject } from "../wire/contract";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, n: 1, ArrowUp: -1, k: -1, p: -1 };

export function Inbox() {
  const list = useRef<HTMLUListElement>(null);
  const found = inbox.value ?? [];
  useEffect(() => void lookIntoInbox(), []);
  useLayoutEffect(() => list.current?.querySelector("a")?.focus(), [found.length > 0]);
  return (
    <Dialog title="Inbox" class="wide">
      {found.length ? (
        <ul class="inbox" ref={list} onKeyDown={move}>
          {together(found).map(several => (
            <li key={several[0]?.repository}>
              {several.map(one => (
                <Waiting key={one.id} one={one} />
              ))}
            </li>
          ))}
        </ul>
      ) : (
        <p>{inbox.value ? "Nothing is undecided in any project of this machine." : "Looking …"}</p>
      )}
    </Dialog>
  );
}

function Waiting({ one }: { one: WaitingProject }) {
  const isHere = one.id === project.value?.id;
  return (
    <a class="waiting-project" href={addressOfProject(one.id)} aria-current={isHere ? "page" : undefined}>
      <span class="waiting-name">
        <strong>
          <Shown text={one.name} />
        </strong>
        {one.branch && <Shown text={one.branch} class="branch" />}
      </span>
      {one.error ? (
        <Shown text={one.error} class="hint" />
      ) : (
        <span>
          {counted(one.counts.hunks, "change")} in {counted(one.counts.files, "file")} · since{" "}
          <time dateTime={one.since} title={fullTime(one.since)}>
            {shortTime(one.since)}
          </time>
        </span>
      )}
      <Shown text={one.root} class="hint" />
    </a>
  );
}

/** Neighbours of one repository. */
function together(found: readonly WaitingProject[]): WaitingProject[][] {
  const groups: WaitingProject[][] = [];
  for (const one of found) {
    const last = groups.at(-1);
    if (last?.[0]?.repository === one.repository) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function move(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex(link => link === document.activeElement);
  links.at((at + step) % links.length)?.focus();
}

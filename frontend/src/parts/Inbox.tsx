/** Every project in which something is undecided: the riskiest first, work trees side by side. */

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { lookIntoInbox } from "../acts/inboxing";
import { addressOfProject } from "../acts/starting";
import { leave } from "../hub/acts";
import { BrowsersSheet } from "../hub/BrowsersSheet";
import { person } from "../hub/state";
import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { openDialog } from "../state/dialogs";
import { inbox } from "../state/inbox";
import { project } from "../state/project";
import type { WaitingProject } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, n: 1, ArrowUp: -1, k: -1, p: -1 };

const RISKS = ["low", "medium", "high", "critical"];

/** At a hub others work, and look on: what is shown is asked for again as long as it is. */
const AGAIN = 15_000;

const words = signal("");
const least = signal("low");

export function Inbox() {
  const list = useRef<HTMLUListElement>(null);
  const order = useRef<string[]>([]);
  const all = steady(inbox.value ?? [], order.current);
  const found = all.filter(isWanted);
  useEffect(() => {
    void lookIntoInbox();
    if (person.peek() === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void lookIntoInbox();
    }, AGAIN);
    return () => clearInterval(timer);
  }, []);
  useLayoutEffect(() => list.current?.querySelector("a")?.focus(), [found.length > 0]);
  return (
    <Dialog title="Inbox" class="wide">
      {all.length > 1 && <Filter />}
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
        <p>{all.length ? "Nothing fits." : inbox.value ? nothing() : "Looking …"}</p>
      )}
      {person.value !== null && (
        <p class="signed-in">
          <span>
            Signed in as <Shown text={person.value} />
          </span>
          <a href="/report">What became of it</a>
          <Button
            label="Your browsers"
            onClick={() => openDialog({ kind: "sheet", draw: () => <BrowsersSheet /> })}
          />
          <Button label="Sign out" onClick={() => void leave()} />
        </p>
      )}
    </Dialog>
  );
}

function nothing(): string {
  return person.value === null
    ? "Nothing is undecided in any project of this machine."
    : "Nothing is undecided in any project that you may see.";
}

function Filter() {
  return (
    <div class="inbox-filter">
      <input
        type="search"
        aria-label="Only what has these words: project, machine, agent, person, folder"
        placeholder="Project, machine, agent, person, folder"
        value={words.value}
        onInput={event => (words.value = event.currentTarget.value)}
      />
      <select
        aria-label="Risk"
        value={least.value}
        onChange={event => (least.value = event.currentTarget.value)}
      >
        {RISKS.map(risk => (
          <option value={risk}>{risk === "low" ? "any risk" : `${risk} risk or more`}</option>
        ))}
      </select>
    </div>
  );
}

/** What is shown already stays where it is; what is new comes behind it. */
function steady(found: readonly WaitingProject[], order: string[]): WaitingProject[] {
  for (const { id } of found) if (!order.includes(id)) order.push(id);
  return [...found].sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

/** Every word stands somewhere in what is known of it. */
function isWanted(one: WaitingProject): boolean {
  if (RISKS.indexOf(one.risk) < RISKS.indexOf(least.value)) return false;
  const known = [one.name, one.root, one.branch ?? "", ...one.agents, ...one.folders, ...one.looking];
  const text = known.join("\n").toLowerCase();
  return words.value
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
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
          {counted(one.counts.hunks, "change")} in {counted(one.counts.files, "file")}
          {one.counts.turns > 1 && `, ${one.counts.turns} turns`} · since{" "}
          <time dateTime={one.since} title={fullTime(one.since)}>
            {shortTime(one.since)}
          </time>
          {one.risk !== "low" && <span class={`risk-${one.risk}`}> · {one.risk} risk</span>}
        </span>
      )}
      {one.agents.length > 0 && <Shown text={`by ${one.agents.join(", ")}`} class="hint" />}
      {one.looking.length > 0 && <Shown text={`${one.looking.join(", ")} looking`} class="looking" />}
      <span class="hint">
        <Shown text={one.root} />
        {one.heard && (
          <>
            , last heard from{" "}
            <time dateTime={one.heard} title={fullTime(one.heard)}>
              {shortTime(one.heard)}
            </time>
          </>
        )}
      </span>
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

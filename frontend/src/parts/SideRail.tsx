/** The right rail: groups, timeline, notes. */

import { type Tab, tab } from "../state/place";
import { notes } from "../state/project";
import { Groups } from "./Groups";
import { Notes } from "./Notes";
import { Timeline } from "./Timeline";

const TABS: Record<Tab, string> = { groups: "Groups", timeline: "Timeline", notes: "Notes" };

export function SideRail() {
  const open = notes.value.filter(note => note.state !== "resolved" && note.state !== "removed").length;
  return (
    <aside class="rail side-rail" aria-label="Groups, timeline and notes" data-rail="groups">
      <div class="tabs" role="tablist" aria-label="Beside the editor">
        {(Object.keys(TABS) as Tab[]).map(name => (
          <button
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab.value === name}
            aria-controls="side-panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
            onKeyDown={event => step(event, name)}
          >
            {TABS[name]}
            {name === "notes" && open > 0 && <span class="count">{open}</span>}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id="side-panel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "groups" && <Groups />}
        {tab.value === "timeline" && <Timeline />}
        {tab.value === "notes" && <Notes />}
      </div>
    </aside>
  );
}

function step(event: KeyboardEvent, name: Tab): void {
  const names = Object.keys(TABS) as Tab[];
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (move === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = names.at((names.indexOf(name) + move) % names.length) ?? name;
  tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

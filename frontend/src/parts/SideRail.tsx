/** The right rail: one panel at a time, chosen by its tab. */

import { isAllowed, needOf } from "../hub/allowed";
import { tab } from "../state/place";
import { isNarrow } from "../state/settings";
import { FilesRail } from "./FilesRail";
import { type Panel, panels } from "./panels";
import { RailEdge } from "./RailEdge";

const FILES: Panel = { name: "files", title: "Files", Part: FilesRail };

/** Where there is no left rail, its files are here. */
const offered = () =>
  (isNarrow.value ? [FILES, ...panels] : panels).filter(panel => isAllowed(needOf(panel.name)));

/** The one that is chosen, where it is offered. */
export function shownPanel(): Panel {
  return offered().find(panel => panel.name === tab.value) ?? panels[0]!;
}

export function SideRail() {
  const shown = shownPanel();
  return (
    <aside class="rail side-rail" aria-label="Beside the editor" data-rail="groups">
      <div class="tabs" role="tablist" aria-label="Beside the editor">
        {offered().map(({ name, title, count }) => (
          <button
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={shown.name === name}
            aria-controls="side-panel"
            tabIndex={shown.name === name ? 0 : -1}
            onClick={() => (tab.value = name)}
            onKeyDown={event => step(event, name)}
          >
            {title}
            <Count number={count?.() ?? 0} />
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id="side-panel" aria-labelledby={`tab-${shown.name}`}>
        <shown.Part />
      </div>
      {!isNarrow.value && <RailEdge of="groups" />}
    </aside>
  );
}

function Count({ number }: { number: number }) {
  return number > 0 ? <span class="count">{number}</span> : null;
}

function step(event: KeyboardEvent, name: string): void {
  const names = offered().map(panel => panel.name);
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (move === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = names.at((names.indexOf(name) + move) % names.length) ?? name;
  tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

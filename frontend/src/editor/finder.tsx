/** Search in the text: what is looked for, which of how many it is, and the way to the next. */

import {
  SearchQuery,
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  search,
  setSearchQuery,
} from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, type Panel, runScopeHandlers } from "@codemirror/view";
import { render } from "preact";

/** More are not counted: in a large file that would take too long. */
const MOST_COUNTED = 1000;

export const finder: Extension = search({ top: true, createPanel: panel });

function panel(view: EditorView): Panel {
  const dom = document.createElement("div");
  dom.className = "finder";
  const draw = () => render(<Finder view={view} />, dom);
  draw();
  return {
    dom,
    top: true,
    mount: () => dom.querySelector<HTMLInputElement>("input[type=search]")?.select(),
    update: update => {
      const told = update.transactions.some(one => one.effects.some(effect => effect.is(setSearchQuery)));
      if (told || update.docChanged || update.selectionSet) draw();
    },
    destroy: () => render(null, dom),
  };
}

function Finder({ view }: { view: EditorView }) {
  const query = getSearchQuery(view.state);
  const { at, count } = counts(view, query);
  const look = (search: string, caseSensitive: boolean) =>
    view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search, caseSensitive, literal: true })) });
  return (
    <form
      role="search"
      onSubmit={event => event.preventDefault()}
      onKeyDown={event => {
        // What is typed here is no command; Enter and Escape are those of the search.
        event.stopPropagation();
        if (event.key === "Enter") (event.shiftKey ? findPrevious : findNext)(view);
        else if (!runScopeHandlers(view, event, "search-panel")) return;
        event.preventDefault();
      }}
    >
      <input
        type="search"
        main-field="true"
        placeholder="Search in the file"
        aria-label="Search in the file"
        value={query.search}
        onInput={event => look(event.currentTarget.value, query.caseSensitive)}
      />
      <span class="found-count" role="status">
        {query.search && (count ? `${at ? `${at} of ` : ""}${told(count)}` : "Not found")}
      </span>
      <button
        type="button"
        class="button"
        title="Previous"
        disabled={!count}
        onClick={() => findPrevious(view)}
      >
        ↑<span class="unshown">Previous match</span>
      </button>
      <button type="button" class="button" title="Next" disabled={!count} onClick={() => findNext(view)}>
        ↓<span class="unshown">Next match</span>
      </button>
      <label class="check">
        <input
          type="checkbox"
          checked={query.caseSensitive}
          onChange={event => look(query.search, event.currentTarget.checked)}
        />
        match case
      </label>
      <span class="spring" />
      <button type="button" class="button bare" title="Close" onClick={() => closeSearchPanel(view)}>
        ✕<span class="unshown">Close search</span>
      </button>
    </form>
  );
}

function told(count: number): string {
  return count > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(count);
}

/** How many there are, and which of them is selected; from one, 0 if none is. */
function counts(view: EditorView, query: SearchQuery): { at: number; count: number } {
  if (!query.valid) return { at: 0, count: 0 };
  const { from, to } = view.state.selection.main;
  const found = query.getCursor(view.state);
  let at = 0;
  let count = 0;
  for (let next = found.next(); !next.done && count <= MOST_COUNTED; next = found.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  return { at, count };
}

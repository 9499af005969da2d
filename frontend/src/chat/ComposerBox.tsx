/** Where a person types to an agent. */

import { Button } from "../parts/Button";
import { Shown } from "../parts/Shown";
import { firstLine } from "../rules/visible";
import { addContext, removeContext, send, stop, typed } from "./acts";
import type { Thread } from "./state";

const MOST_SUGGESTED = 6;

export function ComposerBox({ id, known }: { id: string; known: Thread }) {
  const document = known.document.value!;
  const draft = known.draft.value;
  const word = /^\/(\S*)$/.exec(draft.text)?.[1];
  const offered =
    word === undefined
      ? []
      : document.commands.filter(one => one.name.startsWith(word)).slice(0, MOST_SUGGESTED);
  return (
    <form
      class="composer"
      aria-label={`Composer of ${document.title || "a new conversation"}`}
      onSubmit={event => {
        event.preventDefault();
        void send(id);
      }}
    >
      {draft.context.length > 0 && (
        <ul class="composer-context" aria-label="Goes along">
          {draft.context.map((place, at) => (
            <li key={at}>
              <Shown text={place.line ? `${place.path}:${place.line}` : place.path} />
              <Button label="Leave out" icon="reject" bare onClick={() => removeContext(id, at)} />
            </li>
          ))}
        </ul>
      )}
      {offered.length > 0 && (
        <ul class="suggestions" aria-label="Suggestions">
          {offered.map(one => (
            <li key={one.name}>
              <button
                type="button"
                class="link"
                title={one.description}
                onClick={() => typed(id, { ...draft, text: `/${one.name} ` })}
              >
                <Shown text={`/${one.name}`} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!document.running && !draft.text && document.suggestions.length > 0 && (
        <ul class="suggestions next" aria-label="What may come next">
          {document.suggestions.map(text => (
            <li key={text}>
              <button type="button" class="chip" title={text} onClick={() => typed(id, { ...draft, text })}>
                <Shown text={firstLine(text)} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        aria-label={`Message to ${document.label}`}
        placeholder={`Message to ${document.label}`}
        rows={3}
        value={draft.text}
        onInput={event => typed(id, { ...draft, text: event.currentTarget.value })}
        onKeyDown={event => {
          const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.isComposing;
          if (event.key !== "Enter" || !isPlain) return;
          event.preventDefault();
          void send(id);
        }}
      />
      <div class="composer-verbs">
        <Button label="Add lines" onClick={() => addContext(id)} />
        <span class="spring" />
        {document.running ? (
          <Button label="Stop" tone="reject" onClick={() => void stop(id)} />
        ) : (
          <button type="submit" class="button main" disabled={!draft.text.trim()}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}

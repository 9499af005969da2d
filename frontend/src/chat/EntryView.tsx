/** One entry of a conversation. Everything in it comes from an agent or a file: it is shown as text. */

import { useState } from "preact/hooks";
import { open } from "../acts/opening";
import { Button } from "../parts/Button";
import { Shown } from "../parts/Shown";
import { fullTime } from "../rules/times";
import { answer, hunksOfCall } from "./acts";
import { PatchView } from "./PatchView";
import type { EntryAbout, EntryDocument } from "../wire/contract";

const LONG = 600;

export function EntryView({ id, entry }: { id: string; entry: EntryDocument }) {
  switch (entry.kind) {
    case "user":
      return (
        <article class="chat-entry user" aria-label="You" title={fullTime(entry.at)}>
          <Paragraphs text={entry.text} />
          {entry.about.context?.map((place, at) => (
            <button
              type="button"
              class="link place-link"
              key={at}
              onClick={() => void open(place.path, place.line ? { line: place.line } : {})}
            >
              <Shown text={place.line ? `${place.path}:${place.line}` : place.path} />
            </button>
          ))}
        </article>
      );
    case "agent":
      return (
        <article class="chat-entry agent" aria-label="Agent" title={fullTime(entry.at)}>
          <Paragraphs text={entry.text} />
        </article>
      );
    case "thought":
      return (
        <details class="chat-entry thought">
          <summary>Thinking</summary>
          <Paragraphs text={entry.text} />
        </details>
      );
    case "tool":
      return <Tool about={entry.about} />;
    case "plan":
      return (
        <ol class="chat-entry plan" aria-label="Plan">
          {entry.about.steps?.map((step, at) => (
            <li key={at} class={step.status}>
              <Shown text={step.text} />
            </li>
          ))}
        </ol>
      );
    case "permission":
      return <Permission id={id} entry={entry} />;
    case "note":
      return (
        <p class={`chat-entry note ${entry.about.tone ?? ""}`} role="note">
          <Shown text={entry.text} />
        </p>
      );
  }
}

/** Text in paragraphs, with fences of code kept as they are. Nothing else is made of it. */
function Paragraphs({ text }: { text: string }) {
  const parts = text.split(/^```.*$/m);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 ? (
          <pre key={at}>
            <Lines text={part.replace(/^\n|\n$/g, "")} />
          </pre>
        ) : (
          part.trim() && (
            <p key={at}>
              <Lines text={part.trim()} />
            </p>
          )
        ),
      )}
    </>
  );
}

function Lines({ text }: { text: string }) {
  return (
    <>
      {text.split("\n").map((line, number) => (
        <>
          {number > 0 && "\n"}
          <Shown text={line} />
        </>
      ))}
    </>
  );
}

const SIGNS: Record<string, string> = { completed: "✓", failed: "✗", pending: "…", in_progress: "…" };

function Tool({ about }: { about: EntryAbout }) {
  const [isOpen, setOpen] = useState(false);
  const hunks = about.ledger ? hunksOfCall(about.ledger) : [];
  const output = about.output ?? "";
  return (
    <div class={`chat-entry tool ${about.status ?? ""}`}>
      <span class="tool-sign" aria-label={about.status}>
        {SIGNS[about.status ?? ""] ?? "·"}
      </span>
      <span class="tool-title">
        <Shown text={about.title || about.tool || "tool"} />
      </span>
      {hunks.map(hunk => (
        <button
          type="button"
          class="link place-link"
          key={hunk.id}
          onClick={() => void open(hunk.path, { hunk: hunk.id })}
        >
          <Shown text={`${hunk.path}:${hunk.new_start}`} />
        </button>
      ))}
      {!hunks.length &&
        about.paths?.map(({ path, line }) => (
          <button
            type="button"
            class="link place-link"
            key={path}
            onClick={() => void open(path, line ? { line } : {})}
          >
            <Shown text={line ? `${path}:${line}` : path} />
          </button>
        ))}
      {output && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Output
        </button>
      )}
      {isOpen && (
        <pre class="tool-output">
          <Lines text={output.length > LONG ? `${output.slice(0, LONG)} …` : output} />
        </pre>
      )}
    </div>
  );
}

function Permission({ id, entry }: { id: string; entry: EntryDocument }) {
  const { about } = entry;
  const isOpen = about.state === "waiting";
  const chosen = about.options?.find(option => option.id === about.answer);
  return (
    <section class={`chat-entry permission ${about.state ?? ""}`} aria-label="Permission">
      <p>
        <strong>{isOpen ? "May it? " : ""}</strong>
        <Shown text={about.title ?? ""} />
        {!isOpen && ` · ${chosen ? chosen.name : "not answered"}`}
      </p>
      {isOpen && about.command && (
        <pre>
          <Lines text={about.command} />
        </pre>
      )}
      {isOpen &&
        about.diffs?.map((diff, at) => (
          <div class="permission-diff" key={at}>
            <button
              type="button"
              class="link place-link"
              onClick={() => void open(diff.path, diff.line ? { line: diff.line } : {})}
            >
              <Shown text={diff.line ? `${diff.path}:${diff.line}` : diff.path} />
            </button>
            {diff.long ? (
              <p>It is too long to be shown here.</p>
            ) : (
              <PatchView diff={diff.diff} isPlaced={diff.line !== null} />
            )}
          </div>
        ))}
      {isOpen && (
        <div class="permission-verbs">
          {about.options?.map(option => (
            <Button
              key={option.id}
              label={option.name}
              tone={option.kind.startsWith("allow") ? "accept" : "reject"}
              onClick={() => void answer(id, entry.number, option.id)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

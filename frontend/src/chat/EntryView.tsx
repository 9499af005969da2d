/** One entry of a conversation. Everything in it comes from an agent or a file: it is shown as text. */

import { useState } from "preact/hooks";
import { open } from "../acts/opening";
import { Button } from "../parts/Button";
import { Markdown } from "../markdown/Markdown";
import { Shown } from "../parts/Shown";
import { ShownLines } from "../parts/ShownLines";
import { counted } from "../rules/counting";
import { fullTime } from "../rules/times";
import { answer, hunksOfCall } from "./acts";
import { PatchView } from "./PatchView";
import type { EntryAbout, EntryDocument } from "../wire/contract";

const SHOWN_AT_FIRST = 20;

export function EntryView({ id, entry }: { id: string; entry: EntryDocument }) {
  switch (entry.kind) {
    case "user":
      return (
        <article class="chat-entry user" aria-label="You" title={fullTime(entry.at)}>
          <p>
            <ShownLines text={entry.text} />
          </p>
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
          <Markdown source={entry.text} />
        </article>
      );
    case "thought":
      return (
        <details class="chat-entry thought">
          <summary>Thinking</summary>
          <Markdown source={entry.text} />
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

const SIGNS: Record<string, string> = { completed: "✓", failed: "✗", pending: "…", in_progress: "…" };

function Tool({ about }: { about: EntryAbout }) {
  const hunks = about.ledger ? hunksOfCall(about.ledger) : [];
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
      {about.output && <ToolOutput text={about.output} />}
    </div>
  );
}

/** What a tool printed: folded, and of a long one the end only when it is asked for. */
function ToolOutput({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const lines = unfenced(text).split("\n");
  const shown = isWhole ? lines : lines.slice(0, SHOWN_AT_FIRST);
  const rest = lines.length - shown.length;
  return (
    <>
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Output, {counted(lines.length, "line")}
      </button>
      {isOpen && (
        <div class="tool-output">
          <pre tabIndex={0}>
            <ShownLines text={shown.join("\n")} />
          </pre>
          {rest > 0 && <Button label={`Show ${counted(rest, "more line")}`} onClick={() => setWhole(true)} />}
        </div>
      )}
    </>
  );
}

/** Some agents put a fence around what a tool printed. */
function unfenced(text: string): string {
  return /^(`{3,})\w*\n([^]*?)\n?\1\s*$/.exec(text)?.[2] ?? text.trimEnd();
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
          <ShownLines text={about.command} />
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

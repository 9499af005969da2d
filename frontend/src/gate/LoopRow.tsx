/** One loop of a review: what it runs, how it went, what it found. */

import { showLine } from "../acts/moving";
import { Shown } from "../parts/Shown";
import { closeDialog } from "../state/dialogs";
import { overview } from "../state/project";
import type { IssueDocument, LoopDocument } from "../wire/contract";

import { Lamp } from "./Lamp";

const MOST_ISSUES = 50;

const WORDS = {
  passed: "passed",
  failed: "failed",
  missing: "not run for these bytes",
  partial: "has looked at some of the files only",
  unreported: "waits for an agent's report",
  skipped: "left out",
};

export function LoopRow({ loop, isRunning }: { loop: LoopDocument; isRunning: boolean }) {
  const name = loop.name.charAt(0).toUpperCase() + loop.name.slice(1);
  return (
    <li class={`loop ${loop.state}`}>
      <Lamp
        state={isRunning ? "running" : loop.passed ? "met" : loop.state === "failed" ? "failed" : "waiting"}
      />
      <div>
        <span>
          Loop {loop.loop}: {name}
        </span>{" "}
        <span class="hint">
          {isRunning ? "is running" : WORDS[loop.state]}
          {loop.skip && (
            <>
              : <Shown text={loop.skip} />
            </>
          )}
        </span>
        {loop.commands.map(command => (
          <div key={command} class="command">
            <Shown text={command} />
          </div>
        ))}
        {loop.issues.length > 0 && (
          <ul class="issues" aria-label={`What loop ${loop.loop} found`}>
            {loop.issues.slice(0, MOST_ISSUES).map((issue, number) => (
              <IssueRow key={number} issue={issue} />
            ))}
            {loop.issues.length > MOST_ISSUES && <li>and {loop.issues.length - MOST_ISSUES} more</li>}
          </ul>
        )}
      </div>
    </li>
  );
}

function IssueRow({ issue }: { issue: IssueDocument }) {
  const { file, line } = issue;
  const isOpenable = file !== undefined && overview.value?.files.some(known => known.path === file);
  const place = file ? `${file}${line ? `:${line}` : ""}` : "";
  return (
    <li class={issue.severity}>
      <span class="severity">{issue.severity}</span>{" "}
      {place &&
        (isOpenable && line ? (
          <button
            type="button"
            class="link"
            onClick={() => {
              closeDialog();
              void showLine(file, line);
            }}
          >
            <Shown text={place} />
          </button>
        ) : (
          <Shown text={place} />
        ))}{" "}
      <Shown text={issue.message} />
    </li>
  );
}

/** What the server sends, as it sends it. See docs/workbench.md. */

import type { CellDocument } from "../notebook/documents";

export type Status = "pending" | "mixed" | "accepted" | "rejected" | "conflict";
export type Mode = "review" | "hold" | "direct";
export type Verdict = "accept" | "reject";
export type Dependents = "ask" | "with" | "keep";
export type ActorKind = "agent" | "person" | "external" | "shared" | "unknown";

export interface Actor {
  kind: ActorKind;
  name: string | null;
}

export interface ProjectDocument {
  id: string;
  name: string;
  root: string;
}

/** How many hunks are undecided, and in how many files, calls and turns. */
export interface Totals {
  hunks: number;
  files: number;
  calls: number;
  turns: number;
}

export interface Tally {
  pending: number;
  accepted: number;
  rejected: number;
}

export interface Gate {
  open: boolean;
  reasons: { code: string; message: string }[];
  /** Somebody opened it all the same. */
  override?: { by: string; reason: string; expires: string } | null;
}

export interface FileEntry {
  path: string;
  letter: "M" | "A" | "D" | "R" | "T";
  status: Status;
  pending: number;
  decided: number;
  notes: number;
  muted: boolean;
  kind: "text" | "notebook" | "binary" | "link" | "folder" | "absent";
  running: boolean;
}

export interface CallEntry {
  id: string;
  tool: string;
  path: string | null;
  about: Record<string, unknown>;
  started: string;
  ended: string | null;
  outcome: string | null;
  status: Status;
  counts: Tally;
  hunks: string[];
}

export interface TurnEntry {
  id: string;
  prompt: string | null;
  agent: string;
  conversation: string;
  started: string;
  ended: string | null;
  status: Status;
  counts: Tally;
  calls: CallEntry[];
}

export interface OutsideEntry {
  id: string;
  actor: Actor;
  path: string;
  at: string;
}

export interface HunkEntry {
  id: string;
  digest: string;
  path: string;
  kind: string;
  status: Status;
  turn: string | null;
  call: string | null;
  tool: string | null;
  actor: Actor;
  /** From one; for an empty side, the line before. */
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  builds_on: string[];
  built_on_by: string[];
  complete: boolean;
  at: string;
  /** Pending, and not in the file until it is accepted. */
  held: boolean;
  shared_with: string[];
  /** A person typed into it, or took away from it. */
  modified: boolean;
  endings: boolean;
  from?: string;
  /** In a notebook: the cell it is in; null for the notebook itself. */
  cell?: { id: string; index: number; type: string; change: string } | null;
  /** Why a notebook is shown as text. */
  as_text?: string;
}

export interface HunkDocument extends HunkEntry {
  old: string | null;
  new: string | null;
  decisions: string[];
}

export interface Overview {
  version: number;
  project: { name: string; root: string; branch: string | null };
  mode: Mode;
  counts: Totals;
  gate: Gate;
  warnings: string[];
  files: FileEntry[];
  turns: TurnEntry[];
  outside: OutsideEntry[];
  hunks: HunkEntry[];
}

/** Who wrote some lines of the file as it is: from one, inclusive. */
export interface Span {
  start_line: number;
  end_line: number;
  actor: Actor;
  call: string | null;
  turn: string | null;
}

export interface FilePage {
  path: string;
  version: number;
  /** Names the content; null when nothing stands there. */
  revision: string | null;
  kind: FileEntry["kind"];
  baseline: string | null;
  live: string | null;
  mode_bits: string | null;
  too_large: boolean;
  hunks: HunkDocument[];
  spans: Span[];
  /** Everything pending rejected. */
  original: string | null;
  /** Everything pending accepted; the live text unless something is held. */
  final: string | null;
  /** Of a notebook: its cells, and whether proposals wait in it. */
  cells?: CellDocument[];
  held?: boolean;
  /** Why a notebook is shown as text. */
  as_text?: string | null;
}

export interface RelatedCall {
  id: string;
  tool: string;
  started: string;
  turn?: string | null;
}

/** A hunk with why it is there. */
export interface Why extends HunkDocument {
  change: string;
  prompt: string | null;
  about: Record<string, unknown>;
  command?: string | null;
  related?: RelatedCall[];
}

export interface TurnLogged extends Omit<TurnEntry, "calls" | "status" | "counts"> {
  kind: "turn";
  at: string;
}

export interface CallLogged extends Omit<CallEntry, "status" | "counts" | "hunks"> {
  kind: "call";
  turn: string;
  at: string;
}

export interface DecisionLogged {
  kind: "decision";
  id: string;
  at: string;
  verdict: string;
  of: string | null;
  stands: boolean;
  reason: string;
  hunks: string[];
  written: string[];
}

export interface NoteLogged {
  kind: "note";
  id: string;
  at: string;
  note: NoteKind;
  text: string;
}

/** Somebody opened the gate although something spoke against it. */
export interface OverrideLogged {
  kind: "override";
  id: string;
  at: string;
  by: string;
  reason: string;
  expires: string;
}

export type LogEntry = TurnLogged | CallLogged | DecisionLogged | NoteLogged | OverrideLogged;

export interface Need {
  hunk?: string;
  path?: string;
  why?: string;
  built_on_by?: string[];
  shared_with?: string[];
  now?: string[];
}

export interface Kept {
  path: string;
  line: number;
  text: string;
  actor: { kind: ActorKind };
  blank: boolean;
  hunk?: string;
}

export interface DecisionDocument {
  decision: string | null;
  verdict: string;
  results: {
    hunk: string;
    path: string;
    outcome: "applied" | "already" | "conflict" | "skipped" | "queued";
    reason: string;
    modified: boolean;
  }[];
  written: string[];
  kept: Kept[];
  needs: Need[];
  linked?: string[];
  of?: string;
  dry_run?: boolean;
  version?: number;
  /** What the page shows after it, if the request said which file is open. */
  overview?: Overview;
  notes?: NoteDocument[];
  file?: FilePage | null;
}

export type NoteKind = "question" | "change" | "must-fix" | "keep";
export type NoteState = "draft" | "sent" | "answered" | "resolved" | "outdated" | "removed";

export interface NoteTarget {
  kind: "line" | "hunk" | "file" | "turn" | "call";
  id?: string;
  path?: string;
  line?: number;
  end_line?: number;
}

export interface NoteDocument {
  id: string;
  target: NoteTarget;
  kind: NoteKind;
  text: string;
  state: NoteState;
  at: string;
  quote: string | null;
  path: string | null;
  line: number | null;
}

export interface Saved {
  revision: string;
  text: string;
  version: number;
  merged: boolean;
}

/** One message of the live channel. */
export interface News {
  /** Nobody knows any more what changed: all of it may have. */
  everything: boolean;
  version: number;
  files: string[];
  turns: string[];
  counts: Totals;
  gate: Gate;
  mode: Mode;
}

/** Asking the server. Every answer is JSON; what is not a success is a Refusal. */

import type {
  DecidedScreen,
  DecisionLogged,
  ExplainedDocument,
  FileDocument,
  InboxDocument,
  MergedDocument,
  MomentsDocument,
  MomentText,
  Mode,
  ModeDocument,
  NoteDocument,
  NoteKind,
  NotesDocument,
  NoteState,
  NoteTargetDocument,
  OverviewDocument,
  ProjectsDocument,
  TimelineDocument,
  Verdict,
  WhyDocument,
} from "./contract";
import { escaped } from "./escaping";

export type Dependents = "ask" | "with" | "keep";

/** The page of a file, with all its sides: one that is the same as another is not sent twice. */
export type FilePage = FileDocument & { original: string | null; final: string | null };

export class Refusal extends Error {
  constructor(
    /** Of HTTP; zero when the server did not answer. */
    readonly status: number,
    readonly answer: Record<string, unknown>,
  ) {
    super(String(answer["error"] ?? "The workbench does not answer"));
  }

  get hint(): string {
    return String(this.answer["hint"] ?? "");
  }

  /** The server was started anew, or this browser never had its secret. */
  get isForeign(): boolean {
    return this.status === 401;
  }

  get isAway(): boolean {
    return this.status === 0;
  }
}

/** What the page shows, so that an answer shows what became of it. */
export interface Shown {
  /** The file that is open; empty if none is. */
  open: string;
  /** The version of the overview. */
  known: number;
}

export interface DecisionRequest extends Partial<Shown> {
  verdict: Verdict;
  selectors: string[];
  everything?: boolean;
  dependents?: Dependents;
  reason?: string;
  expect?: Record<string, string>;
  dry_run?: boolean;
}

declare global {
  interface Window {
    /** Answers that were asked for while this script was being read, by address: see first.ts. */
    bluelineAsked?: Map<string, Promise<Response>>;
  }
}

let project: string | null = null;

/** Everything below is about this project from now on. */
export function chooseProject(id: string | null): void {
  project = id;
}

export function address(path: string, query: Record<string, string> = {}): string {
  const pairs = Object.entries(project === null ? query : { project, ...query });
  const joined = pairs.map(([name, value]) => `${name}=${escaped(value)}`).join("&");
  return joined ? `${path}?${joined}` : path;
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await (asked(path, init) ?? fetch(path, { cache: "no-store", ...init }));
  } catch {
    throw new Refusal(0, {});
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer as Record<string, unknown>);
  return answer as T;
}

function asked(path: string, { method }: RequestInit): Promise<Response> | undefined {
  const found = method === undefined ? window.bluelineAsked?.get(path) : undefined;
  window.bluelineAsked?.delete(path);
  return found;
}

export function get<T>(path: string, query?: Record<string, string>): Promise<T> {
  return ask(address(path, query));
}

export function post<T>(path: string, body: object): Promise<T> {
  return ask(address(path), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Blueline": "1" },
    body: JSON.stringify(body),
  });
}

/** Something that the person does: it is answered soon, and what happens then comes before news of it. */
async function act<T>(path: string, body: object): Promise<T> {
  underWay += 1;
  try {
    return await post<T>(path, body);
  } finally {
    underWay -= 1;
    // Whoever asked takes the answer in first.
    if (!underWay) setTimeout(() => waiting.splice(0).forEach(run => run()));
  }
}

let underWay = 0;
const waiting: (() => void)[] = [];

/** News of what the person just did can overtake the answer to it, which says the same and more. */
export function afterAnswers(run: () => void): void {
  if (underWay) waiting.push(run);
  else run();
}

/** Sent along with what must happen once, however often it is sent. */
export function key(): string {
  return crypto.randomUUID();
}

export const projects = () => ask<ProjectsDocument>("/api/projects");
export const inbox = () => ask<InboxDocument>("/api/inbox");
export const overview = () => get<OverviewDocument>("/api/overview");
export const whole = (found: FileDocument): FilePage => {
  const same = { original: found.baseline, final: found.live };
  return { ...same, ...found };
};
export const file = async (path: string): Promise<FilePage> =>
  whole(await get<FileDocument>("/api/file", { path }));
/** Where a picture of the project is; another revision is another address. */
export const imageAddress = (path: string, side: "baseline" | "live", revision: string) =>
  address("/api/image", { path, side, revision });

export const moments = (path: string) => get<MomentsDocument>("/api/moments", { path });
export const moment = (path: string, id: string) => get<MomentText>("/api/moment", { path, id });
export const hunk = (id: string) => get<WhyDocument>("/api/hunk", { id });
export const decision = (id: string) => get<DecisionLogged>("/api/decision", { id });
export const notes = () => get<NotesDocument>("/api/notes");

export const timeline = (before?: string) =>
  get<TimelineDocument>("/api/timeline", before === undefined ? {} : { before });

export const decide = (request: DecisionRequest) =>
  act<DecidedScreen>("/api/decide", { ...request, key: key() });

export const undo = (shown: Shown, named?: string) =>
  act<DecidedScreen>("/api/undo", {
    ...shown,
    key: key(),
    ...(named === undefined ? {} : { decision: named }),
  });

export const redo = (shown: Shown) => act<DecidedScreen>("/api/redo", { ...shown, key: key() });

export const explain = (decision: string, reason: string) =>
  act<ExplainedDocument>("/api/reason", { decision, reason });

export const setMode = (mode: Mode) => post<ModeDocument>("/api/mode", { mode });

export const save = (path: string, revision: string, base: string, text: string) =>
  act<MergedDocument>("/api/save", { path, revision, base, text });

export const addNote = (target: NoteTargetDocument, kind: NoteKind, text: string) =>
  act<NoteDocument>("/api/notes", { target, kind, text, key: key() });

export const changeNote = (id: string, change: { text: string } | { state: NoteState }) =>
  act<NoteDocument>(`/api/notes/${id}`, change);

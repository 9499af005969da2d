/**
 * What the server sends, as it sends it. Made from blueline/contract by `python -m tools.contract`:
 * what is typed in here is lost.
 */

export type ActorKind = "agent" | "person" | "external" | "shared" | "unknown";

export type FileChoice = "anyway" | "alone" | "keep";

export type Verdict = "accept" | "reject";

export type HunkOutcome = "applied" | "already" | "conflict" | "skipped" | "queued";

export type Dependents = "ask" | "with" | "keep";

export type Level = "low" | "medium" | "high" | "critical";

/** Who did something. What `person` and `external` did is accepted as it arrives. */
export interface ActorDocument {
  kind: ActorKind;
  /** The agent's; empty for others. */
  name: string;
}

/** An agent whose hooks were installed, and whether they do anything. */
export interface AgentPresence {
  name: string;
  /** Its name, for people. */
  label: string;
  /** The file that its hooks are in. */
  settings: string;
  /** Whether they are still there. */
  hooks: boolean;
  /** Whether anything was recorded of it. */
  heard: boolean;
  /** What to do if nothing is. */
  advice: string;
}

/** One line, and the last who put something on it: from what was recorded, and below that from git. */
export interface BlameLineDocument {
  /** From one. */
  line: number;
  /** Without its end. */
  text: string;
  /** Whoever was seen to write it; null if it is older than what was recorded. */
  actor: ActorDocument | null;
  call: string | null;
  turn: string | null;
  /** When, as far as it is known. */
  at: string | null;
  /** It is of a change that is not decided. */
  pending: boolean;
  /** Of an older line: the commit that it came with; null if it is in none. */
  commit: string | null;
  /** The author of that commit. */
  author: string | null;
  /** What that commit, or the prompt of that turn, begins with. */
  summary: string | null;
}

/** The answer to `blame`. */
export interface BlameDocument {
  path: string;
  lines: BlameLineDocument[];
}

export type CellState = "same" | "edited" | "added" | "deleted" | "moved";

/** Which cell a hunk is in, and what it does to it. */
export interface HunkCellDocument {
  /** Empty if it has none. */
  id: string;
  /** From one, as the notebook is; of a deleted one, as it was. */
  index: number;
  type: string;
  /** edited, added, deleted, moved, type, id, metadata or attachments. */
  change: string;
}

/** Which cell it is. */
export interface CellNameDocument {
  /** Empty if it has none. */
  id: string;
  type: string;
  /** From one, as the notebook is on disk; zero for one that is not there. */
  index: number;
  /** How many characters its outputs take. */
  outputs: number;
}

/** A cell on the page of its notebook. */
export interface CellDocument extends CellNameDocument {
  state: CellState;
  /** Ids of what is pending in it. */
  hunks: string[];
  /** Its source as agreed; null if there was no such cell. */
  old: string | null;
  /** Its source were everything accepted; null if there would be no such cell. */
  new: string | null;
  /** Its source as it is on disk. */
  live: string | null;
}

/** A cell as agreed, and as it is. */
export interface CellSides {
  kind: "cell";
  path: string;
  /** Its id, or its number if it has none. */
  cell: string;
  /** From one; zero for one that is not in the notebook. */
  index: number;
  type: string;
  /** Its source as agreed. */
  old: string | null;
  /** Its source as it is. */
  new: string | null;
}

/** `show` of a cell: what is pending in it. */
export interface CellShown extends CellSides, GroupDocument {}

/** One thing that running a cell left in it. */
export interface OutputDocument {
  kind: "text" | "image" | "other";
  /** The text, the address of the picture, or which kinds there are. */
  text: string;
  /** How many characters were left out. */
  cut?: number;
}

/** What running a cell left in it. */
export interface OutputsDocument {
  outputs: OutputDocument[];
  /** How many are not shown. */
  more: number;
}

/** A cell that a person typed into was saved. */
export interface CellSavedDocument {
  source: string;
  version: number;
}

/** The answer to a save of a cell. */
export interface CellMergedDocument extends CellSavedDocument {
  /** Whether others had written to it meanwhile, so that it is not what was typed. */
  merged: boolean;
}

export type EntryKind = "user" | "agent" | "thought" | "tool" | "plan" | "permission" | "note";

/** A place in a file that goes along with a prompt. */
export interface PlaceDocument {
  path: string;
  /** From one. */
  line?: number;
  /** Inclusive. */
  end_line?: number;
  /** What stands there. */
  quote?: string;
  /** What else the agent is told: in a task, to propose and not to edit. */
  advice?: string;
}

/** An agent one can talk to. */
export interface ChatAgentDocument {
  name: string;
  /** Its name, for people. */
  label: string;
  /** Why it cannot be started; empty if it can. */
  missing: string;
}

/** A conversation in a list. */
export interface ConversationListed {
  id: string;
  /** Grows with everything that is written down of it. */
  seq: number;
  title: string;
  agent: string;
  /** The agent's name, for people. */
  label: string;
  running: boolean;
  /** Questions that nobody has answered. */
  waiting: number;
  /** Its turns, as the ledger calls them. */
  turns: string[];
  /** When something last happened in it. */
  at: string;
  /** The place in a file that it is about. */
  task: PlaceDocument | null;
  closed: boolean;
}

/** All conversations, the latest first, and the agents one can talk to. */
export interface ConversationsDocument {
  conversations: ConversationListed[];
  agents: ChatAgentDocument[];
}

/** How far each conversation has come: a message of the live channel. */
export interface ChatNews {
  /** For each id, its `seq`. */
  conversations: Record<string, number>;
}

/** A conversation on the command line. */
export interface ChatStarted {
  id: string;
  agent: string;
  /** What was typed and not sent. */
  composer: string;
}

/** A file that a tool call is about. */
export interface TouchedPath {
  path: string;
  line: number | null;
}

/** What an agent wants to do to a file. */
export interface ProposedDiff {
  path: string;
  /** Too long to be sent: there is no diff then. */
  long: boolean;
  /** The lines that change and those around them, as in a unified diff. */
  diff: string;
  /** The first line that changes, from one; null if the place is not known. */
  line: number | null;
}

/** An answer that an agent offers. */
export interface AnswerOption {
  id: string;
  name: string;
  /** allow_once, allow_always, reject_once or reject_always. */
  kind: string;
}

/** A step that an agent intends to take. */
export interface PlanStep {
  text: string;
  status: string;
}

/** What there is to an entry besides its text; which keys there are depends on its kind. */
export interface EntryAbout {
  title?: string;
  /** What kind of tool: read, edit, execute, … */
  tool?: string;
  /** What the agent calls the tool. */
  name?: string;
  /** Of a call: pending, in_progress, completed or failed. */
  status?: string;
  command?: string;
  output?: string;
  paths?: TouchedPath[];
  /** What the agent knows the call by; not sent. */
  key?: string;
  /** The call, as the ledger calls it. */
  ledger?: string | null;
  /** Of a question: waiting, answered or cancelled. */
  state?: string;
  /** The option that was chosen. */
  answer?: string | null;
  /** The call that the question is about. */
  call?: string;
  diffs?: ProposedDiff[];
  options?: AnswerOption[];
  /** Of a plan. */
  steps?: PlanStep[];
  /** Of a prompt. */
  context?: PlaceDocument[];
  /** Of a note. */
  tone?: string;
}

/** One message, or one thing that an agent did. */
export interface EntryDocument {
  number: number;
  turn: number;
  kind: EntryKind;
  at: string;
  text: string;
  about: EntryAbout;
}

/** A turn of a conversation, by its number in it. */
export interface RoundDocument {
  number: number;
  /** What the ledger calls it. */
  turn: string | null;
  ended: string | null;
  /** end_turn, cancelled, failed, …; empty while it runs. */
  stop: string;
  error: string;
  /** It was taken back. */
  hidden: boolean;
}

/** What stands in the box below the messages, and the places in files that go along. */
export interface ComposerDocument {
  text: string;
  context: PlaceDocument[];
}

/** A command that the agent understands. */
export interface AgentCommand {
  name: string;
  description: string;
}

/** One conversation, or the part of it that was asked for. */
export interface ConversationDocument extends ConversationListed {
  entries: EntryDocument[];
  /** The number of the first entry there is. */
  first: number;
  /** How many entries there are. */
  count: number;
  /** Turns that were taken back. */
  hidden: number[];
  composer: ComposerDocument;
  rounds: RoundDocument[];
  commands: AgentCommand[];
  /** What the agent thinks may be said next. */
  suggestions: string[];
  /** Entries that wait for an answer. */
  waits_for: number[];
  /** The turn that is running. */
  round: number | null;
}

/** The answer to `chat` with a prompt. */
export interface ChatAnswer extends ConversationDocument {
  /** What is undecided of the turn. */
  pending: HunkDocument[];
}

/** A prompt was sent. */
export interface PromptedDocument {
  id: string;
  round: number;
  seq: number;
}

/** What stands in the composer was kept. */
export interface ComposedDocument {
  id: string;
  seq: number;
}

/** Something was done about a conversation. */
export interface ConversationNamed {
  id: string;
}

/** A file that something has to be chosen about before a turn is taken back. */
export interface TurnNeed {
  path: string;
  why: string;
  choices: FileChoice[];
  /** The lines of it that a person has corrected, if that is why. */
  lines: CorrectedLineDocument[];
}

/** What became of a whole turn. */
export interface TurnDecision {
  turn: string;
  verdict: Verdict;
  /** What to undo; empty if nothing was left to decide. */
  decisions: string[];
  edits: number;
  files: string[];
  skipped: ResultDocument[];
  written: string[];
  kept: KeptDocument[];
  /** What has to be chosen; then nothing was written. */
  needs: TurnNeed[];
  error?: string;
  hint?: string;
  /** The one that the turn was taken out of. */
  conversation?: string | null;
  /** How to take it out of a conversation that was held elsewhere. */
  rewind?: TurnRewindDocument | null;
}

/** Decisions about a turn were taken back. */
export interface UndoneDocument {
  undone: DecisionDocument[];
}

/** How much of what agents did was kept. */
export interface TalliesDocument {
  tally: ToolTallyDocument[];
}

/** What became of one hunk. */
export interface ResultDocument {
  hunk: string;
  path: string;
  outcome: HunkOutcome;
  reason: string;
  /** A person typed into it, or took away from it. */
  modified: boolean;
}

/** Whose text it is that was kept. */
export interface KeptActorDocument {
  kind: ActorKind;
}

/** Text that stays although what it stood in goes. */
export interface KeptDocument {
  path: string;
  line: number;
  text: string;
  actor: KeptActorDocument;
  /** There is nothing in it to read. */
  blank: boolean;
  hunk?: string;
}

/** A line of a hunk that a person has corrected. */
export interface CorrectedLineDocument {
  /** From one, in the file as it is. */
  line: number;
  /** The line as it is. */
  now: string;
  /** What stood in its place before the agent; null if nothing did. */
  before: string | null;
}

/** Something that has to be chosen before anything is done. */
export interface NeedDocument {
  hunk?: string;
  path?: string;
  /** moved-on, before-unknown, busy, shared or corrected. */
  why?: string;
  /** Hunks that stand on it. */
  built_on_by?: string[];
  /** Other calls that may have made it. */
  shared_with?: string[];
  /** The lines of it that a person has corrected. */
  lines?: CorrectedLineDocument[];
  /** The ids that took the place of one that is no longer current. */
  now?: string[];
}

/** How to take a turn out of an agent's own conversation. */
export interface RewindDocument {
  /** What to type there. */
  command: string;
  /** The prompt to go back to. */
  message: string;
  /** The command that takes the conversation up again. */
  resume: string;
  /** All of it, for people. */
  text: string;
}

/** The same, of one of several turns. */
export interface TurnRewindDocument extends RewindDocument {
  turn: string;
}

/** The answer to a reason that was given afterwards. */
export interface ExplainedDocument {
  decision: string;
  reason: string;
  /** In the workbench: grows with every event. */
  version?: number;
}

/** The answer to accept, reject, undo and redo. */
export interface DecisionDocument {
  /** Null if nothing was decided. */
  decision: string | null;
  /** accept, reject, undo or redo. */
  verdict: string;
  /** What became of each hunk: `already`, it was decided so before; `skipped`, a later decision counts; `queued`, it is carried out as soon as the agent's call has ended. */
  results: ResultDocument[];
  /** Files that were written, or would be. */
  written: string[];
  /** Text that stays although what it stood in goes. */
  kept: KeptDocument[];
  /** What has to be chosen; then nothing was written, and the exit code is 4. */
  needs: NeedDocument[];
  /** Undecided hunks of the same turns in other files that exchange the same words (accept and reject). */
  linked?: string[];
  /** The decision that was taken back, or made to stand again (undo and redo). */
  of?: string;
  /** True with `--dry-run`. */
  dry_run?: boolean;
  /** With `dry_run`: what would change in the files, as a patch. */
  diff?: string;
  /** With `needs`: what is in the way. */
  error?: string;
  /** With `needs`: what to try. */
  hint?: string;
  /** At a hub: it waits there as this request, for the machine to carry it out. */
  request?: string;
  /** Those from which turns were taken back. */
  conversations?: string[];
  /** How to take turns back that were held elsewhere. */
  rewind?: TurnRewindDocument[];
  /** In the workbench: grows with every event. */
  version?: number;
}

/** One thing that was looked at. */
export interface DoctorLine {
  /** An agent's name, or: recording, versions, state, disk, clock, git, watcher, hub. */
  about: string;
  ok: boolean;
  says: string;
  /** What to type, if anything. */
  hint: string;
}

/** The answer to `doctor`. */
export interface DoctorDocument {
  ok: boolean;
  lines: DoctorLine[];
}

/** A place in a text, as the Language Server Protocol says it. */
export interface EditorPosition {
  /** From zero. */
  line: number;
  /** Units of UTF-16, from zero. */
  character: number;
}

/** From one place to another. */
export interface EditorRange {
  start: EditorPosition;
  end: EditorPosition;
}

/** What to put into the place of a range. */
export interface EditorEdit {
  range: EditorRange;
  newText: string;
}

/** Words that went, and where: before what came instead. */
export interface GoneWordsDocument {
  at: EditorPosition;
  text: string;
}

/** A hunk, where it stands in the editor's text. */
export interface PlacedHunkDocument extends FileHunkDocument {
  /** Its lines; empty where it only takes away; null if it has no place in a text. */
  range: EditorRange | null;
  /** What stands there in the editor is not what the file holds. */
  touched: boolean;
  /** What of `old` is not in `new`, counted from the beginning of `old`. */
  old_words: EditorRange[];
  /** What of its lines in the editor is not in `old`. */
  new_words: EditorRange[];
  /** What of `old` is not in the editor's lines, where it stood in them; within a line only. */
  gone_words: GoneWordsDocument[];
  /** It is in the file and not in the editor's text, where something is typed that is not saved. */
  ahead: boolean;
}

/** A file in an editor: `blueline/file`. */
export interface EditorFileDocument {
  uri: string;
  path: string;
  /** The folder of the project. */
  root: string;
  /** Grows with every event. */
  version: number;
  /** The version of the editor's text that the hunks are placed in; null if it has none open. */
  buffer: number | null;
  /** Names what the file holds; null when nothing stands there. */
  revision: string | null;
  kind: FileKind;
  /** The editor's text is what the file holds. */
  saved: boolean;
  hunks: PlacedHunkDocument[];
}

/** Only the hunks of a file that are pending, where they stand: `blueline/hunks`. */
export interface EditorHunksDocument {
  buffer: number | null;
  revision: string | null;
  hunks: PlacedHunkDocument[];
}

/** What became of a file that is open in the editor. */
export interface BufferAnswer {
  uri: string;
  path: string;
  /** The version of the editor's text that the edits are for. */
  buffer: number;
  /** Names what the file holds now; null when nothing stands there any more. */
  revision: string | null;
  /** What makes the editor's text that of the file. */
  edits: EditorEdit[];
  /** Where the file is now, if a decision moved it. */
  moved?: string;
}

/** The answer to a decision in an editor. */
export interface EditorDecisionDocument extends DecisionDocument {
  /** Open texts that are not what the files hold now. */
  files: BufferAnswer[];
}

/** What became known of a project: the notification `blueline/changed`. */
export interface EditorNews {
  root: string;
  /** Nobody knows any more what changed: all of it may have. */
  everything: boolean;
  version: number;
  files: string[];
  turns: string[];
  counts: CountsDocument;
  gate: GateSummary;
  mode: Mode;
}

/** The bytes of a file as agreed on: `blueline/agreed`. */
export interface AgreedDocument {
  path: string;
  /** In base64; null if there was no such file. */
  bytes: string | null;
}

/** The text of a file if everything undecided in it were accepted: `blueline/proposed`. */
export interface ProposedDocument {
  path: string;
  /** Null if it is no text. */
  text: string | null;
  /** What is undecided, where it would stand. */
  hunks: PlacedHunkDocument[];
}

export type FileKind = "text" | "notebook" | "binary" | "link" | "folder" | "absent";

export type FileLetter = "M" | "A" | "D" | "R" | "T";

export type FileStatus = "pending" | "mixed" | "accepted" | "rejected" | "conflict";

/** A file and its hunks. */
export interface FileGroup extends GroupDocument {
  path: string;
}

/** A file went from one content to the next. */
export interface FileOperationDocument {
  at: string;
  actor: ActorDocument;
  call: string | null;
}

/** `show` of a file. */
export interface FileShown extends GroupDocument {
  kind: "file";
  path: string;
  exists: boolean;
  /** In octal. */
  mode: string;
  /** Oldest first. The first is no change: it is how the file was when it was first looked at. */
  operations: FileOperationDocument[];
}

/** Some lines of a file as it is. */
export interface LinesDocument {
  kind: "lines";
  path: string;
  /** From one. */
  line: number;
  /** Inclusive. */
  end_line: number;
  text: string;
}

/** `show` of lines: what is pending on them. */
export interface LinesShown extends LinesDocument, GroupDocument {}

/** A file in the overview of a project. */
export interface FileEntry {
  path: string;
  /** Modified, added, deleted, renamed, or of another type. */
  letter: FileLetter;
  /** `conflict` if a decision could not be carried out on it. */
  status: FileStatus;
  pending: number;
  decided: number;
  /** Those that are not settled. */
  notes: number;
  /** It looks like a file that programs make and nobody reads. */
  muted: boolean;
  kind: FileKind;
  /** A call has it in its hands. */
  running: boolean;
}

/** Who wrote some lines of the file as it is. */
export interface SpanDocument {
  /** From one. */
  start_line: number;
  /** Inclusive. */
  end_line: number;
  actor: ActorDocument;
  call: string | null;
  turn: string | null;
}

/** A file after one change. */
export interface MomentDocument {
  id: string;
  /** When; empty before anybody changed it. */
  at: string;
  actor: ActorDocument | null;
  call: string | null;
  /** What there is to decide, or was decided, of the change; also a step that a later one hides. */
  hunks: string[];
}

/** All moments of a file, the latest first. */
export interface MomentsDocument {
  path: string;
  moments: MomentDocument[];
}

/** A file without all that came after a moment. */
export interface MomentText {
  path: string;
  id: string;
  text: string;
}

/** The page of a file. */
export interface FileDocument {
  path: string;
  /** Grows with every event. */
  version: number;
  /** Names the content; null when nothing stands there. */
  revision: string | null;
  kind: FileKind;
  /** In octal. */
  mode_bits: string | null;
  /** As agreed; left out if it is the same. */
  baseline_mode_bits?: string | null;
  /** Its text is not shown. */
  too_large: boolean;
  /** Its text as agreed. */
  baseline: string | null;
  /** Its text as it is. */
  live: string | null;
  /** Its text were everything pending rejected; left out if that is the baseline. */
  original?: string | null;
  /** Its text were everything pending accepted; left out if that is the live text. */
  final?: string | null;
  hunks: FileHunkDocument[];
  spans: SpanDocument[];
  /** Why a notebook is shown as text. */
  as_text?: string | null;
  /** Of a notebook. */
  cells?: CellDocument[];
  /** Of a notebook: whether proposals wait in it. */
  held?: boolean;
}

/** A file that a person typed into was saved. */
export interface SavedDocument {
  revision: string;
  text: string;
  version: number;
}

/** The answer to a save of a file. */
export interface MergedDocument extends SavedDocument {
  /** Whether others had written to it meanwhile, so that it is not what was typed. */
  merged: boolean;
}

export type LoopState = "passed" | "failed" | "missing" | "partial" | "unreported" | "skipped";

/** Something that a loop found. */
export interface IssueDocument {
  /** error or warning. */
  severity: string;
  message: string;
  file?: string;
  /** From one. */
  line?: number;
  column?: number;
  rule?: string;
  /** The command, or whoever reported it. */
  source?: string;
}

/** One of the four loops of a review. */
export interface LoopDocument {
  loop: number;
  name: string;
  passed: boolean;
  state: LoopState;
  issues: IssueDocument[];
  at: string | null;
  by: string | null;
  /** What is still missing. */
  needs: string[];
  commands: string[];
  /** Whether an agent's report is asked for besides the commands. */
  report: boolean;
  /** Why this loop is not asked for at all; empty if it is. */
  skip: string;
}

/** Why the gate is closed. */
export interface ReasonDocument {
  /** not-recording, undecided, agent-decided, commit-decided, no-review, stale-review, loop-failed, corrupt-state, incomplete, must-fix. */
  code: string;
  message: string;
  /** What to do about it. */
  hint: string;
  /** Hunks, files or findings that it is about. */
  about?: string[];
  loop?: number;
}

/** Somebody opened the gate for one tree, for a while. */
export interface OverrideDocument {
  id: string;
  by: string;
  reason: string;
  at: string;
  expires: string;
  tree: string;
}

/** What the latest review was about. */
export interface ReviewedDocument {
  tree: string;
  head: string | null;
  at: string;
}

/** One thing that the answer depends on. */
export interface GateStepDocument {
  what: string;
  met: boolean;
  how: string;
}

/** What one person, or one agent, decided. */
export interface DecidedDocument {
  /** The account. */
  by: string;
  /** The agent that decided under that account; empty if a person did. */
  agent: string;
  /** Hunks. */
  accepted: number;
  rejected: number;
  files: string[];
}

/** The gate's answer in short. */
export interface GateSummary {
  open: boolean;
  reasons: ReasonDocument[];
  /** Somebody opened it all the same. */
  override: OverrideDocument | null;
}

/** The gate's whole answer. */
export interface GateDocument extends GateSummary {
  /** What would ship, as git names it. */
  tree: string | null;
  head: string | null;
  /** The digest of the loops as they are configured. */
  config: string;
  loops: LoopDocument[];
  overrides: OverrideDocument[];
  reviewed: ReviewedDocument | null;
  steps: GateStepDocument[];
  /** Who decided how much of what differs from what others have. */
  decided: DecidedDocument[];
}

/** One loop in `loop-state.json`. */
export interface LoopDetails {
  passed: boolean;
  issues: IssueDocument[];
}

/** What programs expect in `.claude/skills/code-review/loop-state.json`. */
export interface LoopStateDocument {
  head_commit: string;
  timestamp: string;
  loop_1_passed: boolean;
  loop_2_passed: boolean;
  loop_3_passed: boolean;
  loop_4_passed: boolean;
  ship_allowed: boolean;
  blockers: string[];
  /** By `loop_1` to `loop_4`. */
  loop_details: Record<string, LoopDetails>;
}

export type HunkStatus = "pending" | "accepted" | "rejected";

export type GroupStatus = "pending" | "mixed" | "accepted" | "rejected";

/** How many hunks are undecided, and in how many files, calls and turns. */
export interface CountsDocument {
  hunks: number;
  files: number;
  calls: number;
  turns: number;
}

/** How many hunks of a group have each status. */
export interface TallyDocument {
  pending: number;
  accepted: number;
  rejected: number;
}

/** What became of a group of hunks. */
export interface CountedDocument {
  /** `mixed` if not all of them have the same one. */
  status: GroupStatus;
  counts: TallyDocument;
}

/** What became of a group of hunks, and which they are. */
export interface GroupDocument extends CountedDocument {
  /** Their ids. */
  hunks: string[];
}

export type RequestVerb = "accept" | "reject" | "undo";

export type RequestState = "waiting" | "done" | "refused" | "expired";

/** How far the hub's copy of a journal is. */
export interface CopyDocument {
  /** Which copy: a journal that was cut or put back gets another. */
  copy: number;
  length: number;
  /** Where the last whole frame starts. */
  last_start: number;
  /** Its header, which holds its checksum, in hexadecimal digits. */
  last_header: string;
}

/** A machine was let in. */
export interface JoinedDocument {
  project: string;
}

/** Contents that the hub has not. */
export interface MissingDocument {
  missing: string[];
}

/** What `hub serve` says once the hub listens. */
export interface ServingDocument {
  address: string;
  port: number;
}

/** Lets one machine or one browser in, once. */
export interface InvitationDocument {
  invitation: string;
  /** For a person: what to open. */
  link?: string;
}

/** The hub that a project belongs to. */
export interface HubDocument {
  url: string;
  project: string;
}

/** A project that goes on in another folder. */
export interface RestoredDocument {
  root: string;
  project: string;
  records: number;
  /** Those that were written. */
  files: string[];
  /** Those that were there and are not as they were agreed on: they stayed as they are. */
  left: string[];
}

/** Some lines of a hunk. */
export interface PartDocument {
  /** Of what was shown of the whole hunk. */
  digest: string;
  /** From one, among the hunk's own lines in the file as it was shown; zero for the whole hunk. */
  first: number;
  last: number;
}

/** What somebody at a hub decided. */
export interface WishDocument {
  verb: RequestVerb;
  /** The hunks that it is about, each with the digest of what was shown. */
  hunks: Record<string, string>;
  /** Instead of `hunks`, where it is about some lines: all that it is about. A machine that does not know parts then finds no hunks, and refuses. */
  parts?: Record<string, PartDocument>;
  /** With `undo`: the decision that is taken back; else empty. */
  decision: string;
  dependents: Dependents;
  reason: string;
}

/** A decision made at a hub, which waits for the project's machine to carry it out. */
export interface RequestDocument extends WishDocument {
  /** Counts up in a project. */
  number: number;
  id: string;
  /** The person's name at the hub. */
  by: string;
  at: string;
}

/** What waits for a machine. */
export interface RequestsDocument {
  requests: RequestDocument[];
}

/** What became of a request. */
export interface OutcomeDocument {
  state: "done" | "refused";
  /** The decision that carried it out; null if there was nothing left to do. */
  decision: string | null;
  /** Why it was refused. */
  error: string;
  hint: string;
}

/** Whose browser it is, and what they may do. */
export interface MeDocument {
  person: number;
  name: string;
  /** In the project that was asked about, else in all of them; null if that was given for single ones. */
  role: string | null;
}

/** A browser that somebody is signed in with. */
export interface BrowserEntry {
  id: string;
  /** What kind it is, as far as it said; empty if not. */
  about: string;
  since: string;
  expires: string;
  /** It is the one that asks. */
  here: boolean;
}

/** Those of somebody, the latest first. */
export interface BrowsersDocument {
  browsers: BrowserEntry[];
}

/** A decision that waits for the machine. */
export interface WaitingWish {
  verb: RequestVerb;
  by: string;
  at: string;
  hunks: string[];
}

/** What the machine refused last, or was not there to carry out. */
export interface RefusedWish {
  number: number;
  state: "refused" | "expired";
  verb: RequestVerb;
  by: string;
  error: string;
  hint: string;
}

/** What people asked of a project's machine, as it stands now, and who looks at the project. */
export interface AskedDocument {
  machine: string;
  /** Since when it has not been heard from; empty while it is there. */
  away: string;
  waiting: WaitingWish[];
  /** Refused or expired, if nothing was done since. */
  refused: RefusedWish | null;
  looking: string[];
}

/** Somebody and what they may do in a project. */
export interface PersonRole {
  person: number;
  name: string;
  /** reader, reviewer or owner. */
  role: string;
  /** It was given for all projects of the hub. */
  everywhere: boolean;
  /** How many they are signed in with. */
  browsers: number;
  /** Until when a link that they have not opened yet is good. */
  invited: string | null;
}

/** The people of a project. */
export interface PeopleDocument {
  people: PersonRole[];
}

/** Somebody whom the hub knows. */
export interface KnownPerson {
  person: number;
  name: string;
  /** Who vouches for them; empty for who came by an invitation alone. */
  issuer: string;
  /** By project; `*` stands for all of them. */
  roles: Record<string, string>;
  browsers: number;
}

/** All whom a hub knows. */
export interface EverybodyDocument {
  people: KnownPerson[];
}

/** Somebody is a stranger again, in every browser. */
export interface SignedOutDocument {
  person: number;
  browsers: number;
}

/** A machine that was let in. */
export interface MachineEntry {
  id: string;
  machine: string;
  joined: string;
  /** When it was last heard from; null for one that is not good any more. */
  heard: string | null;
  expires: string;
  /** Since when it is not good any more: taken over, or sent away. */
  ended: string | null;
}

/** The machines of a project, the latest first. One at most is good. */
export interface MachinesDocument {
  machines: MachineEntry[];
}

/** Something that somebody did, and that stays written down. */
export interface AuditEntry {
  number: number;
  at: string;
  who: string;
  what: string;
  about: Record<string, unknown>;
}

/** What was done in a project, the latest first. */
export interface AuditDocument {
  entries: AuditEntry[];
}

/** A request and what this machine made of it. */
export interface CarriedDocument {
  request: RequestDocument;
  outcome: OutcomeDocument;
}

/** What was sent to the hub, or would be. */
export interface SyncDocument {
  url: string;
  records: number;
  bytes: number;
  blobs: number;
  /** Files whose content never leaves this machine. */
  withheld: string[];
  dry_run: boolean;
  /** Contents that are not stored here either. */
  missing?: number;
  /** What people had asked for at the hub, and what became of it. */
  requests: CarriedDocument[];
}

/** Where a file that was renamed came from. */
export interface MovedFrom {
  /** Of a rename: where the file was before. */
  from?: string;
}

/** What every hunk says of itself, wherever it is shown. */
export interface HunkFields extends MovedFrom {
  id: string;
  path: string;
  status: HunkStatus;
  turn: string | null;
  /** The sub-agent whose call it was; null for what the agent itself did. */
  subagent: string | null;
  call: string | null;
  /** The agent's name for what it called. */
  tool: string | null;
  /** Who did it. `external` was found on disk, in no tool call: your editor, or a program of yours. `shared`: several calls may have done it. */
  actor: ActorDocument;
  /** The first of its lines in the baseline, from one; for an empty side, the line before. */
  old_start: number;
  old_lines: number;
  /** The same, in the file as it is. */
  new_start: number;
  new_lines: number;
  /** Undecided hunks that it stands on: reject those, and it is asked about. */
  builds_on: string[];
  built_on_by: string[];
  /** False if Blueline could not look: the bytes before it are not known. */
  complete: boolean;
  at: string;
  /** A proposal, which is not in the file; `new` is what it would be. */
  held: boolean;
  /** Other calls that may have made it. `c…` and `t…` of each of them select it. */
  shared_with: string[];
  /** A person typed into it, or took away from it. */
  modified: boolean;
  /** Nothing but line ends changed. */
  endings: boolean;
  /** A hunk with the same change that was rejected before. */
  again: string | null;
  /** The commit in which a person has it as it stands in the file. It stays undecided. */
  committed: string | null;
  /** The decision about it that waits for the end of a call. */
  queued: string | null;
  /** In a notebook: the cell it is in; null for the notebook itself. */
  cell?: HunkCellDocument | null;
  /** In a notebook: the line by which it is listed. */
  place?: number;
  /** Why a notebook is shown as text. */
  as_text?: string;
  /** A word for what it exchanges: the same change in other places has the same word. */
  same?: string;
}

/** A hunk without its text. */
export interface HunkSummary extends HunkFields {
  /** What it does to the file: modify, create, delete, rename, mode, symlink, binary, cell-edit, … */
  kind: string;
}

/** The whole lines that a hunk is about. */
export interface HunkTexts {
  /** In the baseline; null for what is not text. Two hunks on one line both show it. */
  old: string | null;
  /** As they are now. An empty folder comes or goes without lines. */
  new: string | null;
}

/** A hunk, in `list`. */
export interface HunkDocument extends HunkSummary, HunkTexts {}

/** A hunk in the overview of a project. */
export interface HunkEntry extends HunkSummary {
  /** Another one when anything of what is shown of it has changed. */
  digest: string;
}

/** A hunk on the page of its file. */
export interface FileHunkDocument extends HunkDocument {
  /** Another one when anything of what is shown of it has changed. */
  digest: string;
  /** The standing decisions about it. */
  decisions: string[];
}

/** `show` of a hunk. */
export interface HunkShown extends HunkFields, HunkTexts {
  kind: "hunk";
  /** What it does to the file: elsewhere, its `kind`. */
  change: string;
  /** What the person had asked the agent for. */
  prompt: string | null;
  /** What is known of its call. */
  about: CallAboutDocument;
  /** The standing decisions about it. */
  decisions: string[];
}

/** A turn with what is undecided of it. */
export interface PendingTurn extends TurnDocument {
  pending: HunkDocument[];
}

/** Another call that had to do with the same lines. */
export interface RelatedCall extends CallDocument {
  hunks: string[];
}

/** A hunk with why it is there. */
export interface WhyDocument extends HunkShown {
  /** Another one when anything of what is shown of it has changed. */
  digest: string;
  /** Of a shell call. */
  command: string | null;
  /** Of a new file: the lines of `new` that are nobody's question, such as those that a person typed. */
  agreed: number[];
  /** A few lines of the file that stand before it, without their ends; none unless it is pending. */
  above: string[];
  /** A few that stand after it. */
  below: string[];
  related: RelatedCall[];
}

/** A turn in the log. */
export interface TurnLogged extends TurnDocument {
  kind: "turn";
  at: string;
}

/** A call in the log. */
export interface CallLogged extends CallDocument {
  kind: "call";
  at: string;
}

/** A decision: in the log, and in `show`. */
export interface DecisionLogged {
  kind: "decision";
  id: string;
  at: string;
  /** accept, reject, by-hand, by-git, undo, redo or queued. */
  verdict: string;
  /** The decision that it takes back, or makes stand again. */
  of: string | null;
  /** False once it was taken back. */
  stands: boolean;
  reason: string;
  /** The account of whoever decided, or the person's name at the hub. */
  by: string;
  /** The agent that decided under that account; empty if a person did. */
  agent: string;
  /** The commit that accepted it, as the config has it; empty if somebody decided. */
  commit: string;
  /** The hub's request that it carries out; empty if it was made on this machine. */
  request: string;
  /** By hand or by git: what had been taken away stands in the file again. */
  returns: boolean;
  hunks: string[];
  /** The files that it is about, where they are now. */
  paths: string[];
  /** Files that were written. */
  written: string[];
}

/** `show` of a decision. */
export interface DecisionShown extends DecisionLogged {
  /** All that it is about was decided anew since. */
  overtaken: boolean;
}

/** A note in the log. */
export interface NoteLogged {
  kind: "note";
  id: string;
  note: NoteKind;
  at: string;
  text: string;
  /** draft, sent, resolved or removed. */
  status: string;
  path: string | null;
  /** From one; zero if it is about no line. */
  line: number;
  /** The hunk, call or turn it is about; empty if none. */
  of: string;
}

/** `show` of a note. */
export interface NoteShown extends NoteLogged {
  /** The lines as they were when it was written. */
  quote: string;
}

/** Somebody opened the gate although something spoke against it. */
export interface OverrideLogged extends OverrideDocument {
  kind: "override";
}

export type LogEntry = TurnLogged | CallLogged | DecisionLogged | NoteLogged | OverrideLogged;

/** How much of what an agent did with a tool was kept, and how much was taken back. */
export interface ToolTallyDocument {
  agent: string;
  tool: string;
  edits: number;
  accepted: number;
  rejected: number;
  pending: number;
}

/** Entries of the log. */
export interface EntriesDocument {
  entries: LogEntry[];
}

/** Where a hunk stands, or stood. */
export interface HunkPlaceDocument {
  path: string;
  /** From one, in the file as it is; zero for what concerns the whole file. */
  line: number;
}

/** Entries of the log as the workbench shows them. */
export interface TimelineDocument extends EntriesDocument {
  /** By its id: the first hunk of each decision among them. */
  places: Record<string, HunkPlaceDocument>;
}

/** The answer to `log`. */
export interface LogDocument extends EntriesDocument {
  tally: ToolTallyDocument[];
}

export type NoteKind = "question" | "change" | "must-fix" | "keep";

export type NoteState = "draft" | "sent" | "answered" | "resolved" | "outdated" | "removed";

export type NotePlace = "line" | "hunk" | "file" | "turn" | "call";

/** What a note is about. */
export interface NoteTargetDocument {
  kind: NotePlace;
  /** Of the hunk, the turn or the call. */
  id?: string;
  path?: string;
  /** From one. */
  line?: number;
  /** Inclusive. */
  end_line?: number;
}

/** A note, where it is now. */
export interface NoteDocument {
  id: string;
  /** What it was written about. */
  target: NoteTargetDocument;
  kind: NoteKind;
  text: string;
  state: NoteState;
  at: string;
  /** The lines as they were when it was written. */
  quote: string;
  /** Where its lines are now. */
  path: string | null;
  line: number | null;
  end_line: number | null;
  /** In the answer to writing or changing one: grows with every event. */
  version?: number;
}

/** All notes, oldest first. */
export interface NotesDocument {
  notes: NoteDocument[];
}

export type Mode = "review" | "hold" | "direct";

/** The answer to `mode`. */
export interface ModeDocument {
  mode: Mode;
  /** In the workbench: grows with every event. */
  version?: number;
}

/** Whether what agents do here is recorded. */
export interface RecordingDocument {
  recorded: boolean;
  /** By hooks in the project, or by those in a person's own settings; empty if it is not. */
  by: "" | "project" | "user";
  /** Why it is not; empty if it is. */
  why: string;
  /** What to type then. */
  hint: string;
}

/** Everything in one look. */
export interface StatusDocument {
  mode: Mode;
  recording: RecordingDocument;
  counts: CountsDocument;
  turns_running: number;
  gate: GateSummary;
  root: string;
  warnings: string[];
  /** Whether reviews were ever set up here, or run: without that, nobody has to be reminded of one. */
  reviews?: boolean;
  /** In `status`: whose hooks were installed, and whether they do anything. */
  agents?: AgentPresence[];
}

/** What is not known any more, because records are damaged or gone. */
export interface LostDocument {
  why: string;
  /** What to do about it. */
  hint: string;
}

/** The answer to `list`. There is one of the four lists, by what was asked for. */
export interface ListingDocument {
  mode: Mode;
  recording: RecordingDocument;
  counts: CountsDocument;
  /** Only where there may have been more than is listed. */
  lost?: LostDocument;
  hunks?: HunkDocument[];
  files?: FileGroup[];
  calls?: CallGroup[];
  turns?: TurnGroup[];
}

/** A file in a diff. */
export interface DiffFileDocument {
  path: string;
  /** In lines. */
  added: number;
  removed: number;
  /** It is no text, and has no lines. */
  binary: boolean;
}

/** The answer to `diff`. */
export interface DiffDocument {
  diff: string;
  /** How much of each file is in it, in the same order. */
  files: DiffFileDocument[];
}

export type ShownDocument =
  | HunkShown
  | CallShown
  | TurnShown
  | SubagentShown
  | FileShown
  | LinesShown
  | CellShown
  | DecisionShown
  | NoteShown;

/** A change that was just taken in: a line of `watch`. */
export interface ChangeNews {
  path: string;
  actor: ActorDocument;
  call: string | null;
}

/** A project that the workbench was started for. */
export interface ProjectDocument {
  id: string;
  name: string;
  root: string;
}

/** All projects that the workbench was started for. */
export interface ProjectsDocument {
  projects: ProjectDocument[];
  /** At a hub: whose browser it is. */
  person?: string;
}

/** A project in which something is undecided. */
export interface WaitingProject extends ProjectDocument {
  branch: string | null;
  /** The same for all work trees of one repository. */
  repository: string;
  counts: CountsDocument;
  /** When the change was made that waits longest. */
  since: string;
  /** The highest of what is undecided in it. */
  risk: Level;
  /** Whose changes these are. */
  agents: string[];
  /** The first below the root that they are in; `.` for the root itself. */
  folders: string[];
  /** At a hub: the people who look at it just now, but for oneself. */
  looking: string[];
  /** At a hub: when its machine was last heard from. `root` is the machine's name there. */
  heard?: string;
  /** Why nobody can look into it; empty if one can. */
  error: string;
}

/** What is undecided: the riskiest first, then what waits longest; work trees of one repository are
together. */
export interface InboxDocument {
  projects: WaitingProject[];
}

/** Where a project is. */
export interface ProjectPlace {
  name: string;
  /** Empty at a hub: it is on another machine. */
  root: string;
  /** The one that is checked out. */
  branch: string | null;
}

/** An edit of a person, or of a program of theirs. */
export interface OutsideEntry {
  id: string;
  actor: ActorDocument;
  path: string;
  at: string;
  /** Accepted as it arrived, or rejected since. */
  status: HunkStatus;
  /** By which it can be decided. */
  hunks: string[];
}

/** How a project stands, whatever else is shown of it. */
export interface ProjectStanding {
  /** Grows with every event. */
  version: number;
  project: ProjectPlace;
  mode: Mode;
  counts: CountsDocument;
  gate: GateSummary;
  warnings: string[];
}

/** The workbench's first look at a project. */
export interface OverviewDocument extends ProjectStanding {
  files: FileEntry[];
  turns: TurnEntry[];
  outside: OutsideEntry[];
  /** Those that are pending. */
  hunks: HunkEntry[];
}

/** What is different in an overview: only what belongs to some files. */
export interface OverviewPatch extends OverviewDocument {
  /** The version of the overview that it is a patch for. */
  since: number;
  /** These files are as `files` and `hunks` say; one that is not there is gone. The turns have only calls that touched one of them: the others are as they were. */
  paths: string[];
  /** One of them, of which `hunks` has none: they stand in the page of this file, which comes along. Empty if there is none. */
  opened: string;
}

/** The answer to a decision in the workbench; with all that the page shows after it, if it asked. */
export interface DecidedScreen extends DecisionDocument {
  overview?: OverviewDocument;
  /** In the place of the overview, for a page that has an earlier one. */
  patch?: OverviewPatch;
  notes?: NoteDocument[];
  /** The one that is open; null if there is none. */
  file?: FileDocument | null;
}

/** What happened after a place in the journal. */
export interface ProgressDocument {
  version: number;
  /** The place to ask from the next time. */
  cursor: number;
  files: string[];
  turns: string[];
}

/** What happened, and how things stand. */
export interface FollowedDocument extends ProgressDocument, StatusDocument {}

/** One message of the live channel. */
export interface NewsDocument {
  /** Nobody knows any more what changed: all of it may have. */
  everything: boolean;
  version: number;
  files: string[];
  turns: string[];
  counts: CountsDocument;
  gate: GateSummary;
  mode: Mode;
}

/** What went wrong, and what to try. */
export interface FailureDocument {
  error: string;
  hint: string;
}

/** A project with a state folder. */
export interface KnownProjectDocument {
  /** The name of the state folder: what `--forget` takes, besides the folder. */
  key: string;
  root: string;
  /** Whether the folder is still there, and still this project. */
  there: boolean;
  /** How much is stored about it. */
  bytes: number;
  /** When something was last recorded. */
  used: string;
}

/** The answer to `projects`. */
export interface KnownProjectsDocument {
  projects: KnownProjectDocument[];
  /** The key of the one that was forgotten just now. */
  forgotten: string | null;
}

/** How many changes came to what. Each is counted once. */
export interface OutcomesDocument {
  changes: number;
  /** Accepted as they were. */
  kept: number;
  /** Accepted, after somebody had typed into them or taken something away. */
  corrected: number;
  rejected: number;
  pending: number;
}

/** The changes of one agent, model, tool, folder, person, week or project. */
export interface ReportRowDocument extends OutcomesDocument {
  /** Empty if it is not known. */
  name: string;
}

/** The answer to `report`. */
export interface ReportDocument {
  /** Older changes are not counted; null if all are. */
  since: string | null;
  total: OutcomesDocument;
  /** Most changes first, as in all but the last. */
  agents: ReportRowDocument[];
  /** Agents say which one it was with a call, or do not. */
  models: ReportRowDocument[];
  tools: ReportRowDocument[];
  /** The first folder below the root; `.` for files of the root itself. */
  folders: ReportRowDocument[];
  /** Who decided; what is undecided is not among them. An agent that was let decides in its own name. */
  people: ReportRowDocument[];
  /** As ISO counts and writes them, oldest first. */
  weeks: ReportRowDocument[];
}

/** The changes in one project of a hub. */
export interface ReportProjectDocument extends ReportRowDocument {
  id: string;
}

/** The same over projects of a hub. */
export interface HubReportDocument extends ReportDocument {
  /** Those that were asked for and that somebody may see, if there are any changes in them. */
  projects: ReportProjectDocument[];
  /** How many more there are whose changes could not be counted: what was sent of them cannot be read. */
  uncounted: number;
}

/** A command that a review would run. */
export interface PlannedCommand {
  run: string;
  /** Seconds. */
  timeout: number;
  /** How many seconds it took the last time; null if it never ran here. */
  last: number | null;
  /** A file that it writes its findings to; empty if none. */
  results: string;
}

/** A loop that a review would run. */
export interface PlannedLoop {
  loop: number;
  name: string;
  commands: PlannedCommand[];
  /** Whether an agent's report is asked for besides the commands. */
  report: boolean;
  /** Why this loop is not asked for at all; empty if it is. */
  skip: string;
}

/** What a review would run, and on which files: the answer to `review --preview`. */
export interface ReviewPlan {
  tree: string;
  head: string;
  /** The digest of the loops as they are configured: what is trusted. */
  config: string;
  /** The digest of the list of files with their bytes. */
  manifest: string;
  /** Whether somebody has agreed that these commands may run. */
  trusted: boolean;
  /** The folder of the repository. */
  top: string;
  /** changed, all or paths. */
  scope: string;
  files: string[];
  /** Whether every file that would ship is in the scope. */
  covers: boolean;
  /** How long all commands took the last time. */
  seconds: number;
  loops: PlannedLoop[];
}

export type ReviewStep =
  | "loop-started"
  | "loop-skipped"
  | "loop-waits"
  | "loop-ended"
  | "command-started"
  | "command-ended"
  | "line";

/** One thing that happened in a review: a line of `review --events`. */
export interface ReviewEvent {
  event: ReviewStep;
  loop?: number;
  /** Of the loop. */
  name?: string;
  /** The command. */
  run?: string;
  /** A line that it printed. */
  text?: string;
  passed?: boolean;
  /** What the command ended with. */
  code?: number;
  /** Why it was skipped, or stopped. */
  why?: string;
  seconds?: number;
  issues?: IssueDocument[];
}

/** The answer to `review`. */
export interface ReviewDocument {
  /** Loops whose commands were run. */
  ran: number[];
  gate: GateDocument;
  passed: boolean;
}

/** The last line of `review --events`. */
export interface ReviewedEvent extends ReviewDocument {
  event: "reviewed";
}

/** The last of what the workbench says of a review. */
export interface EndedEvent {
  event: "ended";
  /** What the command ended with. */
  code: number;
  /** Why it failed; empty if it did not. */
  error: string;
}

/** The review of a project that was started in the workbench. */
export interface RunningReview {
  run: number;
  running: boolean;
}

/** A review was started. */
export interface RunDocument {
  run: number;
}

/** A review was told to stop. */
export interface StoppedDocument {
  /** Whether it still ran. */
  stopped: boolean;
}

/** The gate's answer, in the workbench. */
export interface GateScreen extends GateDocument {
  /** Whether the commands of the loops may run. */
  trusted: boolean;
  review: RunningReview | null;
}

/** The answer to `loop`: what an agent reported of one. */
export interface LoopReported {
  recorded: LoopDocument;
  gate: GateDocument;
}

/** The answer to `trust`. */
export interface TrustDocument {
  trusted: boolean;
  /** The digest of the loops that may run. */
  config?: string;
}

/** The answer to `ship`. */
export interface ShippedDocument {
  branch: string;
  /** Empty if there is none. */
  remote: string;
  /** What was approved, as git names it. */
  tree: string;
  /** Of the commit. */
  message: string;
  /** Somebody opened the gate although something spoke against it. */
  override: OverrideDocument | null;
  dry_run: boolean;
  commit: string | null;
  /** Whether it was made just now. */
  committed: boolean;
  /** Whether there was anything to push, and it was. */
  pushed: boolean;
  /** The ref of the signed statement. */
  statement: string | null;
  /** Its address. */
  pull_request: string | null;
  /** What landed is what was approved. */
  verified: boolean;
  /** What was not done, and why. */
  notes: string[];
  /** With `dry_run`: whether there is something to commit. */
  commits?: boolean;
  /** With `dry_run`: whether there is something to push besides. */
  pushes?: boolean;
}

/** Something that shipping is about to do. */
export interface ShipEvent {
  /** committing, pushing, or opening a pull request. */
  event: string;
  remote?: string;
  branch?: string;
}

/** The answer to `ship` when the gate is closed. */
export interface ShipRefused extends GateDocument {
  error: string;
  hint: string;
}

/** The answer to `gate override`. */
export interface OverrideMade extends GateDocument {
  /** The id of the override. */
  made: string;
}

/** The answer to `gate context`. */
export interface ContextDocument {
  /** The words for the model. */
  context: string;
}

/** The current commit became another one. */
export interface CommitMoved {
  from: string;
  to: string;
  from_branch: string;
  to_branch: string;
  /** How many went with it. */
  files: number;
}

/** What is known of a call besides its tool and its file. What else an agent says of its own stands there
under the agent's names. */
export interface CallAboutDocument {
  /** What a shell was given. */
  command?: string;
  /** What the agent says that it is for. */
  description?: string;
  /** The command goes on when the call has ended. */
  background?: boolean;
  /** Why the agent wants it, in its words. */
  reason?: string;
  /** Of a notebook: the cell that it names. */
  cell?: string;
  /** The files that an edit names, if several. */
  paths?: string[];
  /** A file outside the project, which was not looked at. */
  outside?: string;
  /** Folders in which files came or went that are not itemised: path, number before, number now. */
  counted?: (string | number)[][];
  /** The current commit became another. */
  git?: CommitMoved;
  /** How many processes it left behind, which may change more. */
  stays?: number;
  /** What could not be looked at, and why. */
  gap?: string;
  /** Folders that could not be looked into. */
  closed?: string[];
  /** Its end was not seen, and a file it names has changed since. */
  unseen?: boolean;
  /** Why no proposal could be made of it. */
  why?: string;
  /** How it failed, as the agent says. */
  error?: string;
  /** Somebody stopped it. */
  interrupted?: boolean;
  /** The stream that it wrote broke off. */
  incomplete?: boolean;
  /** The model that the agent says it works with. */
  model?: string;
  /** The sub-agent that made it, as the agent names it: id and type. */
  subagent?: Record<string, string>;
  /** Somebody changed it in the agent's own dialogue. */
  user_modified?: boolean;
  /** The agent itself held it back. */
  staged?: boolean;
  /** Ties calls together, as the next five do: Claude Code's name of the prompt. */
  prompt?: string;
  /** Of Codex: its name of the turn. */
  turn?: string;
  /** Of opencode: its name of the message. */
  message?: string;
  /** Of Cursor: its name of the answer. */
  generation?: string;
  /** Of Windsurf: its name of what it does for a prompt. */
  execution?: string;
  /** Of Cursor: the call that it belongs to. */
  parent?: string;
}

/** One tool that an agent called, and what became of it. */
export interface CallDocument {
  id: string;
  turn: string;
  /** The sub-agent that made it; null if the agent itself did. */
  subagent: string | null;
  tool: string;
  /** The file that it named. */
  path: string | null;
  started: string;
  /** Null while it runs. */
  ended: string | null;
  /** done, failed, held, lost; empty while it runs. */
  outcome: string;
  /** What the agent said of it, and what was found out at its end. */
  about: CallAboutDocument;
}

/** A tool call and its hunks. */
export interface CallGroup extends CallDocument, GroupDocument {}

/** `show` of a call. */
export interface CallShown extends CallGroup {
  kind: "call";
}

/** One that an agent has working for it in a turn. */
export interface SubagentDocument {
  id: string;
  turn: string;
  /** As its agent calls it: general-purpose, say. */
  type: string;
  /** What it is for, in the agent's words; empty if that is not known. */
  description: string;
  started: string;
  /** Null while it works. */
  ended: string | null;
}

/** A sub-agent and its hunks. */
export interface SubagentGroup extends SubagentDocument, GroupDocument {}

/** `show` of a sub-agent. */
export interface SubagentShown extends SubagentGroup {
  kind: "subagent";
}

/** One request to an agent and all it did until it stopped. */
export interface TurnDocument {
  id: string;
  /** Empty if it was not seen. */
  prompt: string;
  agent: string;
  conversation: string;
  started: string;
  /** Null while it runs. */
  ended: string | null;
}

/** A turn and its hunks, those of its sub-agents included. */
export interface TurnGroup extends TurnDocument, GroupDocument {
  subagents: SubagentGroup[];
}

/** `show` of a turn. */
export interface TurnShown extends TurnGroup {
  kind: "turn";
}

/** A turn in the overview of a project. */
export interface TurnEntry extends TurnDocument, CountedDocument {
  calls: CallGroup[];
  subagents: SubagentGroup[];
}

// The projects that are open: how each stands, and what is undecided in it.
import { Disposable, EventEmitter, Uri, window } from "vscode";
import type {
  CountsDocument,
  EditorNews,
  GateSummary,
  HunkEntry,
  Mode,
  OverviewDocument,
  OverviewPatch,
  StatusDocument,
} from "../../../frontend/src/wire/contract";
import { patched } from "../../../frontend/src/rules/patching";
import { shownFile } from "./open-texts";
import type { Server } from "./server";

export interface Standing {
  root: string;
  counts: CountsDocument;
  gate: GateSummary;
  mode: Mode;
}

export function fileOf(root: string, path: string): Uri {
  return Uri.file(`${root}/${path}`);
}

export class Projects {
  private readonly standings = new Map<string, Standing>();
  private readonly overviews = new Map<string, Promise<OverviewDocument>>();
  /** What was told last, of which the server tells only what has changed. */
  private readonly told = new Map<string, OverviewDocument>();
  private readonly changed = new EventEmitter<void>();
  private readonly subscriptions: Disposable;
  readonly onChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.subscriptions = Disposable.from(
      server.onStart(() => void this.begin()),
      server.onNews(news => this.learn(news)),
    );
  }

  get all(): Standing[] {
    return [...this.standings.values()];
  }

  private async begin(): Promise<void> {
    type Found = { projects: { root: string }[] };
    const { projects } = await this.server.ask<Found>("blueline/projects");
    this.standings.clear();
    this.overviews.clear();
    this.told.clear();
    for (const { root } of projects) {
      const { counts, gate, mode } = await this.server.ask<StatusDocument>("blueline/status", { root });
      this.standings.set(root, { root, counts, gate, mode });
    }
    this.changed.fire();
  }

  private learn({ root, counts, gate, mode }: EditorNews): void {
    this.standings.set(root, { root, counts, gate, mode });
    this.overviews.delete(root);
    this.changed.fire();
  }

  /** Everything in a project, asked for when somebody wants it. */
  overview(root: string): Promise<OverviewDocument> {
    let found = this.overviews.get(root);
    if (!found) {
      found = this.ask(root);
      this.overviews.set(root, found);
      found.catch(() => this.overviews.delete(root));
    }
    return found;
  }

  /** What is known is older than a decision that was just made: news of it come later. */
  forget(root: string): void {
    this.overviews.delete(root);
  }

  private async ask(root: string): Promise<OverviewDocument> {
    const told = this.told.get(root);
    const given = told ? { root, known: told.version } : { root };
    const answer = await this.server.ask<OverviewDocument | OverviewPatch>("blueline/overview", given);
    const found = "since" in answer ? told && patched(told, answer) : answer;
    if (!found) {
      this.told.delete(root);
      return this.ask(root);
    }
    this.told.set(root, found);
    return found;
  }

  /** What is undecided in a project, file by file, as it is listed. */
  async pending(root: string): Promise<HunkEntry[]> {
    return (await this.overview(root)).hunks;
  }

  /** What is undecided in a file, in order. */
  async pendingIn(file: Uri): Promise<HunkEntry[]> {
    const root = this.rootOf(file);
    if (root === undefined) return [];
    return (await this.pending(root)).filter(({ path }) => `${root}/${path}` === file.fsPath);
  }

  /** The project that a file is in, the innermost if there are several. */
  rootOf(file: Uri): string | undefined {
    const roots = [...this.standings.keys()].filter(root => file.fsPath.startsWith(`${root}/`));
    return roots.sort((one, other) => other.length - one.length)[0];
  }

  /** The project that a command is about: the active file's, the only one, or the one that is picked. */
  async current(): Promise<string | undefined> {
    const active = shownFile();
    const found = active && this.rootOf(active);
    const roots = [...this.standings.keys()];
    if (found || roots.length < 2) return found ?? roots[0];
    return window.showQuickPick(roots, { title: "Which project?" });
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}

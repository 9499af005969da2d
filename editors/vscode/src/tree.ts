// What is undecided, by turn, by call or by file.
import {
  commands,
  Disposable,
  EventEmitter,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from "vscode";
import type { CallGroup, HunkEntry, OverviewDocument } from "../../../frontend/src/wire/contract";
import { fileOf, type Projects, type Standing } from "./projects";
import { type About, digests } from "./verbs";
import { count, deed, isWhole, placeIn, plain, printable } from "./words";

type Grouping = "turn" | "call" | "file";
const GROUPINGS: Grouping[] = ["turn", "call", "file"];

/** A row; buttons on it are about what it stands for. */
export interface Row extends About {
  key: string;
  root: string;
  kind: "project" | Grouping | "hunk";
  label: string;
  description: string;
  hunk?: HunkEntry;
  below: Row[];
}

export class Tree implements TreeDataProvider<Row> {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private grouping: Grouping = "turn";

  constructor(private readonly projects: Projects) {}

  register(): Disposable {
    const view = window.createTreeView<Row>("blueline.review", {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    const refresh = () => {
      const standings = this.projects.all;
      const value = standings.reduce((sum, { counts }) => sum + counts.hunks, 0);
      view.badge = value > 0 ? { value, tooltip: `${count(value, "undecided change")}` } : undefined;
      view.description = `by ${this.grouping}`;
      view.message = standings.map(gateLine).filter(Boolean).join("\n");
      void commands.executeCommand("setContext", "blueline.undecided", value);
      this.changed.fire();
    };
    return Disposable.from(
      view,
      this.projects.onChange(refresh),
      commands.registerCommand("blueline.group", () => {
        this.grouping = GROUPINGS[(GROUPINGS.indexOf(this.grouping) + 1) % GROUPINGS.length] ?? "turn";
        refresh();
      }),
      commands.registerCommand("blueline.showReview", () => commands.executeCommand("blueline.review.focus")),
      commands.registerCommand("blueline.diffRow", (row: Row) => this.diff(row)),
    );
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) return row.below;
    const standings = this.projects.all.filter(({ counts }) => counts.hunks > 0);
    const found = await Promise.all(
      standings.map(async ({ root }) => this.rows(await this.projects.overview(root))),
    );
    if (found.length < 2) return found.flat();
    return standings.map(({ root, counts }, number) => ({
      ...{ key: root, root, kind: "project" as const, label: root.slice(root.lastIndexOf("/") + 1) },
      ...{ description: String(counts.hunks), below: found[number] ?? [] },
    }));
  }

  getTreeItem(row: Row): TreeItem {
    const state = row.hunk ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Expanded;
    const item = new TreeItem(row.label, state);
    item.id = row.key;
    item.description = row.description;
    item.contextValue = row.kind;
    item.tooltip = row.label;
    if (row.kind === "file") item.resourceUri = fileOf(row.root, row.label);
    item.iconPath = row.kind === "file" ? ThemeIcon.File : new ThemeIcon(ICONS[row.kind]);
    if (row.hunk) item.command = { title: "Show", command: "blueline.goTo", arguments: [row.root, row.hunk] };
    return item;
  }

  private rows(overview: OverviewDocument): Row[] {
    const { root } = overview.project;
    if (this.grouping === "file") return files(root, overview.hunks, root);
    const turns = overview.turns.filter(turn => turn.counts.pending > 0).reverse();
    const known = new Set(turns.map(turn => turn.id));
    const byTurn = grouped(overview.hunks, hunk => hunk.turn ?? "");
    const rows = turns.map(turn => {
      const own = byTurn.get(turn.id) ?? [];
      const below = this.grouping === "turn" ? files(root, own, turn.id) : calls(root, turn.calls, own);
      const label = printable(turn.prompt || turn.id, 100);
      const description = `${turn.id} ${printable(turn.agent, 30)}, ${own.length}`;
      return {
        key: `${root} ${turn.id}`,
        root,
        kind: "turn" as const,
        label,
        description,
        selector: turn.id,
        below,
      };
    });
    const others = overview.hunks.filter(hunk => hunk.turn === null || !known.has(hunk.turn));
    return [...rows, ...files(root, others, "others")];
  }

  private async diff(row: Row): Promise<void> {
    const paths = [...new Set(hunksOf(row).map(hunk => hunk.path))];
    const [first] = paths;
    if (paths.length === 1 && first !== undefined) {
      await commands.executeCommand(
        "blueline.diffFile",
        fileOf(row.root, first),
        row.hunk && Math.max(0, row.hunk.new_start - 1),
      );
    } else {
      const title = plain(row.label, 40);
      await commands.executeCommand("blueline.diffAll", { root: row.root, paths, title });
    }
  }
}

const ICONS = {
  project: "root-folder",
  turn: "comment-discussion",
  call: "tools",
  hunk: "diff-modified",
} as const;

function gateLine({ gate, counts }: Standing): string {
  if (counts.hunks > 0 || gate.open) return "";
  return `Everything is decided. The gate is closed: ${printable(gate.reasons[0]?.message ?? "")}`;
}

function hunksOf(row: Row): HunkEntry[] {
  return row.hunk ? [row.hunk] : row.below.flatMap(hunksOf);
}

/** Hunks by a word, in the order in which each word came first. */
function grouped(hunks: HunkEntry[], word: (hunk: HunkEntry) => string): Map<string, HunkEntry[]> {
  const found = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    const own = found.get(word(hunk));
    if (own) own.push(hunk);
    else found.set(word(hunk), [hunk]);
  }
  return found;
}

function calls(root: string, all: CallGroup[], hunks: HunkEntry[]): Row[] {
  const byCall = grouped(hunks, hunk => hunk.call ?? "");
  return all
    .map(call => ({ call, own: byCall.get(call.id) ?? [] }))
    .filter(({ own }) => own.length > 0)
    .map(({ call, own }) => ({
      ...{ key: `${root} ${call.id}`, root, kind: "call" as const, selector: call.id },
      label: printable(`${call.tool} ${call.path ?? call.about.command ?? ""}`),
      description: `${call.id}, ${own.length}`,
      below: own.map(hunk => leaf(root, hunk, call.id, true)),
    }));
}

function files(root: string, hunks: HunkEntry[], within: string): Row[] {
  return [...grouped(hunks, hunk => hunk.path)].map(([path, own]) => ({
    ...{ key: `${root} ${within} ${path}`, root, kind: "file" as const, label: path },
    description: String(own.length),
    hunks: digests(own),
    below: own.map(hunk => leaf(root, hunk, within, false)),
  }));
}

function leaf(root: string, hunk: HunkEntry, within: string, withPath: boolean): Row {
  const [place, done] = isWhole(hunk) ? [deed(hunk), ""] : [placeIn(hunk), deed(hunk)];
  return {
    ...{ key: `${root} ${within} ${hunk.id}`, root, kind: "hunk", below: [], hunk },
    label: withPath ? `${printable(hunk.path)}, ${place}` : place,
    description: done,
    hunks: { [hunk.id]: hunk.digest },
  };
}

// A dot at each file with something undecided, in the explorer and in tabs.
import {
  Disposable,
  EventEmitter,
  type FileDecoration,
  type FileDecorationProvider,
  Uri,
  window,
} from "vscode";
import type { Projects } from "./projects";
import { count } from "./words";

export class Dots implements FileDecorationProvider {
  private readonly changed = new EventEmitter<Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private counts = new Map<string, number>();

  constructor(private readonly projects: Projects) {}

  register(): Disposable {
    return Disposable.from(
      window.registerFileDecorationProvider(this),
      this.projects.onChange(() => void this.count()),
    );
  }

  private async count(): Promise<void> {
    const found = new Map<string, number>();
    for (const { root } of this.projects.all) {
      for (const { path, pending } of (await this.projects.overview(root)).files) {
        if (pending > 0) found.set(`${root}/${path}`, pending);
      }
    }
    const before = this.counts;
    this.counts = found;
    const files = new Set([...before.keys(), ...found.keys()]);
    const changed = [...files].filter(file => before.get(file) !== found.get(file));
    if (changed.length > 0) this.changed.fire(changed.map(file => Uri.file(file)));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const pending = uri.scheme === "file" ? this.counts.get(uri.fsPath) : undefined;
    if (pending === undefined) return undefined;
    return { badge: "●", tooltip: count(pending, "undecided change"), propagate: true };
  }
}

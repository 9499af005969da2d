// A dot at each file with something undecided, in the explorer and in tabs.
import {
  Disposable,
  EventEmitter,
  type FileDecoration,
  type FileDecorationProvider,
  type Uri,
  window,
} from "vscode";
import { fileOf, type Projects } from "./projects";
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
    const files = new Map<string, Uri>();
    for (const { root } of this.projects.all) {
      for (const { path, pending } of (await this.projects.overview(root)).files) {
        const uri = fileOf(root, path);
        files.set(uri.toString(), uri);
        if (pending > 0) found.set(uri.toString(), pending);
      }
    }
    const before = this.counts;
    this.counts = found;
    this.changed.fire([...files].filter(([key]) => before.get(key) !== found.get(key)).map(([, uri]) => uri));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const pending = this.counts.get(uri.toString());
    if (pending === undefined) return undefined;
    return { badge: "●", tooltip: count(pending, "undecided change"), propagate: true };
  }
}

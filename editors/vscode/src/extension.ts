// Reviews in VS Code: `blueline lsp` knows, this shows.
import { type ExtensionContext, languages, window, workspace } from "vscode";
import { PROPOSED, registerDiffs, registerSides } from "./agreed";
import { Cells } from "./cells";
import { Deciding } from "./deciding";
import { Dots } from "./dots";
import { Going } from "./going";
import { Gutter } from "./gutter";
import { registerKeys } from "./keys";
import { Lenses } from "./lenses";
import { followTexts } from "./open-texts";
import { Notes } from "./notes";
import { PlacedHunks } from "./placed";
import { Projects } from "./projects";
import { Server } from "./server";
import { registerStatus } from "./status";
import { tintEditors } from "./tint";
import { Tree } from "./tree";
import { Verbs } from "./verbs";
import { Why } from "./why";

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("Blueline", { log: true });
  const { version } = context.extension.packageJSON as { version: string };
  const server = new Server(version, log);
  // First of all who listens to the server's start: texts are told of before anybody asks about them.
  const texts = followTexts(server);
  const placed = new PlacedHunks(server);
  const projects = new Projects(server);
  const cells = new Cells(projects);
  const going = new Going(projects, placed, cells);
  const files = [{ scheme: "file" }, { scheme: PROPOSED }];
  context.subscriptions.push(
    ...[log, texts, placed, projects, server],
    registerSides(server),
    languages.registerCodeLensProvider(files, new Lenses(placed)),
    languages.registerHoverProvider(files, new Why(server, placed)),
    tintEditors(placed),
    new Tree(projects).register(),
    new Dots(projects).register(),
    registerStatus(projects),
    registerDiffs(projects),
    registerKeys(),
    new Gutter(projects, placed).register(),
    new Notes(server, projects, placed).register(),
    cells.register(),
    going.register(),
    new Verbs(server, projects, placed, cells, new Deciding(server, projects), going).register(),
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration("blueline.command")) server.restart();
    }),
  );
  server.start();
}

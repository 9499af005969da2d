// `blueline lsp`: started when there is a project, asked, listened to, and started anew if it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { commands, EventEmitter, type LogOutputChannel, window, workspace } from "vscode";
import type { EditorNews } from "../../../frontend/src/wire/contract";
import { Connection } from "./connection";
import { findProgram } from "./program";

const MOST_STARTS = 3;
const QUICK_END_MS = 20_000;

export class Server {
  private readonly news = new EventEmitter<EditorNews>();
  private readonly started = new EventEmitter<void>();
  readonly onNews = this.news.event;
  /** It is there, for the first time or again. */
  readonly onStart = this.started.event;
  private process: ChildProcess | undefined;
  private connecting: Promise<Connection> | undefined;
  private live: Connection | undefined;
  private quickEnds = 0;
  private isLeaving = false;
  /** News that nobody has heard yet, while somebody waits for something else. */
  private kept: EditorNews[] | undefined;
  program: string | undefined;

  constructor(
    private readonly version: string,
    private readonly log: LogOutputChannel,
  ) {}

  /** Asks; the server is started if it is not there. What was told before is known by then. */
  async ask<Result>(method: string, params: object = {}): Promise<Result> {
    return (this.live ?? (await this.connected())).ask<Result>(method, params);
  }

  /** Tells a server that is there. One that comes later is told at its start what is open. */
  tell(method: string, params: object): void {
    this.live?.tell(method, params);
  }

  /** Does something that a person waits for. What is drawn because of news would be in its way. */
  async beforeNews<Result>(act: () => Promise<Result>): Promise<Result> {
    this.kept ??= [];
    try {
      return await act();
    } finally {
      const { kept } = this;
      this.kept = undefined;
      kept?.forEach(one => this.news.fire(one));
    }
  }

  start(): void {
    this.connected().catch((error: Error) => this.log.warn(error.message));
  }

  restart(): void {
    this.quickEnds = 0;
    this.stop();
    this.isLeaving = false;
    this.start();
  }

  private connected(): Promise<Connection> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  private async connect(): Promise<Connection> {
    const program = await findProgram();
    if (program === undefined) {
      void this.offerToChoose();
      throw new Error("the command blueline was not found");
    }
    this.program = program;
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const begun = Date.now();
    const child = spawn(program, ["lsp"], { cwd: folders[0]?.uri.fsPath, stdio: "pipe" });
    const connection = new Connection(child.stdin, child.stdout, (method, params) =>
      this.heard(method, params),
    );
    this.process = child;
    child.stderr.on("data", (part: Buffer) => this.log.info(part.toString().trimEnd()));
    child.on("error", error => this.log.error(error));
    child.on("close", code => this.ended(child, connection, code, Date.now() - begun));
    await connection.ask("initialize", {
      processId: process.pid,
      capabilities: {},
      workspaceFolders: folders.map(({ uri, name }) => ({ uri: uri.toString(), name })),
      initializationOptions: { draws: true, version: this.version },
    });
    connection.tell("initialized", {});
    this.live = connection;
    this.started.fire();
    return connection;
  }

  private heard(method: string, params: unknown): void {
    if (method === "blueline/changed") {
      const news = params as EditorNews;
      if (this.kept) this.kept.push(news);
      else this.news.fire(news);
    } else if (method === "window/showMessage") {
      const { type, message } = params as { type: number; message: string };
      void (type === 1 ? window.showErrorMessage(message) : window.showWarningMessage(message));
    } else if (method === "window/logMessage") {
      this.log.info((params as { message: string }).message);
    }
  }

  private ended(child: ChildProcess, connection: Connection, code: number | null, lived: number): void {
    connection.end();
    if (this.process !== child) return;
    this.process = this.connecting = this.live = undefined;
    if (this.isLeaving) return;
    this.log.warn(`blueline lsp ended with ${code}`);
    this.quickEnds = lived < QUICK_END_MS ? this.quickEnds + 1 : 0;
    if (this.quickEnds < MOST_STARTS) this.start();
    else void this.offerToRestart();
  }

  // Asked once: whoever asks for something later gets the same refusal, until the setting is another.
  private async offerToChoose(): Promise<void> {
    const choose = "Choose…";
    const said =
      "Blueline: the command blueline was not found. Install it on the machine that the files are on, or";
    const answer = await window.showWarningMessage(`${said} say where it is.`, choose);
    if (answer === choose) await commands.executeCommand("workbench.action.openSettings", "blueline.command");
  }

  private async offerToRestart(): Promise<void> {
    this.connecting = Promise.reject(new Error("the server does not start"));
    this.connecting.catch(() => undefined);
    const [again, show] = ["Try again", "Show what it said"];
    const answer = await window.showErrorMessage("Blueline: its server does not start.", again, show);
    if (answer === again) this.restart();
    if (answer === show) this.log.show();
  }

  private stop(): void {
    this.isLeaving = true;
    // It ends with its standard input.
    this.process?.stdin?.end();
    this.process = this.connecting = this.live = undefined;
  }

  dispose(): void {
    this.stop();
    this.news.dispose();
    this.started.dispose();
  }
}

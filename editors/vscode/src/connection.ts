// Messages of the Language Server Protocol over the standard input and output of a process.
import type { Readable, Writable } from "node:stream";

const NO_SUCH_METHOD = -32601;

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Connection {
  private readonly waiting = new Map<number, Waiting>();
  private received = Buffer.alloc(0);
  private last = 0;
  private isOver = false;

  constructor(
    private readonly input: Writable,
    output: Readable,
    private readonly heard: (method: string, params: unknown) => void,
  ) {
    output.on("data", (part: Buffer) => this.receive(part));
    // A process that is gone is noticed where it was started.
    input.on("error", () => undefined);
  }

  ask<Result>(method: string, params: unknown): Promise<Result> {
    if (this.isOver) return Promise.reject(new Error("the server has ended"));
    const id = ++this.last;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: result => resolve(result as Result), reject });
    });
  }

  tell(method: string, params: unknown): void {
    if (!this.isOver) this.send({ method, params });
  }

  /** Nobody gets an answer any more. */
  end(): void {
    this.isOver = true;
    for (const one of this.waiting.values()) one.reject(new Error("the server has ended"));
    this.waiting.clear();
  }

  private send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.input.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.input.write(body);
  }

  private receive(part: Buffer): void {
    this.received = Buffer.concat([this.received, part]);
    for (;;) {
      const end = this.received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.received.toString("latin1", 0, end));
      const start = end + 4;
      const stop = start + Number(length?.[1] ?? 0);
      if (this.received.length < stop) return;
      const body = this.received.toString("utf8", start, stop);
      this.received = this.received.subarray(stop);
      this.take(JSON.parse(body) as Message);
    }
  }

  private take(message: Message): void {
    if (message.method === undefined) {
      const id = Number(message.id);
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      const { error } = message;
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(message.result);
    } else if (message.id === undefined) {
      this.heard(message.method, message.params);
    } else {
      const error = { code: NO_SUCH_METHOD, message: `no ${message.method} here` };
      this.send({ id: message.id, error });
    }
  }
}

// Runs what a test sends, where extensions run. It is installed by tests alone.
const { randomBytes } = require("node:crypto");
const { createServer } = require("node:http");
const { renameSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");

const AsyncFunction = (async () => undefined).constructor;
const secret = randomBytes(16).toString("hex");

exports.activate = () => {
  const place = process.env.BLUELINE_TEST_DRIVER;
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    let answer;
    try {
      if (request.headers.authorization !== secret) throw new Error("who is this?");
      const value = await new AsyncFunction("vscode", Buffer.concat(parts).toString())(vscode);
      answer = { value: value ?? null };
    } catch (error) {
      answer = { error: String(error?.stack ?? error) };
    }
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1", () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    writeFileSync(`${place}.new`, JSON.stringify({ port: server.address().port, secret, folder }));
    renameSync(`${place}.new`, place);
  });
};

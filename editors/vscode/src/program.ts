// Where the command `blueline` is. Editors that are started by a click know no PATH of a shell.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { workspace } from "vscode";

const NAME = "blueline";

/** The command's path; undefined if it is nowhere. A folder that nobody trusts is not looked into. */
export async function findProgram(): Promise<string | undefined> {
  const wanted = workspace.getConfiguration("blueline").get<string>("command", "").trim();
  if (wanted) return isAbsolute(wanted) && (await isProgram(wanted)) ? wanted : undefined;
  for (const folder of places()) {
    const path = join(folder, NAME);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

function places(): string[] {
  const home = homedir();
  const own = workspace.isTrusted
    ? (workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === "file")
        .flatMap(({ uri }) => [join(uri.fsPath, ".venv", "bin"), join(uri.fsPath, "venv", "bin")])
    : [];
  return [
    ...(process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute),
    ...[join(home, ".local", "bin"), "/usr/local/bin", "/opt/homebrew/bin"],
    ...own,
  ];
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

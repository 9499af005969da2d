/** Files in the folders that they are in. */

import type { FileEntry } from "../wire/contract";

export interface Folder {
  path: string;
  name: string;
  folders: readonly Folder[];
  files: readonly FileEntry[];
}

export interface Tree {
  files: readonly FileEntry[];
  root: Folder;
}

/** The tree of some files. Folders in which nothing is other than before are the very ones from before. */
export function treeOf(files: readonly FileEntry[], before: Tree | null = null): Tree {
  if (before?.files === files) return before;
  const isSame = before?.files.length === files.length && files.every(isAt(before.files));
  return { files, root: isSame ? withEntries(before, files) : joined(built(files)) };
}

function isAt(before: readonly FileEntry[]): (entry: FileEntry, place: number) => boolean {
  return (entry, place) => entry === before[place] || entry.path === before[place]?.path;
}

/** The same paths, of some of which something else is known. */
function withEntries({ files: before, root }: Tree, files: readonly FileEntry[]): Folder {
  const others = files.filter((entry, place) => entry !== before[place]);
  return others.reduce(withEntry, root);
}

function withEntry(folder: Folder, entry: FileEntry): Folder {
  const replace = (file: FileEntry) => (file.path === entry.path ? entry : file);
  const isAround = ({ path }: Folder) => entry.path.startsWith(`${path}/`);
  return folder.folders.some(isAround)
    ? { ...folder, folders: folder.folders.map(one => (isAround(one) ? withEntry(one, entry) : one)) }
    : { ...folder, files: folder.files.map(replace) };
}

interface Building {
  path: string;
  name: string;
  folders: Map<string, Building>;
  files: FileEntry[];
}

function built(files: readonly FileEntry[]): Building {
  const root: Building = { path: "", name: "", folders: new Map(), files: [] };
  for (const entry of files) {
    let here = root;
    const parts = entry.path.split("/");
    for (const name of parts.slice(0, -1)) {
      const path = here.path ? `${here.path}/${name}` : name;
      let next = here.folders.get(name);
      if (!next) here.folders.set(name, (next = { path, name, folders: new Map(), files: [] }));
      here = next;
    }
    here.files.push(entry);
  }
  return root;
}

/** A folder that holds one folder and nothing else is shown together with it. */
function joined(folder: Building): Folder {
  const folders = [...folder.folders.values()].map(child => {
    let here = child;
    let name = child.name;
    while (!here.files.length && here.folders.size === 1) {
      here = [...here.folders.values()][0] as Building;
      name = `${name}/${here.name}`;
    }
    return { ...joined(here), name };
  });
  return { ...folder, folders };
}

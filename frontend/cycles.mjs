// No modules import each other in a circle, types included: what two of them share is a module of its own.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "src");
const names = readdirSync(root, { recursive: true }).filter(name => /\.tsx?$/.test(name));
const modules = new Map(names.map(name => [name.replace(/\.tsx?$/, ""), importsOf(name)]));

function importsOf(name) {
  const text = readFileSync(join(root, name), "utf8");
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path]) => relative(root, resolve(root, dirname(name), path)));
}

const seen = new Set();
const cycles = [];

/** Follows every import once; one that leads back to where it came from closes a circle. */
function follow(name, way) {
  if (way.includes(name)) cycles.push([...way.slice(way.indexOf(name)), name]);
  if (seen.has(name)) return;
  seen.add(name);
  for (const next of modules.get(name) ?? []) follow(next, [...way, name]);
}

for (const name of modules.keys()) follow(name, []);
for (const cycle of cycles) console.error(`These import each other: ${cycle.join(" -> ")}`);
process.exit(cycles.length ? 1 : 0);

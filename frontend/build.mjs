// Builds the page into the Python package. The same sources and packages give the same bytes.
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "../blueline/surfaces/web/_static"));

const WIDEST_LINE = 50_000; // One line of half a megabyte is more than some tools can open.

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx", languages: "src/editor/languages.ts", style: "src/style/style.css" },
  outdir: target,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  lineLimit: WIDEST_LINE,
  chunkNames: "[name]",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  logLevel: "warning",
});

for (const name of ["index.html", "icon.svg"]) await cp(join(here, "src", name), join(target, name));
await writeFile(join(target, "licenses.txt"), await licenses(metafile));

// The packages that are bundled ask that their licence goes along. Many have the same one.
async function licenses({ inputs }) {
  const packages = Object.keys(inputs).map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  const byText = new Map();
  for (const name of [...new Set(packages)].filter(Boolean).sort()) {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    const text = (await readFile(join(folder, file), "utf8")).trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return parts.join(`\n${"-".repeat(72)}\n\n`);
}

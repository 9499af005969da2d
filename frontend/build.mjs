// Builds the page into the Python package. The same sources and packages give the same bytes.
import { build } from "esbuild";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "../blueline/surfaces/web/_static"));

const WIDEST_LINE = 50_000; // One line of half a megabyte is more than some tools can open.

// A family of languages in one file, each made by a call: unmarked, those that nobody uses would be kept.
const unusedModes = {
  name: "unused-modes",
  setup: ({ onLoad }) =>
    onLoad({ filter: /legacy-modes[/\\]mode[/\\]clike\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const marked = source.replace(/(?<== )clike\(|(?<=: )(?:words|cppHook)\(/g, "/* @__PURE__ */ $&");
      return { contents: marked, loader: "js" };
    }),
};

const { metafile, outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: {
    first: "src/first.ts",
    app: "src/main.tsx",
    languages: "src/editor/languages.ts",
    style: "src/style/style.css",
  },
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
  plugins: [unusedModes],
  metafile: true,
  write: false,
  logLevel: "warning",
});

const made = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
for (const name of ["index.html", "icon.svg"]) made.set(name, await readFile(join(here, "src", name)));
made.set("licenses.txt", Buffer.from(await licenses(metafile)));

// A workbench that is running reads these files: each is there in full at any time.
await mkdir(target, { recursive: true });
for (const [name, contents] of made) {
  const path = join(target, name);
  const known = await readFile(path).catch(() => null);
  if (known?.equals(contents)) continue;
  await writeFile(`${path}.${process.pid}`, contents);
  await rename(`${path}.${process.pid}`, path);
}
for (const name of await readdir(target)) {
  if (!made.has(name)) await rm(join(target, name), { recursive: true });
}

// The packages that are bundled ask that their licence goes along. Many have the same one, but for whose it is.
async function licenses({ inputs }) {
  const packages = Object.keys(inputs).map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  const byText = new Map();
  for (const name of [...new Set(packages)].filter(Boolean).sort()) {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    const text = (await readFile(join(folder, file), "utf8")).trim();
    const [owner] = /^Copyright .*$/m.exec(text);
    const rest = text
      .replace(owner, "")
      .replace(/^(?:The )?MIT License(?: \(MIT\))?$/im, "")
      .replace(/\s+/g, " ")
      .trim();
    const names = byText.get(rest) ?? [];
    byText.set(rest, [...names, `${name} ${version}\n  ${owner}`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${wrapped(text)}\n`);
  return parts.join(`\n${"-".repeat(72)}\n\n`);
}

function wrapped(text) {
  return text.replace(/(.{1,100})(?: |$)/g, "$1\n").trimEnd();
}

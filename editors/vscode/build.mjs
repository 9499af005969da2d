// Bundles the extension into dist/extension.js. The same sources and packages give the same bytes.
import { build } from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

await build({
  absWorkingDir: dirname(fileURLToPath(import.meta.url)),
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

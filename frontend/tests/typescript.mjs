// Lets `node --test` import the sources as they are.
import { build } from "esbuild";
import { registerHooks } from "node:module";

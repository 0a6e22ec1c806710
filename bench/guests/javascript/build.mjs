// Makes the component: `node build.mjs WIT OUT`. Everything else stays as it comes.
//
// `package.json` asks for `preview2-shim` too: componentize-js needs it and does not
// say so. From 0.26 on it shows no folders, and the contract would not be found.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { componentize } from "@bytecodealliance/componentize-js";

const [wit, out] = process.argv.slice(2);
if (out === undefined) {
  console.error("error: give the folder of the contract and the file to write");
  process.exit(2);
}
const { component } = await componentize({
  sourcePath: fileURLToPath(new URL("tool.js", import.meta.url)),
  witPath: wit,
  worldName: "plugin",
});
await writeFile(out, component);

// The process that `run-agent` and workers start for each agent run.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { openShim } = await import("./open-shim.ts");
const { backends } = await import("../runner/backends/backends.ts");
process.exit(await openShim(process.argv.slice(2), (name) => backends.find((each) => each.name === name) ?? null));

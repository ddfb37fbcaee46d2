// The shim of agent runs in tests of the agent engine: the real one, with the real backends.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { openShim } = await import("../../../src/main/open-shim.ts");
const { requireBackend } = await import("../../../src/runner/backends/backends.ts");
process.exit(await openShim(process.argv.slice(2), requireBackend));

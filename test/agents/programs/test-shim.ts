// The shim of jobs in tests: the real one, with the backend of tests beside the real ones.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { openShim } = await import("../../../src/main/open-shim.ts");
const { backends } = await import("../../../src/runner/backends/backends.ts");
const { testBackend } = await import("../test-backend.ts");
const known = [testBackend, ...backends];
process.exit(await openShim(process.argv.slice(2), (name) => known.find((each) => each.name === name) ?? null));

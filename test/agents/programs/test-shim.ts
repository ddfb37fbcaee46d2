// The shim of jobs in tests: the real one, with the backend of tests.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { openShim } = await import("../../../src/main/open-shim.ts");
const { testBackend } = await import("../test-backend.ts");
process.exit(await openShim(process.argv.slice(2), (name) => (name === "command" ? testBackend : null)));

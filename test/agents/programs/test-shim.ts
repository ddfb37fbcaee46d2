// The shim of jobs in tests: the real one, with the backend of tests in place of programs.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { openShim } = await import("../../../src/main/open-shim.ts");
const { loadBackend } = await import("../../../src/runner/backends/load-backend.ts");
const { testBackend } = await import("../test-backend.ts");
process.exit(
  await openShim(process.argv.slice(2), async (name) => (name === testBackend.name ? testBackend : loadBackend(name))),
);

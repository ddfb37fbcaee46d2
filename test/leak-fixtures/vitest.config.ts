// Runs the fixtures, each of which leaves something behind, under the same watch as our real tests.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/leak-fixtures/*.leak.ts"],
    globalSetup: "test/helpers/leak-check-end.ts",
    setupFiles: "test/helpers/leak-check.ts",
    pool: "forks",
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 1,
    reporters: "json",
    provide: { leakGraceMs: 500 },
  },
});

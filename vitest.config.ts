// Four kinds of tests: `unit` touches nothing outside, `db` has a PostgreSQL, `process` starts servers and databases of its
// own, `browser` drives Chromium.

import { defineConfig } from "vitest/config";
import { patienceMs, testLimitMs } from "./test/helpers/patience.ts";

/** Folders whose code can do no I/O, or none but to a server that the test itself brings: they need no database. */
const pure = [
  "src/{lib,domain,protocol,prompts}/**/*.test.ts",
  "web/src/**/*.test.{ts,tsx}",
  "test/tidy.test.ts",
  "src/llm/**/*.test.ts",
  "test/lab/**/*.test.ts",
  "test/peers/**/*.test.ts",
  "test/sim/{sim,sweep,planted-bugs}.test.ts",
  "test/helpers/vitest-run.test.ts",
];
/** They bring their own database, so a second PostgreSQL would tell nothing new. */
const processes = [
  "src/db/embedded/**/*.test.ts",
  "src/files/**/*.test.ts",
  "src/runner/**/*.test.ts",
  "test/process/**/*.test.ts",
  "test/chaos/**/*.test.ts",
];
const browser = ["test/e2e/**/*.test.ts", "test/helpers/browser.test.ts"];

/** Keys and model servers of a machine are nobody's to use in a test; an empty variable is "not set". */
const noModels = {
  OPENROUTER_API_KEY: "",
  ANTHROPIC_API_KEY: "",
  OPENAI_API_KEY: "",
  GOOGLE_GENERATIVE_AI_API_KEY: "",
  GEMINI_API_KEY: "",
  HOMEWORK_OPENROUTER_API_KEY: "",
  HOMEWORK_ANTHROPIC_API_KEY: "",
  HOMEWORK_OPENAI_API_KEY: "",
  HOMEWORK_GOOGLE_API_KEY: "",
  HOMEWORK_FIND_LOCAL_MODELS: "false",
};

const shared = {
  env: noModels,
  // A process per worker, used for many files: nothing is loaded twice, and what a file leaves behind can be seen.
  pool: "forks" as const,
  isolate: false,
  setupFiles: ["test/helpers/leak-check.ts"],
  testTimeout: testLimitMs,
  hookTimeout: testLimitMs,
  expect: { poll: { timeout: patienceMs, interval: 25 } },
};

/** One more than the cores there are at least: some tests mostly wait, for a process to die or a claim to run out. */
const workers = 3;

export default defineConfig({
  test: {
    // The last one is torn down first: what a test forgot is seen before the database goes.
    globalSetup: [
      "test/helpers/postgres-server.ts",
      "test/helpers/chromium-setup.ts",
      "test/helpers/leak-check-end.ts",
    ],
    projects: [
      { test: { ...shared, name: "unit", include: pure, maxWorkers: workers, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...shared,
          name: "db",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...pure, ...processes, ...browser],
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: "process", include: processes, maxWorkers: workers, sequence: { groupOrder: 0 } } },
      { test: { ...shared, name: "browser", include: browser, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});

// Six kinds of tests: `unit` touches nothing outside but servers that a test itself brings, `db` and `words` have a PostgreSQL, `process`
// starts servers and databases of its own, `browser` drives Chromium, `agents` real agents. `second` is the part of `db` that a second
// PostgreSQL is asked in a whole run. `first` is all of unit, db, words and process for a whole run: in the same workers, nothing is loaded twice,
// and what waits stands beside what works.

import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import { findDatabaseTests } from "./test/helpers/needs-database.ts";
import { patienceMs, testLimitMs } from "./test/helpers/patience.ts";
import { filesLeftOut } from "./test/helpers/shares.ts";
import { SlowFirst } from "./test/helpers/slow-first.ts";

/** They bring their own database, so a second PostgreSQL would tell nothing new. */
const processes = [
  "src/db/embedded/**/*.test.ts",
  "src/files/**/*.test.ts",
  "src/main/launcher.test.ts",
  "src/main/loaded-packages.test.ts",
  "src/runner/**/*.test.ts",
  "test/agents/recorder.test.ts",
  "test/process/**/*.test.ts",
  "test/chaos/**/*.test.ts",
];
const browser = ["test/e2e/**/*.test.ts", "test/helpers/browser.test.ts"];
const agents = ["test/agents/{real-agents,repository}.test.ts"];
/** Whole runs and exchanges whose cases differ in words: a provider's protocol, an attacker's order, a body that is refused, who asks. */
const words = [
  "src/engine/demo-engine.test.ts",
  "src/engine/agent/{agent-git,agent-guard}.test.ts",
  "src/engine/chat/chat-crash.test.ts",
  "src/engine/planner/session-crash.test.ts",
  "test/flows/*.test.ts",
  "test/security/{allowed-egress,chat-injection,injection,outcome-injection,planted-holes,secrets}.test.ts",
  "test/trial-cases/{a-done,b-engine,b-runs,c-progress}.test.ts",
  "test/trials/trials.test.ts",
  "test/contract/{bad-address,bad-body,model-faults,route-matrix,view-equality}.test.ts",
  "src/engine/planner/{planner-engine,session-input}.test.ts",
  "src/engine/chat/chat-loop.test.ts",
  "src/homr/{observe-job,turn-faults}.test.ts",
  "src/tools/{document-tools,every-tool}.test.ts",
  "test/contract/{document-tree,live,undo}.test.ts",
  "test/leak-check.test.ts",
];
/**
 * What our SQL does, on both PostgreSQLs: migrations, roles and policies, stores, search, queue, locks and races, and every statement that
 * the other files sent to the first.
 */
const second = [
  "src/db/*.test.ts",
  "src/store/**/*.test.ts",
  "src/queue/*.test.ts",
  "test/contract/{catalog,idempotency,loop-store,outcome-store,run-races}.test.ts",
  "test/sim/{hear-contract,queue-contract,real-locks,sql-sim}.test.ts",
];
const statements = "test/helpers/statements.test.ts";
const withDatabase = [...findDatabaseTests(["src/**/*.test.ts", "test/**/*.test.ts"])];

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
  // Node loads our files itself, as it does in a server: nothing is transformed, and what it compiled is kept for every process.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: ["test/helpers/leak-check.ts", "test/helpers/tell-causes.ts"],
  testTimeout: testLimitMs,
  hookTimeout: testLimitMs,
  expect: { poll: { timeout: patienceMs, interval: 50 } },
};

/** More than two for each core there is at least: many tests mostly wait, for a process to die or a lease to run out. */
const workers = 5;
/** A run of half a minute: each worker more loads everything once more. */
const few = 3;
/** Browsers come by themselves, one for each core: a page that is slow to settle is looked at all the more often. */
const browsers = 2;

const project = (name: string, include: string[], exclude: string[] = [], maxWorkers = workers) => ({
  test: { ...shared, name, include, exclude, maxWorkers, sequence: { groupOrder: 0 } },
});

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // The last one is torn down first: what a test forgot is seen before the database goes.
    globalSetup: [
      "test/helpers/postgres-server.ts",
      "test/helpers/chromium-setup.ts",
      "test/helpers/used-data-folder.ts",
      "test/helpers/server-hosts.ts",
      "test/helpers/leak-check-end.ts",
    ],
    projects: [
      project(
        "first",
        ["{src,test}/**/*.test.ts", "web/src/**/*.test.{ts,tsx}"],
        [...browser, ...agents, statements, ...filesLeftOut],
      ),
      project(
        "unit",
        ["{src,test}/**/*.test.ts", "web/src/**/*.test.{ts,tsx}"],
        [...withDatabase, ...processes, ...browser, ...agents],
      ),
      project("db", withDatabase, [...words, ...processes, ...browser, statements]),
      project(
        "second",
        [...withDatabase.filter((file) => second.some((glob) => matchesGlob(file, glob))), statements],
        [],
        few,
      ),
      project("words", words),
      project("process", processes),
      project("agents", agents),
      {
        test: {
          ...shared,
          name: "browser",
          include: browser,
          exclude: [...filesLeftOut],
          maxWorkers: browsers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

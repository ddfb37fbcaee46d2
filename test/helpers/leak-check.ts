// Runs around every test file: what it opened and did not close, or started and did not end, fails it by name.
// Files share a process (isolate: false), so something left behind would disturb the files after it.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, inject, vi } from "vitest";
import { watchResources } from "./open-resources.ts";
import { patienceMs } from "./patience.ts";
import { childIds, findMarked, findNewChildren, markProcesses } from "./test-processes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** How long a file's things may take to close. */
    leakGraceMs?: number;
  }
}

/** Closing takes a moment: a server says goodbye to its sockets, a process flushes its files. */
const graceMs = inject("leakGraceMs") ?? 30_000;
const lookEveryMs = 20;

const runId = inject("testRunId");
const file = path.relative(process.cwd(), expect.getState().testPath ?? "unknown");
const childrenBefore = new Set(childIds());
const environmentBefore = new Set(Object.keys(process.env));
const folderBefore = process.cwd();
markProcesses(runId, file);
const watch = watchResources();

// The first hook registered runs last: after everything that the file itself cleans up.
afterAll(async () => {
  watch.stopWatching();
  const problems = [...leftSwitchedOn(), ...(await leftOpen())];
  watch.close();
  if (problems.length > 0)
    throw new Error(`${file} left something behind; close it in afterEach or afterAll:\n  ${problems.join("\n  ")}`);
}, patienceMs);

async function leftOpen(): Promise<readonly string[]> {
  let found = look();
  for (let waited = 0; found.length > 0 && waited < graceMs; waited += lookEveryMs) {
    await sleep(lookEveryMs);
    found = look();
  }
  return found;
}

function look(): readonly string[] {
  const started = new Map([...findNewChildren(childrenBefore), ...findMarked(runId, file)].map((p) => [p.pid, p]));
  return [
    ...watch.stillOpen().map(({ what, where }) => `${what}, opened at ${where}`),
    ...[...started.values()].map(({ pid, command }) => `process ${pid}: ${command}`),
  ];
}

/** Also puts it back, so that only the guilty file fails. */
function leftSwitchedOn(): readonly string[] {
  const problems: string[] = [];
  if (vi.isFakeTimers()) problems.push("fake timers: call vi.useRealTimers()");
  vi.useRealTimers();
  if (process.cwd() !== folderBefore) problems.push(`the working folder ${process.cwd()}`);
  process.chdir(folderBefore);
  for (const name of Object.keys(process.env).filter((found) => !environmentBefore.has(found) && !isRunners(found))) {
    problems.push(`the environment variable ${name}`);
    delete process.env[name];
  }
  return problems;
}

function isRunners(name: string): boolean {
  return name.startsWith("VITEST") || name === "TEST_OF_HOMEWORK_FILE";
}

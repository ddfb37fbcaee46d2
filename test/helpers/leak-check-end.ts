// After the last test file: nothing that a test started may still run.

import { randomUUID } from "node:crypto";
import type { TestProject } from "vitest/node";
import { findMarked } from "./test-processes.ts";

declare module "vitest" {
  interface ProvidedContext {
    testRunId: string;
  }
}

export function setup(project: TestProject): () => void {
  const runId = randomUUID();
  project.provide("testRunId", runId);
  return () => {
    const left = findMarked(runId).map(({ pid, command, testFile }) => `${testFile}: process ${pid}: ${command}`);
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`tests are over, but these still run:\n  ${left.join("\n  ")}`);
  };
}

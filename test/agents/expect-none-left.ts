// What must be true when a run has ended. Apart from the world of jobs, which programs outside of a test use, too.

import { expect } from "vitest";
import { tagOf } from "../../src/runner/job/job-files.ts";
import type { RunFolder } from "../../src/runner/layout/runner-root.ts";
import { processesOf, until } from "./job-world.ts";

/** Of the agent nothing may be left; its shim has written down the end and is about to go. */
export async function expectNoneLeft(run: RunFolder): Promise<void> {
  expect(processesOf(run).filter(({ marks }) => marks.tag === tagOf(run))).toEqual([]);
  await until("the shim is gone", () => processesOf(run).length === 0);
}

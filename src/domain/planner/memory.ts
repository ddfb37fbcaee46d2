// What one iteration leaves for the next: what was called and reported, tools that were missed, what the user allowed, and
// whether text of strangers has been read. Kept as an entry of the journal, so it is there exactly if the iteration is.

import { z } from "zod";
import { clip } from "./clip.ts";
import { callLine, executorReport, type LastIteration } from "./view.ts";

export const iterationMemory = z.object({
  iteration: z.int(),
  last: z.object({
    calls: z.array(callLine),
    reports: z.array(executorReport),
    artifacts: z.array(z.object({ kind: z.string(), id: z.string(), title: z.string() })),
  }),
  remainingWork: z.array(z.string()),
  /** How many of the tools it is shown (src/tools/registry.ts). */
  stage: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  missedTools: z.array(z.string()),
  isPlanApproved: z.boolean(),
  /** The document that keeps the answer to a question: a later answer takes its place. */
  answer: z.object({ id: z.string(), title: z.string() }).nullable().default(null),
  hasReadUntrusted: z.boolean(),
  /** Something of the user's was read, beyond what they said to the run. */
  hasReadPrivate: z.boolean().default(true),
  /** Addresses the user named, the search found, and origins the user allowed. */
  userUrls: z.array(z.string()),
  searchUrls: z.array(z.string()),
  approvedDestinations: z.array(z.string()),
  /** What was asked last: what a yes allows, and which addresses the question put into the user's mouth. */
  asked: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** What a yes allows from then on. */
      grants: z.string().nullable(),
      /** Addresses in it and in its options: a user who picks one has not named it. */
      urls: z.array(z.string()).default([]),
    }),
  ),
});

export type IterationMemory = z.output<typeof iterationMemory>;

export const noMemory: IterationMemory = {
  iteration: 0,
  last: { calls: [], reports: [], artifacts: [] },
  remainingWork: [],
  stage: 1,
  missedTools: [],
  isPlanApproved: false,
  answer: null,
  hasReadUntrusted: false,
  hasReadPrivate: false,
  userUrls: [],
  searchUrls: [],
  approvedDestinations: [],
  asked: [],
};

/** How much of an iteration the next one sees; the rest is opened with `read_result`. */
const shown = { calls: 40, reports: 6, report: 4_000, artifacts: 40, missed: 20, urls: 100 } as const;

/** The same, no larger than a prompt can take. */
export function boundMemory(memory: IterationMemory): IterationMemory {
  const { last } = memory;
  return {
    ...memory,
    last: {
      calls: last.calls.slice(-shown.calls),
      reports: last.reports.slice(-shown.reports).map((each) => ({ ...each, text: clip(each.text, shown.report) })),
      artifacts: last.artifacts.slice(-shown.artifacts),
    },
    missedTools: [...new Set(memory.missedTools)].slice(-shown.missed),
    userUrls: [...new Set(memory.userUrls)].slice(-shown.urls),
    searchUrls: [...new Set(memory.searchUrls)].slice(-shown.urls),
    approvedDestinations: [...new Set(memory.approvedDestinations)].slice(-shown.urls),
  };
}

export function toLastIteration(
  memory: IterationMemory,
  facts: Pick<LastIteration, "summary" | "hasProgressed" | "decision">,
): LastIteration | null {
  if (memory.iteration === 0) return null;
  return { iteration: memory.iteration, ...memory.last, ...facts };
}

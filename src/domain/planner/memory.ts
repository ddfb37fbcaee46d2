// What one iteration leaves for the next: results in short, tools that were missed, what the user allowed, and whether text
// of strangers has been read. Kept as a line of the step journal, so it is there exactly if the iteration is.

import { z } from "zod";
import type { ExecutorResult, LastIteration, ToolResultLine } from "./view.ts";

const toolResultLine: z.ZodType<ToolResultLine> = z.object({
  ref: z.string(),
  tool: z.string(),
  args: z.string(),
  ok: z.boolean(),
  snippet: z.string(),
  isUntrusted: z.boolean(),
});

const executorResult: z.ZodType<ExecutorResult> = z.object({
  branchId: z.string(),
  title: z.string(),
  stepId: z.string().nullable(),
  ok: z.boolean(),
  summary: z.string(),
  resultSnippet: z.string(),
  documentId: z.string().nullable(),
  toolResults: z.array(toolResultLine),
});

const failure = z.object({ stepId: z.string(), title: z.string(), errors: z.array(z.string()) });
export type Failure = z.output<typeof failure>;

export const iterationMemory = z.object({
  iteration: z.int(),
  last: z.object({
    toolResults: z.array(toolResultLine),
    executorResults: z.array(executorResult),
    artifacts: z.array(z.object({ kind: z.string(), id: z.string(), title: z.string() })),
  }),
  /** Steps whose work failed, and how: the next plan mends these and repeats nothing else. */
  failures: z.array(failure),
  remainingWork: z.array(z.string()),
  /** It named the same remaining work as the iteration before. */
  isRepeating: z.boolean(),
  /** How many of the tools it is shown (src/tools/registry.ts). */
  stage: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  missedTools: z.array(z.string()),
  isPlanApproved: z.boolean(),
  hasReadUntrusted: z.boolean(),
  /** Addresses the user named, the search found, and origins the user allowed. */
  userUrls: z.array(z.string()),
  searchUrls: z.array(z.string()),
  approvedDestinations: z.array(z.string()),
  /** What was asked last, to show beside the answers. */
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
  last: { toolResults: [], executorResults: [], artifacts: [] },
  failures: [],
  remainingWork: [],
  isRepeating: false,
  stage: 1,
  missedTools: [],
  isPlanApproved: false,
  hasReadUntrusted: false,
  userUrls: [],
  searchUrls: [],
  approvedDestinations: [],
  asked: [],
};

/** How much of an iteration the next one sees; the rest is opened with `read_result`. */
const shown = { toolResults: 8, executorResults: 6, perExecutor: 4, artifacts: 30, missed: 20, urls: 100 } as const;

type Kept = { -readonly [K in keyof IterationMemory]: IterationMemory[K] };

/** The same, no larger than a prompt can take. */
export function bounded(memory: IterationMemory): IterationMemory {
  const { last } = memory;
  const kept: Kept = {
    ...memory,
    last: {
      toolResults: last.toolResults.slice(0, shown.toolResults),
      executorResults: last.executorResults
        .slice(0, shown.executorResults)
        .map((result) => ({ ...result, toolResults: result.toolResults.slice(-shown.perExecutor) })),
      artifacts: last.artifacts.slice(-shown.artifacts),
    },
    failures: memory.failures.slice(0, shown.toolResults),
    missedTools: [...new Set(memory.missedTools)].slice(-shown.missed),
    userUrls: [...new Set(memory.userUrls)].slice(-shown.urls),
    searchUrls: [...new Set(memory.searchUrls)].slice(-shown.urls),
    approvedDestinations: [...new Set(memory.approvedDestinations)].slice(-shown.urls),
  };
  return kept;
}

export function toLastIteration(
  memory: IterationMemory,
  facts: { readonly hasProgressed: boolean; readonly decision: string },
): LastIteration | null {
  if (memory.iteration === 0) return null;
  return { iteration: memory.iteration, ...memory.last, ...facts };
}

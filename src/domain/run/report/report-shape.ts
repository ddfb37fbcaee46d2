// A report as it is kept and sent, in the order in which it is read. Type, column and wire come from here.

import { z } from "zod";
import type { ReadonlyDeep } from "../../../lib/readonly-deep.ts";
import { workRecord } from "../../agent/work.ts";
import { languages } from "../../language.ts";
import { runStatuses } from "../run.ts";

const count = z.number().int().min(0);

const changedThing = z.object({
  type: z.string(),
  id: z.string(),
  title: z.string(),
  /** Of which its page is a part; null in reports of older versions. */
  project_id: z.string().nullable(),
});
const change = z.enum(["created", "updated"]);
const linkedThings = z.object({ from_id: z.string(), to_id: z.string(), relationship: z.string() });

const checkChange = z.object({
  /** One sentence each. */
  changes: z.array(z.string()),
  /** The planner's reason. */
  why: z.string(),
  /** The user was asked, and approved it. */
  is_approved: z.boolean(),
});

/** Something the user said to the run. */
const saidMessage = z.object({
  at: z.iso.datetime({ offset: true }),
  kind: z.enum(["steer", "answer"]),
  /** For an answer: what was asked, where that is known. */
  question: z.string().nullable(),
  text: z.string(),
});

const stoppingTypes = ["completed", "budget", "max_iterations", "no_progress", "canceled", "error", "paused"] as const;

export const report = z.object({
  title: z.string(),
  objective: z.string(),
  status: z.enum(runStatuses),
  /** Of our own words in it; that of the objective, where we have words in it. */
  language: z.enum(languages),
  /** What to open first; null where the run made nothing. `opening`: a document's first paragraph; else empty. */
  primary_output: changedThing.extend({ change, opening: z.string() }).nullable(),
  summary: z.string(),
  open_questions: z.array(z.string()),
  /** What the run is not certain of. */
  unsure: z.array(z.string()),
  /** What the user said to the run, oldest first. `how` is the run's own word on it; null where it gave none. */
  messages: z.array(saidMessage.extend({ how: z.string().nullable() })),
  /** Without working notes. */
  what_changed: z.object({
    created: z.array(changedThing),
    updated: z.array(changedThing),
    linked: z.array(linkedThings),
    /** By kind; also of what the lists have no room for. */
    counts: z.array(z.object({ type: z.string(), created: count, updated: count })),
  }),
  /** Files, commits and facts of a run that agents worked on; null for others. */
  work: workRecord.nullable(),
  artifacts: z.object({
    plans: z.array(z.object({ id: z.string(), status: z.string() })),
    documents: z.array(z.object({ id: z.string(), title: z.string(), change })),
  }),
  checks: z.array(
    z.object({
      check: z.string(),
      /** In words. */
      about: z.string(),
      is_green: z.boolean(),
      state: z.enum(["pending", "passed", "failed"]),
      seen: z.string(),
    }),
  ),
  /** How the checks have changed since they were first promised, oldest first. */
  check_changes: z.array(checkChange),
  metrics: z.object({
    iterations: count,
    duration_ms: count,
    total_tokens: count,
    /** Of the input, read from a provider's cache; null where that is not known. */
    cached_tokens: count.nullable(),
    total_cost_micro_usd: count,
    tool_calls: count,
    /** Calls of models without a known price; they are not in the cost. */
    unpriced_calls: count,
  }),
  stopping_reason: z.object({ type: z.enum(stoppingTypes), detail: z.string() }),
});

export type Report = ReadonlyDeep<z.infer<typeof report>>;
export type StoppingType = Report["stopping_reason"]["type"];
export type PrimaryOutput = NonNullable<Report["primary_output"]>;
export type ChangedThing = ReadonlyDeep<z.infer<typeof changedThing>>;
export type LinkedThings = ReadonlyDeep<z.infer<typeof linkedThings>>;
export type CheckChange = ReadonlyDeep<z.infer<typeof checkChange>>;
export type SaidMessage = ReadonlyDeep<z.infer<typeof saidMessage>>;

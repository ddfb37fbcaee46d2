// The report of a run as its column holds it. Fields that older versions did not write have the value that says nothing.

import { z } from "zod";
import { languages } from "../domain/language.ts";
import type { Report } from "../domain/run/report.ts";
import { runStatuses } from "./run-row.ts";

const thing = z.object({
  type: z.string(),
  id: z.string(),
  title: z.string(),
  project_id: z.string().nullable().default(null),
});
const change = z.enum(["created", "updated"]);
const link = z.object({ from_id: z.string(), to_id: z.string(), relationship: z.string() });
const stoppingTypes = ["completed", "budget", "max_iterations", "no_progress", "canceled", "error", "paused"] as const;

export const reportColumn: z.ZodType<Report> = z.object({
  title: z.string(),
  objective: z.string(),
  status: z.enum(runStatuses),
  language: z.enum(languages).default("en"),
  primary_output: thing.extend({ change, opening: z.string() }).nullable().default(null),
  summary: z.string(),
  open_questions: z.array(z.string()).default([]),
  unsure: z.array(z.string()).default([]),
  messages: z
    .array(
      z.object({
        at: z.string(),
        kind: z.enum(["steer", "answer"]),
        question: z.string().nullable(),
        text: z.string(),
        how: z.string().nullable(),
      }),
    )
    .default([]),
  what_changed: z.object({
    created: z.array(thing),
    updated: z.array(thing),
    linked: z.array(link),
    counts: z.array(z.object({ type: z.string(), created: z.number(), updated: z.number() })).default([]),
  }),
  artifacts: z.object({
    plans: z.array(z.object({ id: z.string(), status: z.string() })),
    documents: z.array(z.object({ id: z.string(), title: z.string(), change: change.default("created") })),
  }),
  checks: z.array(
    z
      .object({
        check: z.string(),
        about: z.string().default(""),
        is_green: z.boolean(),
        state: z.enum(["pending", "passed", "failed"]).optional(),
        seen: z.string(),
      })
      .transform(({ state, ...check }) => ({ ...check, state: state ?? (check.is_green ? "passed" : "failed") })),
  ),
  metrics: z.object({
    iterations: z.number(),
    duration_ms: z.number(),
    total_tokens: z.number(),
    cached_tokens: z.number().nullable().default(null),
    total_cost_micro_usd: z.number(),
    tool_calls: z.number(),
    unpriced_calls: z.number().default(0),
  }),
  stopping_reason: z.object({ type: z.enum(stoppingTypes), detail: z.string() }),
});

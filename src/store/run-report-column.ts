// The report of a run as its column holds it.

import { z } from "zod";
import type { Report } from "../domain/run/report.ts";
import { runStatuses } from "./run-row.ts";

const thing = z.object({ type: z.string(), id: z.string(), title: z.string() });
const link = z.object({ from_id: z.string(), to_id: z.string(), relationship: z.string() });
const stoppingTypes = ["completed", "budget", "max_iterations", "no_progress", "canceled", "error", "paused"] as const;

export const reportColumn: z.ZodType<Report> = z.object({
  title: z.string(),
  objective: z.string(),
  status: z.enum(runStatuses),
  summary: z.string(),
  what_changed: z.object({ created: z.array(thing), updated: z.array(thing), linked: z.array(link) }),
  artifacts: z.object({
    plans: z.array(z.object({ id: z.string(), status: z.string() })),
    documents: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  checks: z.array(
    z.object({ check: z.string(), about: z.string().default(""), is_green: z.boolean(), seen: z.string() }),
  ),
  metrics: z.object({
    iterations: z.number(),
    duration_ms: z.number(),
    total_tokens: z.number(),
    total_cost_micro_usd: z.number(),
    tool_calls: z.number(),
    unpriced_calls: z.number().default(0),
  }),
  stopping_reason: z.object({ type: z.enum(stoppingTypes), detail: z.string() }),
});

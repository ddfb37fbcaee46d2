// What the events of a run say, as far as views and lines for people need it. Lenient: older versions wrote less, newer ones
// write more, and what is of a kind that this version does not know is null.

import { z } from "zod";
import type { RunEvent } from "./api.ts";
import { question } from "./routes/run-shapes.ts";

/** `Stamp` of src/domain/run/events.ts; events of older versions have none. */
const stamp = { runningMs: z.number().optional(), unread: z.number().optional() };
const about = { iteration: z.number(), ...stamp };
const because = { ...about, why: z.string() };

/** The fields that views need of each kind of event; as `src/domain/run/events.ts` has them. */
const saidEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run_created"),
    objective: z.string(),
    maxIterations: z.number().optional(),
    checks: z.number().optional(),
    why: z.string().nullish(),
  }),
  z.object({ type: z.literal("run_admitted"), ...about }),
  z.object({ type: z.literal("run_started") }),
  z.object({ type: z.literal("iteration_started"), ...about, attempt: z.number() }),
  z.object({ type: z.literal("iteration_released"), ...about }),
  z.object({
    type: z.literal("iteration_completed"),
    ...because,
    status: z.string(),
    summary: z.string(),
    decision: z.string(),
    isUnheard: z.literal(true).optional(),
  }),
  z.object({ type: z.literal("checks_proven"), ...about, green: z.number(), of: z.number() }),
  z.object({
    type: z.literal("checks_changed"),
    ...because,
    changes: z.array(z.string()),
    isAwaiting: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("step_recorded"),
    ...about,
    step: z.string(),
    summary: z.string(),
    lane: z.string().optional(),
    isFailed: z.literal(true).optional(),
    isBookkeeping: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("iteration_cost_update"),
    ...about,
    model: z.string(),
    costMicroUsd: z.number(),
    totalCostMicroUsd: z.number(),
    totalTokens: z.number(),
    pricedBy: z.string().optional(),
  }),
  z.object({ type: z.literal("run_holding"), ...because, untilMs: z.number().min(0).max(8.64e15) }),
  z.object({ type: z.literal("run_waiting_on_user"), ...because, questions: z.array(question) }),
  z.object({ type: z.literal("run_completed"), ...because }),
  z.object({ type: z.literal("run_stopped"), ...because, reason: z.string() }),
  z.object({ type: z.literal("run_failed"), ...because }),
  z.object({ type: z.literal("run_canceled"), ...about }),
  z.object({ type: z.literal("run_resumed"), ...about, maxIterations: z.number().optional() }),
  z.object({
    type: z.literal("run_answered"),
    ...about,
    answers: z.array(z.object({ text: z.string() })).default([]),
  }),
  z.object({ type: z.literal("run_steered"), ...about, message: z.string() }),
  z.object({
    type: z.literal("run_undone"),
    ...about,
    removed: z.number(),
    restored: z.number(),
    left: z.number(),
  }),
]);

export type SaidEvent = z.infer<typeof saidEvent>;

/** Null: of a kind that this version does not know. */
export function parseEvent({ type, event }: RunEvent): SaidEvent | null {
  const parsed = saidEvent.safeParse({ ...event, type });
  return parsed.success ? parsed.data : null;
}

// What happens to a run: the one description of its events. They are kept and sent in the same form, so the type, the wire's
// schema, the API's description and what the store adds (src/store/event-sql.ts) come from here. Names are nouns with verbs in
// the past.

import { z } from "zod";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";
import { priceSources } from "./budget/price.ts";
import { runConfig } from "./config.ts";
import type { Decision } from "./gate/exit-gate.ts";
import { iterationStatuses } from "./iteration-result.ts";
import { question } from "./question.ts";
import { stopReasons } from "./stop-reason.ts";

const count = z.number().int().min(0);
const iteration = z.number().int().min(1);
/** There or left out. */
const flag = z.literal(true).optional();

/** As they are once the event is committed; the store adds them. */
const stamp = {
  /** Of the whole run. */
  running_ms: count,
  /** Messages of the user that no iteration has taken up. */
  unread: count,
};
const moved = { iteration, ...stamp };
const because = { ...moved, why: z.string() };

/** The entry that its answer will be, and the running time of the attempt so far. */
const ofCall = { entry: z.string(), active_ms: count };

/** What the report says of the end, and where the report is. */
const reported = {
  summary: z.string(),
  stop_reason: z.object({ type: z.string(), detail: z.string() }),
  report_ref: z.string(),
};

/** What one iteration used. */
const iterationMetrics = z.object({
  running_ms: count,
  cost_micro_usd: count,
  tokens: count,
  tool_calls: count,
});

const decisions = ["continue", "hold", "ask", "complete", "stop"] as const satisfies readonly Decision["kind"][];

/** Every kind of event, in the order in which a run meets them. */
export const runEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run_created"),
    ...stamp,
    objective: z.string(),
    max_iterations: count,
    /** How many it was handed over with. */
    checks: count,
    /** What it goes on from; null for one that begins. */
    why: z.string().nullable(),
  }),
  z.object({ type: z.literal("run_admitted"), ...moved }),
  z.object({ type: z.literal("run_started"), ...stamp, objective: z.string(), config: runConfig }),
  z.object({ type: z.literal("iteration_started"), ...moved, attempt: iteration }),
  /** Its worker stopped in good order and let go of it; another one goes on. */
  z.object({ type: z.literal("iteration_released"), ...moved }),
  /** One piece of work inside an iteration is done and will not be done again. */
  z.object({
    type: z.literal("entry_recorded"),
    iteration,
    entry: z.string(),
    summary: z.string(),
    /** Who did it; left out: the planner. */
    lane: z.string().optional(),
    is_failed: flag,
    /** The iteration has taken up all that the user said; left out: what is unread stays so. */
    unread: z.literal(0).optional(),
    /** The platform's own notes; pages show them only to who asks for everything. */
    is_bookkeeping: flag,
  }),
  /** What the run is measured by is different now, or will be once the user approves. */
  z.object({
    type: z.literal("checks_changed"),
    ...because,
    /** One sentence each. */
    changes: z.array(z.string()),
    is_awaiting: flag,
    /** The user was asked, and approved it. */
    is_approved: flag,
  }),
  /** The platform has run the checks, or there are new ones. */
  z.object({ type: z.literal("checks_proven"), ...moved, green: count, of: count }),
  /** Money and tokens after a model's answer, or after one was given up, for this run as a whole. */
  z.object({
    type: z.literal("iteration_cost_update"),
    iteration,
    model: z.string(),
    cost_micro_usd: count,
    priced_by: z.enum(priceSources),
    tokens: count,
    total_cost_micro_usd: count,
    total_tokens: count,
  }),
  z.object({
    type: z.literal("iteration_completed"),
    ...because,
    status: z.enum(iterationStatuses).exclude(["running"]),
    summary: z.string(),
    decision: z.enum(decisions),
    metrics: iterationMetrics,
    /** No answer was made with what it took up: the next iteration takes that up again. */
    is_unheard: flag,
  }),
  z.object({
    type: z.literal("run_holding"),
    ...because,
    until_ms: z.number().min(0).max(8.64e15),
    /** The user was notified of the wait. */
    is_told: flag,
  }),
  /** A call of a model is under way, and nothing was heard of it for long. */
  z.object({
    type: z.literal("model_silent"),
    ...moved,
    ...ofCall,
    model: z.string(),
    silent_ms: count,
    /** Which try of the same request it is, and how many there will be at most. */
    tries: count,
    tries_most: count,
    /** What the tries without an answer can have cost; null: nothing, or the price is unknown. */
    at_stake_micro_usd: count.nullable(),
    /** The user was notified of it. */
    is_told: flag,
  }),
  /** It has gone on. */
  z.object({ type: z.literal("model_heard"), ...moved, ...ofCall }),
  z.object({ type: z.literal("run_waiting_on_user"), ...moved, questions: z.array(question), reason: z.string() }),
  z.object({
    type: z.literal("run_answered"),
    ...moved,
    answers: z.array(z.object({ question_id: z.string(), text: z.string() })),
  }),
  z.object({ type: z.literal("run_steered"), ...moved, message: z.string() }),
  z.object({ type: z.literal("run_resumed"), ...moved, max_iterations: count }),
  z.object({ type: z.literal("run_completed"), ...because, ...reported }),
  z.object({
    type: z.literal("run_stopped"),
    ...because,
    reason: z.enum(stopReasons),
    ...reported,
    /** The platform paused it, and the user was notified. */
    is_told: flag,
  }),
  z.object({ type: z.literal("run_failed"), ...because }),
  z.object({ type: z.literal("run_canceled"), ...moved }),
  /** What it wrote was taken back; `left` is what stays because of others. */
  z.object({ type: z.literal("run_undone"), iteration, removed: count, restored: count, left: count }),
  /** What an undo had taken back is there again; `left` was changed since, or has no place any more. */
  z.object({ type: z.literal("run_restored"), iteration, restored: count, left: count }),
]);

export type RunEvent = ReadonlyDeep<z.infer<typeof runEvent>>;
export type RunEventKind = RunEvent["type"];
export type EventOf<Kind extends RunEventKind> = Extract<RunEvent, { readonly type: Kind }>;

export type Stamp = Pick<EventOf<"run_admitted">, keyof typeof stamp>;
export type IterationMetrics = EventOf<"iteration_completed">["metrics"];

export const runEventKinds: readonly RunEventKind[] = runEvent.options.map(({ shape }) => shape.type.value);

type Reported = keyof typeof reported;

/** Written by the store as it happens; the domain decides on the others. */
type Recorded = "entry_recorded" | "iteration_cost_update" | "iteration_released" | "run_undone" | "run_restored";
type Decided = Exclude<RunEventKind, Recorded>;

/** As the store gets it: the figures are added when it is committed. */
type Unstamped<Kind extends Decided> = Omit<
  EventOf<Kind>,
  keyof typeof stamp | (Kind extends "iteration_completed" ? "metrics" : never)
>;
export type UnstampedEvent = { [Kind in Decided]: Unstamped<Kind> }[Decided];

/** As the domain says it: an end does not know its report yet. */
export type NewEvent = {
  [Kind in Decided]: Omit<Unstamped<Kind>, Kind extends "run_completed" | "run_stopped" ? Reported : never>;
}[Decided];

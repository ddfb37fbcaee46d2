// What a live view of a run shows, folded from its events: pages and `homework watch` share it. Pure. An event that is known
// already changes nothing, and one of a kind that this version does not know is passed over.

import { z } from "zod";
import type { Run, RunEvent } from "./api.ts";
import { question, type runStatuses } from "./routes/run-shapes.ts";

type RunStatus = (typeof runStatuses)[number];
export type Question = z.infer<typeof question>;
type Hold = { readonly until: string; readonly why: string };

/** One piece of work of the current iteration that is done. */
export type ViewStep = { readonly key: string; readonly summary: string };

/** A status carries what can be shown in it. */
export type ViewState =
  | { readonly status: "queued" }
  /** `since`: when the iteration in flight began; null between two of them. */
  | { readonly status: "running"; readonly since: string | null; readonly hold: Hold | null }
  | { readonly status: "waiting_on_user"; readonly questions: readonly Question[] }
  | { readonly status: "stopped"; readonly reason: string | null }
  | { readonly status: "completed" | "failed" | "canceled" };

export type RunView = {
  /** The last event it knows. */
  readonly seq: number;
  readonly state: ViewState;
  readonly iteration: number;
  readonly attempt: number;
  readonly maxIterations: number;
  /** The last ones of the current iteration. */
  readonly steps: readonly ViewStep[];
  /** All of the current iteration, also those that are not kept. */
  readonly stepCount: number;
  /** Of the iterations that have ended. */
  readonly runningMs: number;
  readonly costMicroUsd: number;
  readonly tokens: number;
  /** When the platform last ran the checks. */
  readonly greenChecks: number;
  readonly allChecks: number;
  /** What the platform last said about how it goes on, or why it ended. */
  readonly lastWhy: string | null;
};

/** More than a screen shows. */
const stepsMax = 20;

/** Begins with the run as it was answered; `recent` are some of its last events, for what the run itself does not tell. */
export function viewOf(run: Run, recent: readonly RunEvent[] = []): RunView {
  const known = recent.filter(({ seq }) => seq <= run.last_seq).map((event) => ({ event, said: parseEvent(event) }));
  const steps = known.flatMap(({ said }) =>
    said?.type === "step_recorded" && !said.isBookkeeping && said.iteration === run.iteration ? [toStep(said)] : [],
  );
  const started = known.findLast(({ said }) => said?.type === "iteration_started" && said.iteration === run.iteration);
  return {
    seq: run.last_seq,
    state: stateOf(run, started?.event.at ?? null),
    iteration: run.iteration,
    attempt: started?.said?.type === "iteration_started" ? started.said.attempt : 1,
    maxIterations: run.max_iterations,
    steps: steps.slice(-stepsMax),
    stepCount: steps.length,
    runningMs: run.metrics.running_ms,
    costMicroUsd: run.metrics.cost_total_micro_usd,
    tokens: run.metrics.tokens_total,
    greenChecks: run.completion_criteria.filter(({ proof }) => proof?.is_green).length,
    allChecks: run.completion_criteria.length,
    lastWhy: run.failure ?? run.stop_reason?.detail ?? run.hold?.why ?? run.guidance?.why ?? null,
  };
}

function stateOf(run: Run, since: string | null): ViewState {
  switch (run.status) {
    case "running":
      return { status: "running", since: run.hold === null ? since : null, hold: run.hold };
    case "waiting_on_user":
      return { status: "waiting_on_user", questions: run.questions };
    case "stopped":
      return { status: "stopped", reason: run.stop_reason?.type ?? null };
    default:
      return { status: run.status };
  }
}

export function foldAll(view: RunView, events: readonly RunEvent[]): RunView {
  return events.reduce(foldEvent, view);
}

export function foldEvent(view: RunView, event: RunEvent): RunView {
  if (event.seq <= view.seq) return view;
  const said = parseEvent(event);
  const seen = { ...view, seq: event.seq };
  return said === null ? seen : apply(seen, said, event.at);
}

/** It will not go on by itself: it has ended, or someone has to do something. */
export function isSettled(status: RunStatus): boolean {
  return status !== "queued" && status !== "running";
}

/** With the iteration in flight. */
export function runningMsAt({ state, runningMs }: RunView, nowMs: number): number {
  return runningMs + (state.status === "running" && state.since !== null ? Math.max(0, nowMs - msOf(state.since)) : 0);
}

function apply(view: RunView, said: SaidEvent, at: string): RunView {
  switch (said.type) {
    case "run_created":
    case "run_steered":
    case "run_undone":
      return view;
    case "checks_proven":
      return { ...view, greenChecks: said.green, allChecks: said.of };
    case "run_admitted":
    case "run_resumed":
    case "run_answered":
      return { ...begin(view, said.iteration), state: { status: "queued" } };
    case "run_started":
      return { ...view, state: { status: "running", since: null, hold: null } };
    case "iteration_started":
      return {
        ...begin(view, said.iteration),
        attempt: said.attempt,
        state: { status: "running", since: at, hold: null },
      };
    case "step_recorded":
      return withStep(view, said);
    case "iteration_cost_update":
      return { ...view, costMicroUsd: said.totalCostMicroUsd, tokens: said.totalTokens };
    case "iteration_completed":
      return said.decision === "continue"
        ? { ...settleTime(view, at), lastWhy: said.why, state: { status: "running", since: null, hold: null } }
        : { ...settleTime(view, at), lastWhy: said.why };
    case "run_holding": {
      const hold = { until: timestampOf(said.untilMs), why: said.why };
      return { ...settleTime(view, at), lastWhy: said.why, state: { status: "running", since: null, hold } };
    }
    default:
      return { ...settleTime(view, at), lastWhy: "why" in said ? said.why : view.lastWhy, state: settledBy(said) };
  }
}

type SettlingEvent = Extract<
  SaidEvent,
  { readonly type: "run_waiting_on_user" | "run_completed" | "run_stopped" | "run_failed" | "run_canceled" }
>;

function settledBy(said: SettlingEvent): ViewState {
  switch (said.type) {
    case "run_waiting_on_user":
      return { status: "waiting_on_user", questions: said.questions };
    case "run_stopped":
      return { status: "stopped", reason: said.reason };
    case "run_completed":
      return { status: "completed" };
    case "run_failed":
      return { status: "failed" };
    case "run_canceled":
      return { status: "canceled" };
  }
}

/** The steps of an iteration that is tried again are not done again, so they stay. */
function begin(view: RunView, iteration: number): RunView {
  return iteration === view.iteration ? view : { ...view, iteration, attempt: 1, steps: [], stepCount: 0 };
}

function withStep(view: RunView, said: Extract<SaidEvent, { readonly type: "step_recorded" }>): RunView {
  const begun = begin(view, said.iteration);
  if (said.isBookkeeping) return begun;
  return { ...begun, steps: [...begun.steps, toStep(said)].slice(-stepsMax), stepCount: begun.stepCount + 1 };
}

const toStep = ({ step, summary }: { readonly step: string; readonly summary: string }): ViewStep => ({
  key: step,
  summary,
});

/** The iteration in flight is over: its time counts. */
function settleTime(view: RunView, at: string): RunView {
  const { state } = view;
  if (state.status !== "running" || state.since === null) return view;
  return { ...view, runningMs: runningMsAt(view, msOf(at)), state: { ...state, since: null } };
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
const msOf = (timestamp: string): number => Date.parse(timestamp);
// biome-ignore lint/style/noRestrictedGlobals: writes a given time, not the clock's
const timestampOf = (ms: number): string => new Date(ms).toISOString();

const about = { iteration: z.number() };
const because = { ...about, why: z.string() };

/** The fields that views need of each kind of event; as `src/domain/run/events.ts` has them. */
const saidEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run_created"), objective: z.string() }),
  z.object({ type: z.literal("run_admitted"), ...about }),
  z.object({ type: z.literal("run_started") }),
  z.object({ type: z.literal("iteration_started"), ...about, attempt: z.number() }),
  z.object({
    type: z.literal("iteration_completed"),
    ...because,
    status: z.string(),
    summary: z.string(),
    decision: z.string(),
  }),
  z.object({ type: z.literal("checks_proven"), ...about, green: z.number(), of: z.number() }),
  z.object({
    type: z.literal("step_recorded"),
    ...about,
    step: z.string(),
    summary: z.string(),
    isBookkeeping: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("iteration_cost_update"),
    ...about,
    model: z.string(),
    costMicroUsd: z.number(),
    totalCostMicroUsd: z.number(),
    totalTokens: z.number(),
  }),
  z.object({ type: z.literal("run_holding"), ...because, untilMs: z.number().min(0).max(8.64e15) }),
  z.object({ type: z.literal("run_waiting_on_user"), ...because, questions: z.array(question) }),
  z.object({ type: z.literal("run_completed"), ...because }),
  z.object({ type: z.literal("run_stopped"), ...because, reason: z.string() }),
  z.object({ type: z.literal("run_failed"), ...because }),
  z.object({ type: z.literal("run_canceled"), ...about }),
  z.object({ type: z.literal("run_resumed"), ...about }),
  z.object({ type: z.literal("run_answered"), ...about }),
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

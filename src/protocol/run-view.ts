// What a live view of a run shows, folded from its events: pages and `homework watch` share it. Pure. An event that is known
// already changes nothing, and one of a kind that this version does not know is passed over.

import { takenOverKey } from "../domain/agent/taken-over.ts";
import { isMidway } from "../domain/run/midway.ts";
import type { Question } from "../domain/run/question.ts";
import type { RunStatus } from "../domain/run/run.ts";
import type { StopReason } from "../domain/run/stop-reason.ts";
import type { Run, RunEvent } from "./api.ts";
import { parseEvent, type Said, type SaidEvent } from "./said-event.ts";

export type { Question };

type Silence = Run["silences"][number];

type Hold = { readonly until: string; readonly why: string };

/** One piece of work of the iteration that is over. */
export type ViewEntry = {
  readonly key: string;
  readonly summary: string;
  /** Who did it: `planner`, `exec:1`. */
  readonly lane: string;
  readonly isFailed: boolean;
};

/** What a person said. `takenUpIn`: the iteration that heard it; null: the next one will. */
export type ViewMessage = {
  readonly kind: "steer" | "answer";
  readonly text: string;
  readonly takenUpIn: number | null;
};

/** A status carries what can be shown in it. */
export type ViewState =
  | { readonly status: "queued" }
  /** `since`: when the iteration in flight began; null between two of them. */
  | { readonly status: "running"; readonly since: string | null; readonly hold: Hold | null }
  | { readonly status: "waiting_on_user"; readonly questions: readonly Question[] }
  | { readonly status: "stopped"; readonly reason: StopReason | null; readonly why: string }
  | { readonly status: "failed"; readonly why: string }
  | { readonly status: "completed" | "canceled" };

/** Everything in it comes from the API's run, and stays the same whether it was read now or long ago and folded on. */
export type RunView = {
  /** The last event it knows. */
  readonly seq: number;
  readonly state: ViewState;
  /** The one that is due or under way. */
  readonly iteration: number;
  readonly attempt: number;
  readonly maxIterations: number;
  /** The iteration whose entries these are: the one in flight, or the last one that was; null before the first. */
  readonly workedOn: number | null;
  /** The last ones of that iteration. */
  readonly entries: readonly ViewEntry[];
  /** All of it, also those that are not kept. */
  readonly entryCount: number;
  /** Calls of models that are under way and not answered, the longest first. */
  readonly silences: readonly Silence[];
  /** Running time of the attempt in flight while it does not count, because a model is not heard; null while it does. */
  readonly activeMs: number | null;
  /** Without the iteration in flight (`runningMsAt`). */
  readonly runningMs: number;
  readonly costMicroUsd: number;
  readonly tokens: number;
  /** Calls without a known price; the cost is without them. */
  readonly unpricedCalls: number;
  /** When the platform last ran the checks. */
  readonly greenChecks: number;
  readonly allChecks: number;
  /** The last ones a person said, oldest first. */
  readonly messages: readonly ViewMessage[];
  /** Those that no iteration has taken up, also older ones. */
  readonly unread: number;
  /** Why the last decision was to go on; null before the first, and once it has ended for good. */
  readonly guidance: string | null;
  /** What the platform last said: why it stopped or failed, what it waits for, or why it goes on. */
  readonly lastWhy: string | null;
};

/** More than a screen shows; as many as the API answers with (src/store/run-view/run-view-store.ts). */
const shownMax = 20;

/** The run as it was answered. */
export function viewOf(run: Run): RunView {
  const { activity, metrics } = run;
  return withWhy({
    seq: run.last_seq,
    state: stateOf(run),
    iteration: run.iteration,
    attempt: activity.iteration === run.iteration ? activity.attempt : 1,
    maxIterations: run.max_iterations,
    workedOn: activity.iteration,
    entries: activity.entries.map(({ key, summary, lane, is_failed: isFailed }) => ({ key, summary, lane, isFailed })),
    entryCount: activity.entry_count,
    silences: run.silences.map((silence) => ({ ...silence, since: timestampOf(msOf(silence.since)) })),
    activeMs: activity.active_ms,
    runningMs: metrics.running_ms,
    costMicroUsd: metrics.cost_total_micro_usd,
    tokens: metrics.tokens_total,
    unpricedCalls: metrics.unpriced_calls,
    greenChecks: run.checks.green,
    allChecks: run.checks.of,
    messages: run.messages.map(({ kind, text, taken_up_in: takenUpIn }) => ({ kind, text, takenUpIn })),
    unread: run.unread_messages,
    guidance: run.guidance?.why ?? null,
    lastWhy: null,
  });
}

function stateOf(run: Run): ViewState {
  switch (run.status) {
    case "running": {
      const hold = run.hold && { until: timestampOf(msOf(run.hold.until)), why: run.hold.why };
      return { status: "running", since: run.activity.since, hold };
    }
    case "waiting_on_user":
      return { status: "waiting_on_user", questions: run.questions };
    case "stopped":
      return { status: "stopped", reason: run.stop_reason?.type ?? null, why: run.stop_reason?.detail ?? "" };
    case "failed":
      return { status: "failed", why: run.failure ?? "" };
    default:
      return { status: run.status };
  }
}

function withWhy(view: RunView): RunView {
  const { state, guidance } = view;
  const own = "why" in state ? state.why : state.status === "running" ? (state.hold?.why ?? null) : null;
  return { ...view, lastWhy: own ?? guidance };
}

export function foldAll(view: RunView, events: readonly RunEvent[]): RunView {
  return events.reduce(foldEvent, view);
}

export function foldEvent(view: RunView, event: RunEvent): RunView {
  if (event.seq <= view.seq) return view;
  const said = parseEvent(event);
  const seen = { ...view, seq: event.seq };
  return said === null ? seen : withWhy(apply(seen, said, event.at));
}

/** It will not go on by itself: it has ended, or someone has to do something. */
export function isSettled(status: RunStatus): boolean {
  return status !== "queued" && status !== "running";
}

/** Iterations that are used up: not the one in flight, nor one that the run stopped in the middle of. */
export function iterationsDone({ state, iteration }: RunView): number {
  const isCutOff = state.status === "stopped" && state.reason !== null && isMidway(state.reason);
  return isSettled(state.status) && !isCutOff ? iteration : iteration - 1;
}

/** With the iteration in flight. */
export function runningMsAt({ state, runningMs, activeMs }: RunView, nowMs: number): number {
  if (activeMs !== null) return runningMs + activeMs;
  return runningMs + (state.status === "running" && state.since !== null ? Math.max(0, nowMs - msOf(state.since)) : 0);
}

type Fold<Type extends SaidEvent["type"]> = (view: RunView, said: Said<Type>, at: string) => RunView;

/** The compiler has seen that every type has a fold for its own events. */
const apply = (view: RunView, said: SaidEvent, at: string): RunView =>
  (folds[said.type] as (view: RunView, said: SaidEvent, at: string) => RunView)(view, said, at);

const queued = { status: "queued" } as const;
const idle = { status: "running", since: null, hold: null } as const;

const folds: { readonly [Type in SaidEvent["type"]]: Fold<Type> } = {
  run_created: (view, said) => ({
    ...view,
    maxIterations: said.max_iterations,
    allChecks: said.checks,
    guidance: said.why,
  }),
  run_undone: (view) => view,
  run_restored: (view) => view,
  checks_changed: (view) => view,
  checks_proven: (view, { green, of }) => ({ ...view, greenChecks: green, allChecks: of }),
  entry_recorded: (view, said) => withEntry(hear(view, said.entry), said),
  model_silent: (view, said, at) => fallSilent(view, said, at),
  model_heard: (view, said, at) => hear(countFrom(view, said, at), said.entry),
  iteration_cost_update: (view, said) => ({
    ...view,
    costMicroUsd: said.total_cost_micro_usd,
    tokens: said.total_tokens,
    unpricedCalls: view.unpricedCalls + (said.priced_by === "unpriced" ? 1 : 0),
  }),
  run_steered: (view, { message, unread }) =>
    withMessages(view, [{ kind: "steer", text: message, takenUpIn: null }], unread),
  run_admitted: (view, { iteration }) => ({ ...dueAt(view, iteration), state: queued }),
  run_resumed: (view, said) => ({
    ...dueAt(view, said.iteration),
    maxIterations: said.max_iterations,
    state: queued,
  }),
  run_answered: (view, { iteration, answers, unread }) => {
    const messages = answers.map(({ text }): ViewMessage => ({ kind: "answer", text, takenUpIn: null }));
    return { ...withMessages(dueAt(view, iteration), messages, unread), state: queued };
  },
  run_started: (view) => ({ ...view, state: idle }),
  iteration_started: (view, said, at) => beginAttempt(view, said, at),
  iteration_released: (view, said) => settleTime(view, said),
  iteration_completed: (view, said) => endIteration(settleTime(view, said), said),
  run_holding: (view, said) => {
    const hold = { until: timestampOf(said.until_ms), why: said.why };
    return { ...settleTime(view, said), state: { ...idle, hold } };
  },
  run_waiting_on_user: (view, said) => ({
    ...settleTime(view, said),
    state: { status: "waiting_on_user", questions: said.questions },
  }),
  run_stopped: (view, said) => ({
    ...settleTime(view, said),
    state: { status: "stopped", reason: said.reason, why: said.why },
  }),
  run_failed: (view, said) => end(view, said, { status: "failed", why: said.why }),
  run_completed: (view, said) => end(view, said, { status: "completed" }),
  run_canceled: (view, said) => end(view, said, { status: "canceled" }),
};

const end = (view: RunView, said: { readonly running_ms: number }, state: ViewState): RunView => ({
  ...settleTime(view, said),
  guidance: null,
  state,
});

/** A new attempt found the agent of the last one at work, and has taken it over. */
export const isTakenOver = ({ entries }: RunView): boolean => entries.some(({ key }) => key.startsWith(takenOverKey));

const dueAt = (view: RunView, iteration: number): RunView =>
  iteration === view.iteration ? view : { ...view, iteration, attempt: 1 };

/** The entries of an iteration that is tried again are not done again, so they stay. */
const workOn = (view: RunView, iteration: number): RunView =>
  iteration === view.workedOn ? view : { ...view, workedOn: iteration, entries: [], entryCount: 0 };

function beginAttempt(view: RunView, said: Said<"iteration_started">, at: string): RunView {
  const { iteration, attempt, unread } = said;
  const begun = workOn(dueAt(settleTime(view, said), iteration), iteration);
  // All or nothing: an attempt that goes on with what others began leaves what was said since for its session to hear.
  const heard = unread === 0 ? takeUpAll(begun, iteration) : { ...begun, unread };
  return { ...heard, attempt, state: { ...idle, since: at } };
}

const takeUpAll = (view: RunView, iteration: number): RunView => ({
  ...view,
  messages: view.messages.map((each) => (each.takenUpIn === null ? { ...each, takenUpIn: iteration } : each)),
  unread: 0,
});

function endIteration(view: RunView, { iteration, decision, why, is_unheard, unread }: Said<"iteration_completed">) {
  const messages = is_unheard ? view.messages.map((each) => leftBy(each, iteration)) : view.messages;
  const ended: RunView = { ...view, messages, unread };
  return decision === "continue" ? { ...dueAt(ended, iteration + 1), guidance: why, state: idle } : ended;
}

function fallSilent(view: RunView, said: Said<"model_silent">, at: string): RunView {
  const { entry, model, tries, tries_most, at_stake_micro_usd } = said;
  const since = timestampOf(msOf(at) - said.silent_ms);
  const silence: Silence = { entry, model, since, tries, tries_most, at_stake_micro_usd };
  const silences = [...view.silences.filter((each) => each.entry !== entry), silence];
  const sorted = silences.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0));
  return { ...countFrom(view, said, at), silences: sorted, activeMs: said.active_ms };
}

/** The time of the attempt as the platform counts it, without what was lost. */
function countFrom(view: RunView, { active_ms: activeMs }: { readonly active_ms: number }, at: string): RunView {
  const { state } = view;
  if (state.status !== "running" || state.since === null) return view;
  return { ...view, state: { ...state, since: timestampOf(msOf(at) - activeMs) } };
}

function hear(view: RunView, entry: string): RunView {
  const silences = view.silences.filter((each) => each.entry !== entry);
  return silences.length === view.silences.length
    ? view
    : { ...view, silences, activeMs: silences.length === 0 ? null : view.activeMs };
}

const leftBy = (message: ViewMessage, iteration: number): ViewMessage =>
  message.takenUpIn === iteration ? { ...message, takenUpIn: null } : message;

const withMessages = (view: RunView, more: readonly ViewMessage[], unread: number): RunView => ({
  ...view,
  messages: [...view.messages, ...more].slice(-shownMax),
  unread,
});

function withEntry(view: RunView, said: Said<"entry_recorded">): RunView {
  const { iteration, entry, summary, lane = "planner", is_failed: isFailed = false } = said;
  const worked = workOn(said.unread === 0 ? takeUpAll(view, iteration) : view, iteration);
  if (said.is_bookkeeping) return worked;
  const entries = [...worked.entries, { key: entry, summary, lane, isFailed }].slice(-shownMax);
  return { ...worked, entries, entryCount: worked.entryCount + 1 };
}

/** The attempt in flight, if there was one, is over: its time counts. */
function settleTime(view: RunView, { running_ms: runningMs }: { readonly running_ms: number }): RunView {
  const { state } = view;
  const heard = { silences: [], activeMs: null };
  return { ...view, ...heard, runningMs, state: state.status === "running" ? { ...state, since: null } : state };
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
const msOf = (timestamp: string): number => Date.parse(timestamp);
// biome-ignore lint/style/noRestrictedGlobals: writes a given time, not the clock's
const timestampOf = (ms: number): string => new Date(ms).toISOString();

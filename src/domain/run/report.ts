// The report a person reads when a run has ended. What changed, the artifacts and the figures come from the store; only the
// narrative may come from a model, and where it did not, it is put together from the same facts.

import { unreachable } from "../../lib/assert.ts";
import type { Spent } from "./budget.ts";
import type { Check, Proof } from "./checks.ts";
import { describeCheck } from "./describe-check.ts";
import type { Run, RunStatus, StopReason } from "./run.ts";

export type ChangedThing = { readonly type: string; readonly id: string; readonly title: string };
export type LinkedThings = { readonly from_id: string; readonly to_id: string; readonly relationship: string };

/** What the run did, as the store recorded it. */
export type RunRecord = {
  readonly created: readonly ChangedThing[];
  readonly updated: readonly ChangedThing[];
  readonly linked: readonly LinkedThings[];
  readonly proofs: readonly Proof[];
  /** That have ended. */
  readonly iterations: number;
  /** By a model, five to ten sentences; null where none could be had. */
  readonly narrative: string | null;
};

type StoppingType = "completed" | "budget" | "max_iterations" | "no_progress" | "canceled" | "error" | "paused";

export type Report = {
  readonly title: string;
  readonly objective: string;
  readonly status: RunStatus;
  readonly summary: string;
  readonly what_changed: Pick<RunRecord, "created" | "updated" | "linked">;
  readonly artifacts: {
    readonly plans: readonly { readonly id: string; readonly status: string }[];
    readonly documents: readonly { readonly id: string; readonly title: string }[];
  };
  readonly checks: readonly {
    readonly check: string;
    /** In words. */
    readonly about: string;
    readonly is_green: boolean;
    readonly seen: string;
  }[];
  readonly metrics: {
    readonly iterations: number;
    readonly duration_ms: number;
    readonly total_tokens: number;
    /** Whole micro-dollars; shown as dollars. */
    readonly total_cost_micro_usd: number;
    readonly tool_calls: number;
    /** Calls that nobody knows a price for; they are not in the cost. */
    readonly unpriced_calls: number;
  };
  readonly stopping_reason: { readonly type: StoppingType; readonly detail: string };
};

export function assembleReport(run: Run, record: RunRecord): Report {
  const { status } = run.state;
  return {
    title: `${titles[status]}: ${shortened(run.objective)}`,
    objective: run.objective,
    status,
    summary: record.narrative ?? plainSummary(run, record),
    what_changed: { created: record.created, updated: record.updated, linked: record.linked },
    artifacts: {
      plans: record.created.filter(({ type }) => type === "plan").map(({ id }) => ({ id, status })),
      documents: uniqueDocuments(record),
    },
    checks: run.checks.map((check) => shownCheck(check, record.proofs)),
    metrics: {
      iterations: record.iterations,
      duration_ms: run.spent.runningMs,
      total_tokens: run.spent.tokens,
      total_cost_micro_usd: run.spent.costMicroUsd,
      tool_calls: run.spent.toolCalls,
      unpriced_calls: run.spent.unpricedCalls,
    },
    stopping_reason: stoppingReason(run),
  };
}

const titles: Readonly<Record<RunStatus, string>> = {
  completed: "Homework complete",
  stopped: "Homework stopped",
  failed: "Homework failed",
  canceled: "Homework canceled",
  queued: "Homework in line",
  running: "Homework running",
  waiting_on_user: "Homework needs you",
};

const titleMax = 80;

function shortened(objective: string): string {
  const line = objective.split("\n", 1)[0]?.trim() ?? "";
  return line.length <= titleMax ? line : `${line.slice(0, titleMax - 1).trimEnd()}…`;
}

function uniqueDocuments({ created, updated }: RunRecord): Report["artifacts"]["documents"] {
  const documents = [...created, ...updated].filter(({ type }) => type === "document");
  return [...new Map(documents.map(({ id, title }) => [id, { id, title }])).values()];
}

function shownCheck(check: Check, proofs: readonly Proof[]): Report["checks"][number] {
  const proof = proofs.findLast(({ checkId }) => checkId === check.id);
  return {
    check: check.target.kind,
    about: describeCheck(check),
    is_green: proof?.isGreen ?? false,
    seen: proof?.seen ?? "was not looked at",
  };
}

const budgets: readonly StopReason[] = ["running_time", "cost", "tokens", "tool_calls"];

function stoppingReason({ state }: Run): Report["stopping_reason"] {
  switch (state.status) {
    case "completed":
      return { type: "completed", detail: `${state.proofs.length} checks are green` };
    case "canceled":
      return { type: "canceled", detail: "You canceled it" };
    case "failed":
      return { type: "error", detail: state.detail };
    case "stopped":
      return { type: stoppedType(state.reason), detail: state.detail };
    case "queued":
    case "running":
    case "waiting_on_user":
      return { type: "error", detail: `It has not ended; it is ${state.status}` };
    default:
      return unreachable(state);
  }
}

function stoppedType(reason: StopReason): StoppingType {
  if (reason === "max_iterations" || reason === "paused") return reason;
  if (budgets.includes(reason)) return "budget";
  return reason === "provider_auth" || reason === "provider_quota" ? "error" : "no_progress";
}

/** Nothing but facts, in whole sentences. */
function plainSummary(run: Run, { created, updated, linked, proofs, iterations }: RunRecord): string {
  const green = proofs.filter(({ isGreen }) => isGreen).length;
  const { type, detail } = stoppingReason(run);
  return [
    `The objective was: ${shortened(run.objective)}.`,
    `The run did ${count(iterations, "iteration")} in ${duration(run.spent)}.`,
    `It created ${count(created.length, "thing")}, changed ${count(updated.length, "thing")} and linked ${count(linked.length, "pair")}.`,
    `${green} of ${count(run.checks.length, "check")} ${green === 1 ? "is" : "are"} green.`,
    `It ended as ${run.state.status} (${type}): ${detail}.`,
  ].join(" ");
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function duration({ runningMs }: Spent): string {
  const minutes = Math.floor(runningMs / 60_000);
  return minutes === 0 ? count(Math.round(runningMs / 1_000), "second") : count(minutes, "minute");
}

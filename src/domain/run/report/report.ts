// The report a person reads when a run has ended: the result and what it says first, then what stays open, what the user said
// and how it was honoured, checks, changes, cost. What changed, the artifacts and the figures come from the store; the
// narrative and the closing words are a model's. Without a narrative it is put together from the same facts.

import { unreachable } from "../../../lib/assert.ts";
import { detectLanguage } from "../../language.ts";
import type { Spent } from "../budget/budget.ts";
import type { Check, Proof } from "../checks/check.ts";
import { areChecksDue, checkState } from "../checks/check-state.ts";
import { describeCheck } from "../checks/describe-check.ts";
import { type Run, tellStatus } from "../run.ts";
import type { StopReason } from "../stop-reason.ts";
import type { Closing } from "./closing.ts";
import { nameObjective } from "./notification.ts";
import { openingParagraph } from "./opening-paragraph.ts";
import type {
  ChangedThing,
  CheckChange,
  LinkedThings,
  PrimaryOutput,
  Report,
  SaidMessage,
  StoppingType,
} from "./report-shape.ts";
import { countKind, countNoun, joinWords, type ReportWords, reportWords } from "./report-words.ts";

/** What the run did, as the store recorded it. Working notes are in none of these. */
export type RunRecord = {
  readonly created: readonly ChangedThing[];
  readonly updated: readonly ChangedThing[];
  readonly linked: readonly LinkedThings[];
  /** Also of what the lists have no room for. */
  readonly counts: readonly { readonly type: string; readonly created: number; readonly updated: number }[];
  /** Plans among the changed things, each with its own state. */
  readonly plans: readonly { readonly id: string; readonly status: string }[];
  /** The documents among the changed things: how long each is, and how it begins. */
  readonly documents: readonly { readonly id: string; readonly size: number; readonly beginning: string }[];
  readonly proofs: readonly Proof[];
  readonly checkChanges: readonly CheckChange[];
  /** Oldest first. */
  readonly messages: readonly SaidMessage[];
  readonly closing: Closing | null;
  /** Of agents; left out where none has worked. */
  readonly work?: Report["work"];
  /** Input tokens that providers read from a cache; null where no ledger line says so. */
  readonly cachedTokens: number | null;
  /** That have ended. */
  readonly iterations: number;
  /** By a model, three to five sentences; null where none could be had. */
  readonly narrative: string | null;
};

export function assembleReport(run: Run, record: RunRecord): Report {
  const { status } = run.state;
  const language = detectLanguage(run.objective);
  const words = reportWords[language];
  const areDue = areChecksDue({
    status,
    isPaused: run.state.status === "stopped" && run.state.reason === "paused",
    wasTurnedDown: Object.values(run.streaks.rejectedClaims).some((count) => count > 0),
  });
  const checks = run.checks.map((check) => shownCheck(check, run, record.proofs, areDue));
  return {
    title: `${words.titles[status]}: ${nameObjective(run.objective)}`,
    objective: run.objective,
    status,
    language,
    primary_output: findPrimaryOutput(record),
    summary: record.narrative ?? plainSummary(run, record, checks, words),
    open_questions: record.closing?.openQuestions ?? [],
    unsure: record.closing?.unsure ?? [],
    messages: honourMessages(record),
    what_changed: {
      created: record.created,
      updated: record.updated,
      linked: record.linked,
      counts: record.counts,
    },
    work: record.work ?? null,
    artifacts: { plans: record.plans, documents: uniqueDocuments(record) },
    checks,
    check_changes: record.checkChanges,
    metrics: {
      iterations: record.iterations,
      duration_ms: run.spent.runningMs,
      total_tokens: run.spent.tokens,
      cached_tokens: record.cachedTokens,
      total_cost_micro_usd: run.spent.costMicroUsd,
      tool_calls: run.spent.toolCalls,
      unpriced_calls: run.spent.unpricedCalls,
    },
    stopping_reason: stoppingReason(run),
  };
}

/**
 * The one the run named, if it is really among what it wrote. Else the longest document: of those that the checks looked at,
 * of those it made, of those it changed, in this order.
 */
export function findPrimaryOutput(record: RunRecord): PrimaryOutput | null {
  const { created, updated, documents, closing, proofs } = record;
  const beginnings = new Map(documents.map(({ id, beginning }) => [id, beginning]));
  const written = [
    ...created.map((thing) => ({ ...thing, change: "created" as const })),
    ...updated.map((thing) => ({ ...thing, change: "updated" as const })),
  ];
  const proven = new Set(
    proofs.filter(({ isGreen }) => isGreen).flatMap(({ artifacts }) => artifacts.map(({ id }) => id)),
  );
  const sizes = new Map(documents.map(({ id, size }) => [id, size]));
  const longestFirst = written
    .filter(({ type }) => type === "document")
    .toSorted((a, b) => (sizes.get(b.id) ?? 0) - (sizes.get(a.id) ?? 0));
  const found =
    written.find(({ id }) => id === closing?.primaryOutput?.id) ??
    longestFirst.find(({ id }) => proven.has(id)) ??
    longestFirst.find(({ change }) => change === "created") ??
    longestFirst[0];
  return found ? { ...found, opening: openingParagraph(beginnings.get(found.id) ?? "") } : null;
}

/** What the run says it did about each message. A message it quotes is found by its words, the others by their order. */
function honourMessages({ messages, closing }: RunRecord): Report["messages"] {
  const left = [...(closing?.honoured ?? [])];
  const quoted = messages.map((message) => {
    const at = left.findIndex(({ message: said }) => isQuoteOf(said, message.text));
    return { ...message, how: at < 0 ? null : (left.splice(at, 1)[0]?.how ?? null) };
  });
  const open = quoted.filter(({ how }) => how === null);
  // As many as there are messages without a word: the run told of them in its own words, in the order they came.
  if (open.length !== left.length) return quoted;
  return quoted.map((message) => (message.how === null ? { ...message, how: left.shift()?.how ?? null } : message));
}

function isQuoteOf(said: string, text: string): boolean {
  const [short, long] = [normalized(said), normalized(text)];
  return short !== "" && long !== "" && (long.includes(short) || short.includes(long));
}

const normalized = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

function uniqueDocuments({ created, updated }: RunRecord): Report["artifacts"]["documents"] {
  const told = (change: "created" | "updated") => (thing: ChangedThing) => ({ ...thing, change });
  // What was made is told last, so that it is what remains of a document in both lists.
  const documents = [...updated.map(told("updated")), ...created.map(told("created"))].filter(
    ({ type }) => type === "document",
  );
  return [...new Map(documents.map(({ id, title, change }) => [id, { id, title, change }])).values()].toReversed();
}

function shownCheck(
  check: Check,
  { deliverables }: Run,
  proofs: readonly Proof[],
  areDue: boolean,
): Report["checks"][number] {
  const proof = proofs.findLast(({ checkId }) => checkId === check.id);
  return {
    check: check.target.kind,
    about: describeCheck(check, deliverables),
    is_green: proof?.isGreen ?? false,
    state: checkState(proof ?? null, areDue),
    seen: proof?.seen ?? "",
  };
}

function stoppingReason({ state }: Run): Report["stopping_reason"] {
  switch (state.status) {
    case "completed":
      return {
        type: "completed",
        detail: `${state.proofs.length === 1 ? "The check" : `All ${state.proofs.length} checks`} passed`,
      };
    case "canceled":
      return { type: "canceled", detail: "You canceled the run" };
    case "failed":
      return { type: "error", detail: state.detail };
    case "stopped":
      return { type: stoppingTypes[state.reason], detail: state.detail };
    case "queued":
    case "running":
    case "waiting_on_user":
      return { type: "error", detail: `The run has not ended; it is ${tellStatus(state.status)}` };
    default:
      return unreachable(state);
  }
}

/** For the programs that read reports; people read `detail`. */
const stoppingTypes: Readonly<Record<StopReason, StoppingType>> = {
  max_iterations: "max_iterations",
  running_time: "budget",
  cost: "budget",
  tokens: "budget",
  tool_calls: "budget",
  monthly_quota: "budget",
  no_progress: "no_progress",
  same_action: "no_progress",
  same_error: "no_progress",
  tool_missing: "no_progress",
  claim_rejected: "no_progress",
  provider_auth: "error",
  provider_quota: "error",
  provider_faults: "error",
  paused: "paused",
};

/** Nothing but facts, in whole sentences. */
function plainSummary(run: Run, record: RunRecord, checks: Report["checks"], words: ReportWords): string {
  const passed = checks.filter(({ state }) => state === "passed").length;
  const told = (op: "created" | "updated") =>
    joinWords(
      words,
      record.counts.filter((count) => count[op] > 0).map((count) => countKind(words, count[op], count.type)),
    );
  const [created, updated] = [told("created"), told("updated")];
  const { detail } = stoppingReason(run);
  const files = record.work?.file_count ?? 0;
  return [
    words.workedFor(countNoun(record.iterations, words.iterations), duration(run.spent, words)),
    ...(created === "" ? [] : [words.didCreate(created)]),
    ...(updated === "" ? [] : [words.didUpdate(updated)]),
    ...(files === 0 ? [] : [words.didUpdate(countNoun(files, words.files))]),
    ...(created === "" && updated === "" && files === 0 ? [words.nothing] : []),
    ...(checks.length === 0 ? [] : [`${words.passedOf(passed, checks.length)}.`]),
    ...(run.state.status === "completed" ? [] : [detail.replace(/[.]?$/, ".")]),
  ].join(" ");
}

function duration({ runningMs }: Spent, words: ReportWords): string {
  const minutes = Math.floor(runningMs / 60_000);
  return minutes === 0 ? countNoun(Math.round(runningMs / 1_000), words.seconds) : countNoun(minutes, words.minutes);
}

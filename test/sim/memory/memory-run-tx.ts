// The transactions of runs in memory: what src/store/run/run-store.ts says in SQL, said again without looking at it.

import { nothingSpent, type Spent } from "../../../src/domain/run/budget/budget.ts";
import type { NotifiedStatus } from "../../../src/domain/run/effects.ts";
import type { EventOf } from "../../../src/domain/run/events.ts";
import { silenceToldEveryMs } from "../../../src/domain/run/provider/silence.ts";
import type { Run, RunId } from "../../../src/domain/run/run.ts";
import type {
  Lease,
  ModelCall,
  NotedSilence,
  RunChange,
  RunMessage,
  RunTransactions,
  RunTx,
  Silence,
} from "../../../src/runs/ports/run-store.ts";
import { turnJob } from "../../../src/store/outcome/homr-jobs.ts";
import { jobKey, jobOf } from "../../../src/store/run/run-jobs.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import { withEvents } from "./memory-events.ts";
import { memoryJobs } from "./memory-queue.ts";
import { hasSlot, type IterationRow, isInLine, type MessageRow, type RunRecord } from "./records.ts";
import type { Rules } from "./rules.ts";

export function memoryTransactions(database: MemoryDatabase, rules: Rules, by: string): RunTransactions {
  return { transaction: (work) => database.run(by, null, (tx) => work(memoryRunTx(tx, rules, database))) };
}

const toLocked = ({ run, attempts, leasedAtMs }: RunRecord) => ({
  run,
  attempts,
  isLeased: leasedAtMs !== null,
  isOwnerShut: false,
});

export function memoryRunTx(tx: MemoryTransaction, rules: Rules, database: MemoryDatabase): RunTx {
  const jobs = memoryJobs(rules);
  return {
    lockUser: (userId) => tx.lock("user", userId),
    lockRun: async (runId) => {
      await tx.lock("run", runId);
      const record = tx.find(runId);
      if (record === null) return null;
      return { ...toLocked(record), leasedMs: rules.leasedMs(record, tx.nowMs) };
    },
    insertRun: async (run) => tx.put(newRecord(run, tx.nowMs)),
    save: async (change) => {
      if (change.isListed) await tx.lock("feed", change.run.userId);
      tx.put(saved(found(tx, change.run.id), change, tx.nowMs, rules));
    },
    readNotification: async (run) => {
      await tx.lock("feed", run.userId);
      const record = found(tx, run.id);
      tx.put({ ...record, notification: record.notification && { ...record.notification, isRead: true } });
    },
    recordOf: async (run) => ({
      created: (database.documents.get(run.id) ?? []).map(({ id, key }) => ({
        type: "document",
        id,
        title: key,
        project_id: null,
      })),
      ...{ updated: [], linked: [], counts: [], checkChanges: [] },
      plans: [],
      documents: [],
      messages: [],
      closing: null,
      cachedTokens: null,
      proofs: run.state.status === "completed" ? run.state.proofs : run.lastProofs,
      iterations: found(tx, run.id).iterations.filter(({ decision }) => decision !== null).length,
      narrative: null,
    }),
    countSlots: async (userId) => tx.runsOf(userId).filter(hasSlot).length,
    maxSlots: async () => null,
    nextInLine: async (userId) => inLine(tx.runsOf(userId))[0]?.run.id ?? null,
    takeUpMessages: async (runId, iteration, isNew) => takeUpMessages(tx, runId, iteration, isNew),
    readJournal: async (runId, iteration) =>
      found(tx, runId)
        .entries.filter((entry) => entry.iteration === iteration)
        .map(({ key, lane, kind, state, result, handle }) => ({ key, lane, kind, state, result, handle })),
    markSilent: async ({ runId }, call, silence) => markSilent(tx, runId, call, silence),
    workedMs: async (lease) => measureWork(found(tx, lease.runId), lease),
    giveUpCalls: (runId) => giveUpCalls(tx, runId, rules),
    enqueue: (run, iteration, notBeforeMs) => jobs.enqueue(tx, jobOf(run, iteration, notBeforeMs)),
    tellOutcome: async ({ id: runId, outcomeTaskId: taskId }) => {
      const of = tx.allOutcomes().find(({ tasks }) => tasks.some(({ id }) => id === taskId));
      if (of === undefined || taskId === null) return;
      await jobs.enqueue(tx, turnJob(of.outcome.id, { kind: "observe", taskId, runId }, null));
    },
    isTaskAtWork: async ({ id, outcomeTaskId }) => {
      const of = tx.allOutcomes().find(({ tasks }) => tasks.some((task) => task.id === outcomeTaskId));
      const task = of?.tasks.find((each) => each.id === outcomeTaskId && each.runId === id);
      return task === undefined || (task.status === "running" && of?.outcome.status === "active");
    },
    dropJob: (runId, iteration) => jobs.drop(tx, "iteration", jobKey(runId, iteration)),
    acknowledge: (job) => jobs.complete(tx, { ...job, kind: "iteration" }),
  };
}

function measureWork({ entries, leasedAtMs }: RunRecord, { iteration, fence }: Lease): number {
  const done = entries.filter(
    (entry) => entry.iteration === iteration && entry.fence === fence && entry.state === "done",
  );
  return Math.max(0, ...done.map(({ atMs }) => atMs - (leasedAtMs ?? atMs)));
}

function markSilent(
  tx: MemoryTransaction,
  runId: RunId,
  { callId, key }: ModelCall,
  silence: Silence | null,
): NotedSilence | null {
  const record = found(tx, runId);
  const call = record.calls.find((each) => each.callId === callId);
  if (call?.state !== "reserved") return null;
  const silentSinceMs = silence === null ? null : tx.nowMs - silence.silentMs;
  const calls = record.calls.map((each) => (each === call ? { ...each, silentSinceMs } : each));
  tx.put({ ...record, calls });
  const tries = record.calls.filter((each) => each.iteration === call.iteration && each.key === key);
  const triesMost = tries.length + (silence?.triesLeft ?? 0);
  const isNews = record.silenceToldAtMs === null || tx.nowMs - record.silenceToldAtMs >= silenceToldEveryMs;
  return { model: "chance/one", tries: tries.length, triesMost, atStakeMicroUsd: null, isNews };
}

export function found(tx: MemoryTransaction, runId: RunId): RunRecord {
  const record = tx.find(runId);
  if (record === null) throw new Error(`bug: no run ${runId}`);
  return record;
}

/** Who waits longest comes first. */
export const inLine = (records: readonly RunRecord[]): readonly RunRecord[] =>
  records.filter(isInLine).toSorted((a, b) => a.queuedAtMs - b.queuedAtMs || (a.run.id < b.run.id ? -1 : 1));

const newRecord = (run: Run, nowMs: number): RunRecord => ({
  run,
  attempts: 0,
  leasedAtMs: null,
  leaseSeenAtMs: null,
  moves: 0,
  lastSeq: 0,
  queuedAtMs: nowMs,
  silenceToldAtMs: null,
  events: [],
  iterations: [],
  entries: [],
  messages: [],
  calls: [],
  notification: null,
  report: null,
});

function saved(record: RunRecord, change: RunChange, nowMs: number, rules: Rules): RunRecord {
  const { run, lease, notification, attempt } = change;
  const { runningMs } = run.spent;
  const unheard = record.messages.filter((message) => unread(message, change.unheard) !== message).length;
  const after: RunRecord = {
    ...withEvents(record, change.events, rules),
    // Money, tokens and tool calls are the ledger's and the journal's.
    run: { ...run, unreadMessages: run.unreadMessages + unheard, spent: { ...record.run.spent, runningMs } },
    attempts: attempt?.attempt ?? (run.state.iteration === record.run.state.iteration ? record.attempts : 0),
    leasedAtMs: { begin: nowMs, keep: record.leasedAtMs, release: null }[lease],
    leaseSeenAtMs: { begin: nowMs, keep: record.leaseSeenAtMs, release: null }[lease],
    queuedAtMs: run.state.status === "queued" && record.run.state.status !== "queued" ? nowMs : record.queuedAtMs,
    messages: [...record.messages.map((message) => unread(message, change.unheard)), ...newMessages(record, change)],
    report: change.report ?? record.report,
    silenceToldAtMs: change.events.some((event) => event.type === "model_silent" && event.is_told)
      ? nowMs
      : record.silenceToldAtMs,
  };
  const told = (record.notification?.told ?? 0) + 1;
  return {
    ...after,
    iterations: savedIterations(after, change),
    moves: record.moves + (notification ? 1 : 0),
    notification: notification
      ? { told, event: notification.event as NotifiedStatus, isRead: false }
      : record.notification,
  };
}

/** As it is once the iteration `unheard` has left it to the next. */
const unread = (message: MessageRow, unheard: number | null): MessageRow =>
  unheard !== null && message.consumedIteration === unheard ? { ...message, consumedIteration: null } : message;

function newMessages(record: RunRecord, { before, messages }: RunChange): readonly MessageRow[] {
  return messages.map((message, at) => ({
    id: `${record.run.id}:message:${record.messages.length + at}`,
    kind: message.kind,
    questionId: message.kind === "answer" ? message.questionId : null,
    question: message.kind === "answer" ? message.question : null,
    askedIn: message.kind === "answer" ? before.state.iteration : null,
    text: message.text,
    consumedIteration: null,
  }));
}

function savedIterations({ run: { spent }, iterations }: RunRecord, change: RunChange): readonly IterationRow[] {
  const { attempt, ended, interrupted } = change;
  const known = iterations.some(({ iteration }) => iteration === attempt?.iteration);
  const begun: readonly IterationRow[] =
    attempt === null || known
      ? iterations
      : [...iterations, { ...attempt, attempts: 0, status: "running", ...unfinished, before: spent }];
  return begun.map((row) => {
    if (row.iteration === attempt?.iteration) return { ...row, attempts: attempt.attempt, status: "running" };
    if (row.iteration === ended?.iteration) {
      const { status, decision, artifacts, plan, deliverables, checks } = ended;
      const promised = { deliverables, checks };
      return { ...row, status, decision, artifacts, plan, promised, used: less(spent, row.before) };
    }
    if (row.iteration === interrupted && row.status === "running") return { ...row, status: "interrupted" };
    return row;
  });
}

const unfinished = {
  decision: null,
  artifacts: [],
  plan: null,
  promised: null,
  used: null,
  before: nothingSpent,
} as const;

const less = (total: Spent, before: Spent): Spent => ({
  runningMs: total.runningMs - before.runningMs,
  costMicroUsd: total.costMicroUsd - before.costMicroUsd,
  tokens: total.tokens - before.tokens,
  toolCalls: total.toolCalls - before.toolCalls,
  unpricedCalls: total.unpricedCalls - before.unpricedCalls,
});

function takeUpMessages(tx: MemoryTransaction, runId: RunId, iteration: number, isNew: boolean): readonly RunMessage[] {
  const record = found(tx, runId);
  const messages = record.messages.map((message) =>
    isNew && message.consumedIteration === null ? { ...message, consumedIteration: iteration } : message,
  );
  tx.put({ ...record, messages });
  return messages
    .filter(({ consumedIteration }) => consumedIteration === iteration)
    .map(({ id, kind, questionId, question, text }) => ({ id, kind, questionId, question, text }));
}

/** Housekeeping: what nobody works on any more and was reserved long ago. */
export async function giveUpOldCalls(database: MemoryDatabase, rules: Rules, ageMs: number): Promise<void> {
  await database.run("housekeeping", null, async (tx) => {
    for (const { run, calls } of database.runs.values()) {
      const isOld = calls.some(({ state, atMs }) => state === "reserved" && atMs < tx.nowMs - ageMs);
      if (run.state.status === "running" || !isOld || tx.isLockedByAnother("run", run.id)) continue;
      await tx.lock("run", run.id);
      await giveUpCalls(tx, run.id, rules);
    }
  });
}

async function giveUpCalls(tx: MemoryTransaction, runId: RunId, rules: Rules): Promise<void> {
  for (const { callId, state } of found(tx, runId).calls) if (state === "reserved") await tx.lock("call", callId);
  const record = found(tx, runId);
  const events: CostUpdate[] = [];
  let { costMicroUsd: total } = record.run.spent;
  const calls = record.calls.map((call) => {
    if (call.state !== "reserved") return call;
    const costMicroUsd = rules.chargeFor(call, "lost");
    total += costMicroUsd;
    events.push(lostCall(call.iteration, costMicroUsd, { ...record.run.spent, costMicroUsd: total }));
    return { ...call, state: "unknown" as const, costMicroUsd };
  });
  if (events.length === 0) return;
  const { spent } = record.run;
  tx.put({
    ...withEvents(record, events, rules),
    calls,
    run: { ...record.run, spent: { ...spent, costMicroUsd: total } },
  });
}

type CostUpdate = EventOf<"iteration_cost_update">;

const lostCall = (iteration: number, costMicroUsd: number, total: Spent): CostUpdate => ({
  type: "iteration_cost_update",
  iteration,
  model: "lost",
  cost_micro_usd: costMicroUsd,
  priced_by: "reservation",
  tokens: 0,
  total_cost_micro_usd: total.costMicroUsd,
  total_tokens: total.tokens,
});

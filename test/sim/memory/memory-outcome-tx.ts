// The transactions of outcomes in memory: what src/store/outcome/ says in SQL, said again without looking at it.

import { emptyContext } from "../../../src/domain/homr/context/context.ts";
import type { Observation, ObservationSummary } from "../../../src/domain/homr/observe/observation.ts";
import type { Outcome, OutcomeId } from "../../../src/domain/homr/outcome.ts";
import { type OutcomeState, overMax } from "../../../src/domain/homr/outcome-state.ts";
import { isOpenEscalation } from "../../../src/domain/homr/questions/escalation.ts";
import type { OutcomeTask } from "../../../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../../../src/domain/homr/tasks/task-id.ts";
import type { RunId } from "../../../src/domain/run/run.ts";
import type {
  Attempt,
  OutcomeChange,
  OutcomeTransactions,
  OutcomeTx,
  TakenTurn,
  TurnKind,
} from "../../../src/outcomes/ports/outcome-store.ts";
import { turnJob } from "../../../src/store/outcome/homr-jobs.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import { memoryJobs } from "./memory-queue.ts";
import { memoryRunTx } from "./memory-run-tx.ts";
import type { CallRow, OutcomeRecord, TurnRow } from "./records.ts";
import type { Rules } from "./rules.ts";

export function memoryOutcomes(database: MemoryDatabase, rules: Rules, by: string): OutcomeTransactions {
  return { transaction: (work) => database.run(by, null, (tx) => work(memoryOutcomeTx(tx, rules, database))) };
}

function memoryOutcomeTx(tx: MemoryTransaction, rules: Rules, database: MemoryDatabase): OutcomeTx {
  const jobs = memoryJobs(rules);
  return {
    lockOutcome: async (id, spokenOf = []) => {
      await tx.lock("outcome", id);
      const record = tx.findOutcome(id);
      return record === null || record.isDeleted ? null : toState(tx, record, spokenOf);
    },
    insertOutcome: async (outcome, tasks) => {
      await tx.lock("outcome", outcome.id);
      tx.putOutcome({ ...nothingElse, outcome, tasks });
    },
    save: async (change) => {
      if (change.ended !== null) await tx.lock("run", change.ended.runId);
      tx.putOutcome(saved(foundOutcome(tx, change.state.outcome.id), change));
    },
    tell: async ({ state, notifications }) => {
      await tx.lock("feed", state.outcome.userId);
      const record = foundOutcome(tx, state.outcome.id);
      tx.putOutcome({ ...record, told: record.told + notifications.length });
    },
    findAttempt: async (runId) => findAttempt(tx, runId),
    findMemories: async ({ userId }) =>
      tx
        .allOutcomes()
        .filter(({ outcome }) => outcome.userId === userId)
        .flatMap(({ memories }) => memories.map((memory) => ({ ...memory, match: 1 }))),
    countReviews: async (id) => foundOutcome(tx, id).reviews.length,
    takeTurn: async (outcome, kind, about) => takeTurn(tx, rules, outcome, kind, about),
    endTurn: async ({ outcomeId, turn, fence }, state) => {
      const record = foundOutcome(tx, outcomeId);
      const mine = record.turns.find((each) => each.turn === turn);
      if (mine?.fence !== fence || mine.state !== "running") return false;
      tx.putOutcome(withTurn(record, { ...mine, state }));
      return true;
    },
    enqueue: (outcomeId, turn, notBeforeMs) => jobs.enqueue(tx, turnJob(outcomeId, turn, notBeforeMs)),
    acknowledge: (job) => jobs.complete(tx, { ...job, kind: "homr" }),
    runs: memoryRunTx(tx, rules, database),
  };
}

const nothingElse = {
  isDeleted: false,
  attempts: [],
  context: emptyContext,
  escalations: [],
  observations: [],
  activities: [],
  interventions: [],
  reviews: [],
  memories: [],
  turns: [],
  told: 0,
} as const;

export function foundOutcome(tx: MemoryTransaction, id: OutcomeId): OutcomeRecord {
  const record = tx.findOutcome(id);
  if (record === null) throw new Error(`bug: no outcome ${id}`);
  return record;
}

export const withTurn = (record: OutcomeRecord, turn: TurnRow): OutcomeRecord => ({
  ...record,
  turns: record.turns.some((each) => each.turn === turn.turn)
    ? record.turns.map((each) => (each.turn === turn.turn ? turn : each))
    : [...record.turns, turn],
});

const historyMax = 50;

function toState(tx: MemoryTransaction, record: OutcomeRecord, spokenOf: readonly TaskId[]): OutcomeState {
  const { outcome, tasks, context, escalations, observations } = record;
  const open = tasks.filter(({ id, status }) => !ended.includes(status) || spokenOf.includes(id));
  const over = tasks.filter(({ status }) => ended.includes(status)).toSorted((a, b) => b.number - a.number);
  const lately = over.slice(0, overMax).map(({ id }) => id);
  const wanted = new Set([...open.flatMap(({ id, dependsOn }) => [id, ...dependsOn]), ...lately]);
  return {
    outcome: { ...outcome, spent: sumSpent(tx, record) },
    tasks: tasks.filter(({ id }) => wanted.has(id)).toSorted((a, b) => a.number - b.number),
    context,
    escalations: escalations.filter(isOpenEscalation),
    history: observations.slice(-historyMax).map(toSummary),
  };
}

const ended: readonly OutcomeTask["status"][] = ["completed", "obsolete"];

/** Runs of attempts and turns, each call once. */
function sumSpent(tx: MemoryTransaction, { attempts, turns }: OutcomeRecord): Outcome["spent"] {
  const runs = attempts.map(({ runId }) => tx.find(runId)?.run.spent);
  const calls = turns.flatMap((turn) => turn.calls);
  const sum = (of: "costMicroUsd" | "tokens") =>
    runs.reduce((all, spent) => all + (spent?.[of] ?? 0), 0) + calls.reduce((all, call) => all + call[of], 0);
  return { costMicroUsd: sum("costMicroUsd"), tokens: sum("tokens"), unpricedCalls: 0 };
}

const toSummary = ({ drift, ...seen }: Observation): ObservationSummary => ({
  id: seen.id,
  taskId: seen.taskId,
  attempt: seen.attempt,
  hasSucceeded: seen.hasSucceeded,
  onTrack: seen.onTrack,
  alignmentScore: seen.alignmentScore,
  quality: seen.quality,
  summary: seen.summary,
  atMs: seen.atMs,
  driftTypes: drift.map(({ type }) => type),
});

/** Those of `after` in place of what was kept; the others stay. */
function merged<T extends { readonly id: string }>(kept: readonly T[], after: readonly T[]): readonly T[] {
  const changed = new Map(after.map((each) => [each.id, each]));
  const known = new Set(kept.map(({ id }) => id));
  return [...kept.map((each) => changed.get(each.id) ?? each), ...after.filter(({ id }) => !known.has(id))];
}

function saved(record: OutcomeRecord, change: OutcomeChange): OutcomeRecord {
  const { before, state, begun, ended: end, observation, newApproach } = change;
  const forgotten = before.escalations.find(({ id }) => !state.escalations.some((each) => each.id === id));
  if (forgotten) throw new Error(`bug: escalation ${forgotten.id} was forgotten`);
  if (
    observation &&
    record.observations.some(({ taskId, attempt }) => taskId === observation.taskId && attempt === observation.attempt)
  )
    throw new Error(`duplicate key: attempt ${observation.attempt} of task ${observation.taskId} was observed`);
  const attempts = [
    ...record.attempts,
    ...begun.map((each) => ({ ...each, state: "running" as const, isObserved: null })),
  ];
  if (end !== null && !attempts.some(({ runId, state: was }) => runId === end.runId && was === "running"))
    throw new Error(`bug: the attempt of run ${end.runId} ends once`);
  const version = (record.outcome.approach?.version ?? 0) + 1;
  return {
    ...record,
    outcome: {
      ...state.outcome,
      spent: record.outcome.spent,
      approach: newApproach === null ? record.outcome.approach : { version, text: newApproach.text },
    },
    tasks: merged(record.tasks, state.tasks),
    attempts: attempts.map((each) =>
      each.runId === end?.runId ? { ...each, state: end.state, isObserved: end.isObserved } : each,
    ),
    context: state.context,
    escalations: merged(record.escalations, state.escalations),
    observations: observation === null ? record.observations : [...record.observations, observation],
    activities: [...record.activities, ...change.activities],
    interventions: [...record.interventions, ...change.interventions],
    reviews: change.review === null ? record.reviews : [...record.reviews, change.review],
    memories: [...record.memories, ...change.memories],
  };
}

function findAttempt(tx: MemoryTransaction, runId: RunId): Attempt | null {
  const found = tx.allOutcomes().flatMap(({ attempts }) => attempts.filter((each) => each.runId === runId))[0];
  if (found === undefined) return null;
  const { isObserved: _, ...attempt } = found;
  return attempt;
}

function takeTurn(
  tx: MemoryTransaction,
  rules: Rules,
  { id: outcomeId, userId }: Outcome,
  kind: TurnKind,
  about: string,
): TakenTurn | null {
  const record = foundOutcome(tx, outcomeId);
  const known = record.turns.find((each) => each.kind === kind && each.about === about);
  if (known !== undefined && known.state !== "running") return null;
  const turn = known?.turn ?? record.turns.length + 1;
  const fence = (known?.fence ?? 0) + 1;
  const calls = (known?.calls ?? []).map((call) => givenUp(call, rules));
  tx.putOutcome(withTurn(record, { turn, kind, about, state: "running", fence, entries: known?.entries ?? [], calls }));
  const journal = (known?.entries ?? []).map(({ key, lane, kind: of, state, result, handle }) => ({
    ...{ key, lane, state, result, handle },
    kind: of,
  }));
  return { lease: { outcomeId, userId, turn, fence }, journal };
}

const givenUp = (call: CallRow, rules: Rules): CallRow =>
  call.state === "reserved" ? { ...call, state: "unknown", costMicroUsd: rules.chargeFor(call, "lost") } : call;

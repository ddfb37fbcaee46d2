// Outcomes on a real database with the real queue: a worker with a scripted engine for their tasks and scripted models for HOMЯ.

import { sql } from "kysely";
import { afterAll } from "vitest";
import type { Database, Tx } from "../../src/db/database.ts";
import { startOutcome } from "../../src/domain/homr/commands/outcome-commands.ts";
import type { Outcome, OutcomeId } from "../../src/domain/homr/outcome.ts";
import type { HomrWorld, Moved, OutcomeState, Refused } from "../../src/domain/homr/outcome-state.ts";
import { isOpenEscalation } from "../../src/domain/homr/questions/escalation.ts";
import type { OutcomeTask } from "../../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../../src/domain/homr/tasks/task-id.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { HomrDeps } from "../../src/homr/homr-deps.ts";
import type { ModelOutcome, ModelRequest, Models } from "../../src/llm/model.ts";
import { homrHandler } from "../../src/loop/homr-handler.ts";
import { iterationHandler } from "../../src/loop/iteration-handler.ts";
import { startWorker } from "../../src/loop/worker.ts";
import { realEnv } from "../../src/main/env.ts";
import { type CommandedOutcome, commandOutcome } from "../../src/outcomes/command-outcome.ts";
import type { Engine } from "../../src/runs/ports/engine.ts";
import { homrJournalStore } from "../../src/store/journal/homr-journal-store.ts";
import { outcomeStore } from "../../src/store/outcome/outcome-store.ts";
import { readLiveness } from "../../src/store/outcome/read-liveness.ts";
import { readReviewWork } from "../../src/store/outcome/read-review-work.ts";
import { readWork } from "../../src/store/outcome/read-work.ts";
import { makeOutcome, makeTask } from "./make-outcome.ts";
import { makeCheck } from "./make-run.ts";
import { patienceMs } from "./patience.ts";
import { type RunWorld, runWorld, type WorkOptions } from "./run-world.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const maxConcurrentRuns = 20;
const limits = { maxConcurrentRuns };

/** What a model of HOMЯ says: JSON, or what else came of the call. */
export type Said = object | ModelOutcome;
export type HomrScript = (request: ModelRequest & { readonly kind: string }) => Said | Promise<Said>;

export type OutcomeWorld = RunWorld & {
  /** Handed over with these tasks, not started yet. The tasks depend on each other by their numbers. */
  readonly open: (userId: UserId, tasks: readonly NewOutcomeTask[], over?: Partial<Outcome>) => Promise<OutcomeId>;
  readonly read: (id: OutcomeId) => Promise<OutcomeState>;
  readonly act: (
    id: OutcomeId,
    command: (state: OutcomeState, world: HomrWorld) => Moved | Refused,
  ) => Promise<CommandedOutcome>;
  readonly start: (id: OutcomeId) => Promise<void>;
  readonly homrDeps: (script: HomrScript) => HomrDeps<Tx>;
  /** A worker for HOMЯ alone; closed for you. */
  readonly watch: (script: HomrScript) => void;
  /** A worker for runs and for HOMЯ; closed for you. */
  readonly workOn: (
    engine: Engine<Tx>,
    script: HomrScript,
    over?: Partial<WorkOptions>,
  ) => { close: () => Promise<void> };
  readonly untilOutcome: (id: OutcomeId, isThere: (state: OutcomeState) => boolean) => Promise<OutcomeState>;
  readonly countObservations: (id: OutcomeId) => Promise<readonly string[]>;
};

export type NewOutcomeTask = Omit<Partial<OutcomeTask>, "dependsOn"> & { readonly dependsOn?: readonly number[] };

export const outcomeWorld = async (): Promise<OutcomeWorld> => outcomesIn(await runWorld(maxConcurrentRuns));

/** Outcomes in a world that has runs already. */
export function outcomesIn<World extends RunWorld>(world: World): World & OutcomeWorld {
  const { db, queue } = world;
  const store = outcomeStore(db, queue);
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });
  const read = async (id: OutcomeId) => {
    const state = await store.transaction((tx) => tx.lockOutcome(id));
    if (state === null) throw new Error(`no outcome ${id}`);
    return state;
  };
  const now = (): HomrWorld => ({ nowMs: realEnv.now(), newId: realEnv.newId });
  const act: OutcomeWorld["act"] = async (id, command) => {
    const { outcome } = await read(id);
    return store.transaction((tx) => commandOutcome(tx, outcome.userId, id, command, { limits, world: now() }));
  };
  const homrDeps: OutcomeWorld["homrDeps"] = (script) => ({
    outcomes: store,
    journal: homrJournalStore(db),
    readWork: (userId, runId) => db.asUser({ userId }, (tx) => readWork(tx, runId)),
    readReviewWork: (userId, id) => db.asUser({ userId }, (tx) => readReviewWork(tx, id)),
    readLiveness: (id) => db.asSystem((tx) => readLiveness(tx, id)),
    models: scriptedModels(script),
    env: realEnv,
    limits,
    logger: silent,
  });
  return {
    ...world,
    read,
    act,
    homrDeps,
    open: async (userId, tasks, over = {}) => {
      const { outcome, made } = newOutcome(userId, tasks, over);
      await store.transaction((tx) => tx.insertOutcome(outcome, made));
      return outcome.id;
    },
    start: async (id) => {
      const started = await act(id, startOutcome);
      if (started.outcome !== "done") throw new Error(`the outcome did not start: ${JSON.stringify(started)}`);
    },
    watch: (script) => {
      const handlers = { homr: homrHandler(homrDeps(script)) };
      const worker = startWorker({ db, queue, handlers, env: realEnv, logger: silent });
      closing.push(() => worker.close(5_000));
    },
    workOn: (engine, script, over = {}) => {
      const iteration = iterationHandler({
        ...world.deps(engine, { ...over, maxConcurrentRuns }),
        ...{ db, concurrency: 4, logger: silent },
      });
      const homr = homrHandler(homrDeps(script));
      const worker = startWorker({ db, queue, handlers: { iteration, homr }, env: realEnv, logger: silent });
      const close = () => worker.close(5_000);
      closing.push(close);
      return { close };
    },
    untilOutcome: async (id, isThere) => {
      for (const end = realEnv.now() + patienceMs; realEnv.now() < end; await realEnv.sleep(25)) {
        const state = await read(id);
        if (isThere(state)) return state;
      }
      throw new Error(`the outcome did not come that far: ${JSON.stringify(toShort(await read(id)))}`);
    },
    countObservations: (id) => countObservations(db, id),
  };
}

async function countObservations(db: Database, id: OutcomeId): Promise<readonly string[]> {
  const { rows } = await sql<{ said: string }>`select t.number || ':' || v.attempt || ':' || v.observed_by as said
    from homr_observations v join outcome_tasks t on t.id = v.task_id where v.outcome_id = ${id} order by v.seq`.execute(
    db.system,
  );
  return rows.map(({ said }) => said);
}

const toShort = ({ outcome, tasks, escalations }: OutcomeState) => ({
  status: outcome.status,
  tasks: tasks.map(({ number, status, attempts, failures }) => ({
    number,
    status,
    attempts,
    why: failures.at(-1)?.why,
  })),
  asked: escalations.filter(isOpenEscalation).map(({ trigger, question }) => ({ trigger, question })),
});

function newOutcome(userId: UserId, tasks: readonly NewOutcomeTask[], over: Partial<Outcome>) {
  const ids = tasks.map(() => realEnv.newId() as TaskId);
  const made = tasks.map(({ dependsOn = [], ...task }, n) =>
    makeTask(n + 1, {
      checks: [makeCheck({ deliverableId: null })],
      ...task,
      id: ids[n] as TaskId,
      dependsOn: dependsOn.map((number) => ids[number - 1] as TaskId),
    }),
  );
  const outcome = makeOutcome({
    id: realEnv.newId() as OutcomeId,
    userId,
    status: "dormant",
    nextNumber: tasks.length + 1,
    ...over,
  });
  return { outcome, made };
}

const usage = {
  costMicroUsd: 3,
  inputTokens: 10,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 5,
  pricedBy: "table",
} as const;

function scriptedModels(script: HomrScript): Models {
  const model = { provider: "scripted", id: "scripted/homr", isDemo: false };
  return {
    chainOf: () => [model],
    isPriced: () => true,
    reservationOf: () => 20,
    call: async (_model, request): Promise<ModelOutcome> => {
      const { kind } = request.view as { readonly kind: string };
      const said = await script({ ...request, kind });
      if ("usage" in said) return said;
      return { kind: "answered", answer: { text: JSON.stringify(said), toolCalls: [], native: null }, usage };
    },
  };
}

/** Everything went well. */
export const fine = {
  ...{ onTrack: true, alignmentScore: 95, quality: "good", summary: "It did what it should" },
  ...{ drift: [], issues: [], discoveries: [], decisions: [], wishes: [], ambiguity: null },
} as const;

const cleanReview = { findings: [], summary: "Nothing is missing" } as const;

/** Answers every question of HOMЯ so that the outcome goes on. */
export const contentScript: HomrScript = ({ kind }) => (kind === "outcome_review" ? cleanReview : fine);

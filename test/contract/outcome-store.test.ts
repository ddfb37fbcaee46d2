// The one contract of everything that keeps outcomes: PostgreSQL and the memory of simulations.

import { expect, test } from "vitest";
import { emptyContext } from "../../src/domain/homr/context/context.ts";
import type { OutcomeId } from "../../src/domain/homr/outcome.ts";
import { type OutcomeEffect, type OutcomeState, overMax } from "../../src/domain/homr/outcome-state.ts";
import type { OutcomeTask } from "../../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../../src/domain/homr/tasks/task-id.ts";
import { cancel, pause } from "../../src/domain/run/commands.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { realEnv } from "../../src/main/env.ts";
import { type Beside, carryOut } from "../../src/outcomes/carry-out.ts";
import type { HomrTurn } from "../../src/outcomes/ports/outcome-store.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { plannerLane, type RecordedEntry, type Usage } from "../../src/runs/ports/run-store.ts";
import { toHomrJob } from "../../src/store/outcome/homr-jobs.ts";
import { makeEscalation, makeObservation, makeOutcome, makeTask } from "../helpers/make-outcome.ts";
import { keepOutcomesInMemory, keepOutcomesInPostgres, type OutcomeKeeper } from "./outcome-keepers.ts";

const inPostgres = await keepOutcomesInPostgres();
const keepers = [
  ["PostgreSQL", inPostgres],
  ["memory", keepOutcomesInMemory],
] as const satisfies readonly (readonly [string, () => Promise<OutcomeKeeper>])[];

const limits = { maxConcurrentRuns: 1_000 };
const uuid = <Id extends string>() => realEnv.newId() as Id;
const usage: Usage = {
  costMicroUsd: 4,
  inputTokens: 3,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 2,
  pricedBy: "table",
};
const call = (callId: string) => ({
  callId,
  key: `llm:${callId}`,
  role: "observer",
  model: "none",
  reservedMicroUsd: 10,
});
const entry = (key: string): RecordedEntry => ({
  ...{ key, lane: plannerLane, tool: null, args: null, did: key, error: null, tookMs: 1, event: null },
  kind: "model",
  result: { result: key, artifacts: [] },
});

type Changed = (state: OutcomeState) => { readonly state: OutcomeState; readonly effects: readonly OutcomeEffect[] };

/** An outcome of three tasks; the third waits for the first. */
async function open(make: () => Promise<OutcomeKeeper>) {
  const keeper = await make();
  const { store, user } = keeper;
  const ids = [uuid<TaskId>(), uuid<TaskId>(), uuid<TaskId>()] as const;
  const outcome = makeOutcome({ id: uuid<OutcomeId>(), userId: user, approach: null, nextNumber: 4 });
  const tasks = [
    makeTask(1, { id: ids[0] }),
    makeTask(2, { id: ids[1] }),
    makeTask(3, { id: ids[2], dependsOn: [ids[0]] }),
  ];
  await store.transaction((tx) => tx.insertOutcome(outcome, tasks));
  const read = async (spokenOf: readonly TaskId[] = []) => {
    const state = await store.transaction((tx) => tx.lockOutcome(outcome.id, spokenOf));
    if (state === null) throw new Error("no outcome");
    return state;
  };
  const change = (changed: Changed, beside: Beside = {}) =>
    store.transaction(async (tx) => {
      const before = await tx.lockOutcome(outcome.id);
      if (before === null) throw new Error("no outcome");
      await carryOut(tx, before, changed(before), limits, beside);
    });
  const withTask = (state: OutcomeState, id: TaskId, over: Partial<OutcomeTask>): OutcomeState => ({
    ...state,
    tasks: state.tasks.map((each) => (each.id === id ? { ...each, ...over } : each)),
  });
  const start = async (id: TaskId): Promise<RunId> => {
    const runId = uuid<RunId>();
    const run = {
      id: runId,
      userId: user,
      objective: "Do it",
      scope: { kind: "global" },
      context: { type: "global", entityId: null },
      timeZone: "UTC",
    } as const;
    await change((state) => ({
      state: withTask(state, id, { status: "running", runId, attempts: 1 }),
      effects: [{ kind: "start_run", taskId: id, run }],
    }));
    return runId;
  };
  const turns = async (): Promise<readonly HomrTurn[]> =>
    (await keeper.queue.fetch("homr", 100))
      .map(toHomrJob)
      .filter((job) => job.outcomeId === outcome.id)
      .map(({ turn }) => turn);
  return { ...keeper, outcome, ids, read, change, withTask, start, turns };
}

type Opened = Awaited<ReturnType<typeof open>>;

const inEach = (name: string, work: (opened: Opened) => Promise<void>) =>
  test.each(keepers)(`%s: ${name}`, async (_keeper, make) => work(await open(make)));

inEach("an outcome comes back as it was written, with its tasks in their order", async ({ outcome, read, ids }) => {
  const state = await read();
  expect(state.outcome).toEqual(outcome);
  expect(state.tasks.map(({ id }) => id)).toEqual([...ids]);
  expect(state.tasks[2]?.dependsOn).toEqual([ids[0]]);
  expect(state).toMatchObject({ context: emptyContext, escalations: [], history: [] });
});

inEach(
  "of the tasks that are over the last ones are there, and others while a task waits for them, or they are spoken of",
  async ({ change, read, withTask, ids }) => {
    const more = Array.from({ length: overMax }, (_, n) =>
      makeTask(n + 4, { id: uuid<TaskId>(), status: n % 2 === 0 ? "completed" : "obsolete" }),
    );
    await change((state) => {
      const { tasks } = withTask(withTask(state, ids[0], { status: "completed" }), ids[1], { status: "obsolete" });
      const outcome = { ...state.outcome, nextNumber: state.outcome.nextNumber + more.length };
      return { state: { ...state, outcome, tasks: [...tasks, ...more] }, effects: [] };
    });
    const late = more.map(({ number }) => number);
    expect((await read()).tasks.map(({ number }) => number)).toEqual([1, 3, ...late]);
    expect((await read([ids[1]])).tasks.map(({ number }) => number)).toEqual([1, 2, 3, ...late]);
  },
);

inEach("a dependency that is dropped is gone", async ({ change, read, withTask, ids }) => {
  await change((state) => ({ state: withTask(state, ids[2], { dependsOn: [ids[1]] }), effects: [] }));
  expect((await read()).tasks[2]?.dependsOn).toEqual([ids[1]]);
});

inEach(
  "what tasks know of each other comes back in the order in which it was found, and what was compacted is gone",
  async ({ change, read, ids }) => {
    const kept = { sourceTaskId: ids[0], atMs: 1_700_000_000_000, isTainted: true };
    const discoveries = Array.from({ length: 20 }, (_, n) => ({
      ...kept,
      id: uuid<string>(),
      content: `fact ${n}`,
      type: "constraint" as const,
      audience: n % 2 ? ([ids[2]] as const) : ("every" as const),
      resolvedAtMs: null,
      memoryId: null,
    }));
    const decision = {
      ...kept,
      id: uuid<string>(),
      content: "So",
      madeBy: "human" as const,
      context: "",
      affectedAreas: ["form"],
    };
    const constraint = { ...kept, id: uuid<string>(), content: "No", type: "technical" as const, isActive: true };
    const injection = {
      ...kept,
      id: uuid<string>(),
      content: "Mind",
      type: "warning" as const,
      priority: "must_know" as const,
      audience: [ids[1]],
      reason: "drift",
    };
    const stats = { tasksObserved: 1, discoveriesExtracted: 20, escalationsCreated: 2, steeringActions: 3 };
    const context = { discoveries, decisions: [decision], constraints: [constraint], injections: [injection], stats };
    await change((state) => ({ state: { ...state, context }, effects: [] }));
    expect((await read()).context).toEqual(context);
    await change((state) => ({
      state: { ...state, context: { ...state.context, discoveries: discoveries.slice(5) } },
      effects: [],
    }));
    expect((await read()).context.discoveries).toEqual(discoveries.slice(5));
  },
);

inEach("a question is there until it is answered", async ({ change, read, outcome, ids }) => {
  const asked = makeEscalation({
    id: uuid<string>(),
    outcomeId: outcome.id,
    triggerTaskId: ids[0],
    affectedTasks: [ids[1], ids[2]],
    defaultOption: "plain",
    deadlineMs: 1_800_000_000_000,
    atMs: 1_700_000_000_000,
  });
  await change((state) => ({ state: { ...state, escalations: [asked] }, effects: [] }));
  expect((await read()).escalations).toEqual([asked]);
  const answer = { option: "plain", additionalContext: "", by: "human", atMs: 1_700_000_000_001 } as const;
  await change((state) => ({
    state: {
      ...state,
      escalations: state.escalations.map((each) => ({ ...each, state: { status: "answered", answer } as const })),
    },
    effects: [],
  }));
  expect((await read()).escalations).toEqual([]);
});

inEach("a question that is forgotten instead of answered is a bug", async ({ change, outcome, ids }) => {
  const asked = makeEscalation({
    id: uuid<string>(),
    outcomeId: outcome.id,
    triggerTaskId: null,
    affectedTasks: [ids[1]],
  });
  await change((state) => ({ state: { ...state, escalations: [asked] }, effects: [] }));
  await expect(change((state) => ({ state: { ...state, escalations: [] }, effects: [] }))).rejects.toThrow(/forgotten/);
});

inEach("a task is begun with a run that knows it, in one move", async ({ start, store, ids }) => {
  const runId = await start(ids[0]);
  const { run, attempt } = await store.transaction(async (tx) => ({
    run: (await tx.runs.lockRun(runId))?.run,
    attempt: await tx.findAttempt(runId),
  }));
  expect(run?.outcomeTaskId).toBe(ids[0]);
  expect(attempt).toEqual({ taskId: ids[0], attempt: 1, runId, state: "running" });
});

inEach(
  "the end of a run on a task is told once, in its own transaction",
  async ({ start, store, user, turns, ids }) => {
    const runId = await start(ids[0]);
    await store.transaction((tx) => commandRun(tx.runs, user, runId, pause, limits));
    expect(await turns()).toEqual([]);
    await store.transaction((tx) => commandRun(tx.runs, user, runId, cancel, limits));
    expect(await turns()).toEqual([{ kind: "observe", taskId: ids[0], runId }]);
  },
);

inEach("an attempt ends once, and is observed once", async ({ start, change, read, ids }) => {
  const runId = await start(ids[0]);
  const ended = { runId, state: "completed", why: "", isObserved: true } as const;
  const seen = makeObservation({ id: uuid<string>(), taskId: ids[0], atMs: 1_700_000_000_000 });
  const effects = [{ kind: "keep_observation", observation: seen }] as const;
  await change((state) => ({ state, effects }), { ended });
  expect((await read()).history).toMatchObject([{ id: seen.id, taskId: ids[0], attempt: 1, driftTypes: [] }]);
  await expect(change((state) => ({ state, effects: [] }), { ended })).rejects.toThrow(/ends once/);
  const again = { kind: "keep_observation", observation: { ...seen, id: uuid<string>() } } as const;
  await expect(change((state) => ({ state, effects: [again] }))).rejects.toThrow(/duplicate key/);
});

inEach("a run that is paused by its outcome goes on when that says so", async ({ start, change, store, ids }) => {
  const runId = await start(ids[0]);
  const statusOf = () => store.transaction(async (tx) => (await tx.runs.lockRun(runId))?.run.state);
  await change((state) => ({ state, effects: [{ kind: "pause_run", runId, why: "A question is open" }] }));
  expect(await statusOf()).toMatchObject({ status: "stopped", reason: "paused", detail: "A question is open" });
  await change((state) => ({ state, effects: [{ kind: "resume_run", runId, why: "" }] }));
  expect(await statusOf()).toMatchObject({ status: "queued" });
  await change((state) => ({ state, effects: [{ kind: "cancel_run", runId, why: "" }] }));
  expect(await statusOf()).toMatchObject({ status: "canceled" });
});

inEach(
  "a turn that is taken again has a newer fence and all that was done before; its lost call is charged",
  async ({ store, journal, outcome, read }) => {
    const take = () => store.transaction((tx) => tx.takeTurn(outcome, "review", "1"));
    const first = await take();
    if (first === null) throw new Error("not taken");
    const [paid, lost] = [call(uuid<string>()), call(uuid<string>())];
    expect(await journal.reserveCall(first.lease, paid)).toBe("kept");
    expect(await journal.settleCall(first.lease, paid, usage, entry(paid.key))).toBe("kept");
    expect(await journal.reserveCall(first.lease, lost)).toBe("kept");
    const second = await take();
    if (second === null) throw new Error("not taken");
    expect(second.lease).toEqual({ ...first.lease, fence: first.lease.fence + 1 });
    expect(second.journal.map(({ key, state }) => [key, state])).toEqual([[paid.key, "done"]]);
    expect((await read()).outcome.spent).toMatchObject({ costMicroUsd: 14, tokens: 5 });
    expect(await journal.recordEntry(first.lease, entry("late"))).toBe("lost");
    expect(await journal.settleCall(first.lease, lost, usage, entry(lost.key))).toBe("lost");
    expect(await store.transaction((tx) => tx.endTurn(first.lease, "done"))).toBe(false);
    expect(await store.transaction((tx) => tx.endTurn(second.lease, "done"))).toBe(true);
    expect(await take()).toBeNull();
    expect((await read()).outcome.spent).toMatchObject({ costMicroUsd: 14, tokens: 5 });
  },
);

inEach(
  "what the runs on its tasks cost is the outcome's: while they run, when they end, and when a call is settled after that",
  async ({ start, change, read, store, user, runJournal, ids }) => {
    const runId = await start(ids[0]);
    const lease = await store.transaction(async ({ runs }) => {
      const locked = await runs.lockRun(runId);
      if (locked === null) throw new Error("no run");
      const { run } = locked;
      await runs.save({
        ...{ before: run, lease: "begin", leasedBy: "test", events: [], ended: null, interrupted: null, proofs: [] },
        ...{ messages: [], unheard: null, report: null, notification: null, isListed: false },
        attempt: { iteration: 1, attempt: 1 },
        run: { ...run, fence: 1, state: { status: "running", iteration: 1, hold: null } },
      });
      return { runId, userId: user, iteration: 1, attempt: 1, fence: 1, job: { id: uuid<string>(), attempt: 0 } };
    });
    const cost = async () => (await read()).outcome.spent.costMicroUsd;
    const [one, late] = [call(uuid<string>()), call(uuid<string>())];
    await runJournal.reserveCall(lease, one);
    await runJournal.settleCall(lease, one, usage, null);
    expect(await cost()).toBe(4);
    await runJournal.reserveCall(lease, late);
    await store.transaction((tx) => commandRun(tx.runs, user, runId, cancel, limits));
    const ended = { runId, state: "canceled", why: "", isObserved: false } as const;
    await change((state) => ({ state, effects: [] }), { ended });
    expect(await cost()).toBe(4);
    await runJournal.settleCall(lease, late, usage, null);
    expect(await cost()).toBe(8);
    expect(await cost()).toBe(8);
  },
);

inEach("a job for the same thing is there once, and a look for each time", async ({ store, outcome, turns }) => {
  await store.transaction(async (tx) => {
    await tx.enqueue(outcome.id, { kind: "review" }, null);
    await tx.enqueue(outcome.id, { kind: "review" }, null);
    await tx.enqueue(outcome.id, { kind: "look" }, 1_000);
    await tx.enqueue(outcome.id, { kind: "look" }, 2_000);
    await tx.enqueue(outcome.id, { kind: "look" }, 30_000);
  });
  expect((await turns()).map(({ kind }) => kind).toSorted()).toEqual(["look", "look", "review"]);
});

inEach("an outcome that is not there cannot be locked", async ({ store }) => {
  expect(await store.transaction((tx) => tx.lockOutcome(uuid<OutcomeId>()))).toBeNull();
});

import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeEntry } from "../../test/helpers/make-entry.ts";
import { failure, makeCheck } from "../../test/helpers/make-run.ts";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { defaultBreakers } from "../domain/run/breakers.ts";
import { cancel, pause, steer } from "../domain/run/commands.ts";
import type { IterationResult, WorkedIteration } from "../domain/run/iteration-result.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { commandRun } from "../runs/command-run.ts";
import { commitIteration } from "../runs/commit-iteration.ts";
import type { IterationJob, LockedRun, RunTransactions, TakenRun } from "../runs/ports/run-store.ts";
import { takeRun } from "../runs/take-run.ts";
import { findViolations } from "./run-invariants.ts";
import { runStore } from "./run-store.ts";

// What others do between the read and the write of a change that holds no lock.

const world = await runWorld(1_000);
const { store, queue, db } = world;
const user = await world.makeUser();
const limits = { maxConcurrentRuns: 1_000 };

async function newJob() {
  const run = await world.create(user);
  const jobs = await queue.fetch(100);
  const job = jobs.find(({ data }) => (data as { run_id: string }).run_id === run.id);
  if (job === undefined) throw new Error("there is a job");
  return { run, job: { ...job, runId: run.id, iteration: 1 } };
}

async function taken(): Promise<TakenRun> {
  const found = await takeRun(store, (await newJob()).job, "test", limits);
  if (found === null) throw new Error("it can be taken");
  return found;
}

/** `meanwhile` happens once, after the read; counts how often the work was done. */
function disturbed(meanwhile: () => Promise<unknown>): {
  readonly store: RunTransactions;
  readonly times: () => number;
} {
  let count = 0;
  const transaction: RunTransactions["transaction"] = (work, kind) =>
    store.transaction(async (tx) => {
      count += 1;
      const isFirst = count === 1;
      return work({
        ...tx,
        lockRun: async (id) => {
          const found = await tx.lockRun(id);
          if (isFirst) await meanwhile();
          return found;
        },
      });
    }, kind);
  return { store: { transaction }, times: () => count };
}

const worked = ({ run }: TakenRun): IterationResult => ({
  kind: "worked",
  summary: "done",
  claim: null,
  closing: null,
  isSilent: false,
  heard: 0,
  questions: [],
  plan: run.plan,
  proposed: null,
  actions: null,
  error: null,
  hasToolMiss: false,
  proofs: [],
  artifacts: [],
  progress: { entitiesWritten: 1, states: [] },
  wasRefused: false,
  wasHeard: true,
  narrative: null,
});

const rowOf = async (id: RunId) => {
  const { rows } = await sql<{ xmin: string; last_seq: string; revision: number }>`
    select xmin::text, last_seq, revision from homework_runs where id = ${id}`.execute(db.system);
  return rows[0];
};

test("an undisturbed take and commit are done once each", async () => {
  const { job } = await newJob();
  const quiet = disturbed(async () => {});
  const found = await takeRun(quiet.store, job, "test", limits);
  expect([found?.claim.fence, quiet.times()]).toEqual([1, 1]);
  const commit = disturbed(async () => {});
  const decided = await commitIteration(
    commit.store,
    (found as TakenRun).claim,
    worked(found as TakenRun),
    defaultBreakers,
    limits,
  );
  expect([decided, commit.times()]).toMatchObject([{ kind: "continue" }, 1]);
  expect(await findViolations(db, null)).toEqual([]);
});

test("a run that is canceled while it is being taken is not taken", async () => {
  const { run, job } = await newJob();
  const { store: meets, times } = disturbed(() => world.command(run, cancel));
  expect(await takeRun(meets, job, "test", limits)).toBeNull();
  expect(times()).toBe(2);
  expect(await findViolations(db, null)).toEqual([]);
});

test("a message that meets a take is not lost", async () => {
  const { run, job } = await newJob();
  const { store: meets } = disturbed(() => world.command(run, (now) => steer(now, "shorter")));
  const found = await takeRun(meets, job, "test", limits);
  expect(found?.signals.map(({ text }) => text)).toEqual(["shorter"]);
});

test("a take that has to wait for a message to be written knows that it came too late", async () => {
  const { run, job } = await newJob();
  const writing: Promise<unknown>[] = [];
  const { store: meets, times } = disturbed(async () => {
    const written = Promise.withResolvers<void>();
    writing.push(
      store.transaction(async (tx) => {
        await commandRun(tx, user, run.id, (now) => steer(now, "shorter"), limits);
        written.resolve();
        await realEnv.sleep(150); // Not committed yet: the statement of the take waits for this.
      }),
    );
    await written.promise;
  });
  const found = await takeRun(meets, job, "test", limits);
  await Promise.all(writing);
  expect([found?.signals.map(({ text }) => text), times()]).toEqual([["shorter"], 2]);
  expect(await findViolations(db, null)).toEqual([]);
});

test("a message that meets a commit is heard by the next iteration", async () => {
  const found = await taken();
  const { store: meets, times } = disturbed(() => world.command(found.run, (now) => steer(now, "shorter")));
  await commitIteration(meets, found.claim, worked(found), defaultBreakers, limits);
  expect(times()).toBe(2);
  expect((await world.find(found.run.id)).unreadSignals).toBe(1);
  expect(await findViolations(db, null)).toEqual([]);
});

test("what was said during the iteration is seen at its end", async () => {
  const found = await taken();
  await world.command(found.run, (now) => steer(now, "shorter"));
  await commitIteration(store, found.claim, worked(found), defaultBreakers, limits);
  expect((await world.find(found.run.id)).unreadSignals).toBe(1);
});

test("steps of the iteration count although the run is known", async () => {
  const found = await taken();
  const event = { type: "step_recorded", iteration: 1, step: "a", summary: "a" } as const;
  await store.recordStep(found.claim, makeEntry(event));
  await commitIteration(store, found.claim, worked(found), defaultBreakers, limits);
  expect((await world.find(found.run.id)).spent.toolCalls).toBe(1);
});

test("a run that is paused while it is being committed stays paused", async () => {
  const found = await taken();
  const { store: meets } = disturbed(() => world.command(found.run, pause));
  expect(await commitIteration(meets, found.claim, worked(found), defaultBreakers, limits)).toBe("lost");
  expect(await findViolations(db, null)).toEqual([]);
});

test("a commit whose job was given to someone else writes nothing", async () => {
  const found = await taken();
  await queue.release(found.claim.job, 0);
  const before = await rowOf(found.run.id);
  expect(await commitIteration(store, found.claim, worked(found), defaultBreakers, limits)).toBe("lost");
  expect(await rowOf(found.run.id)).toEqual(before);
});

test("what a commit promises that came too late is promised by the one that counts", async () => {
  const fresh = await world.create(user, { deliverables: [], checks: [planCheck] });
  const jobs = await queue.fetch(100);
  const job = jobs.find(({ data }) => (data as { run_id: string }).run_id === fresh.id);
  const found = await takeRun(
    store,
    { ...(job as (typeof jobs)[number]), runId: fresh.id, iteration: 1 },
    "test",
    limits,
  );
  const proposed = {
    deliverables: [{ id: "page", title: "A page" }],
    checks: [makeCheck({ id: "words", deliverableId: "page" })],
    drops: [],
    why: "",
  };
  const { store: meets, times } = disturbed(() => world.command(fresh, (now) => steer(now, "shorter")));
  const result: IterationResult = { ...(worked(found as TakenRun) as WorkedIteration), proposed };
  await commitIteration(meets, (found as TakenRun).claim, result, defaultBreakers, limits);
  const { deliverables, checks } = await world.find(fresh.id);
  expect(times()).toBe(2);
  expect([deliverables, checks.map(({ id }) => id)]).toEqual([proposed.deliverables, [planCheck.id, "words"]]);
});

// What this process remembers of a run that it has just let go of.

async function jobFor(runId: RunId, iteration: number): Promise<IterationJob> {
  const jobs = await queue.fetch(100);
  const job = jobs.find(({ data }) => (data as { run_id: string }).run_id === runId);
  if (job === undefined) throw new Error("there is a job");
  return { ...job, runId, iteration };
}

/** One iteration is done, with something of everything that a commit can leave behind. */
async function left(): Promise<RunId> {
  const found = await taken();
  const proof = {
    checkId: "",
    isGreen: false,
    seen: "not yet",
    artifacts: [{ kind: "document", id: "a" }],
    iteration: 1,
  };
  const step = {
    id: "1",
    title: "Look",
    status: "done",
    isOptional: false,
    owner: null,
    lastIteration: 1,
    evidence: [],
  } as const;
  const result: IterationResult = {
    ...(worked(found) as WorkedIteration),
    plan: { steps: [step] },
    actions: "looked",
    error: failure("it was not there"),
    proofs: found.run.checks.map(({ id }) => ({ ...proof, checkId: id })),
  };
  await commitIteration(store, found.claim, result, defaultBreakers, limits);
  return found.run.id;
}

/** What `work` is told of the run, each time it asks. */
function overheard(): { readonly store: RunTransactions; readonly told: (LockedRun | null)[] } {
  const told: (LockedRun | null)[] = [];
  const transaction: RunTransactions["transaction"] = (work, kind) =>
    store.transaction(async (tx) => {
      const lockRun: typeof tx.lockRun = async (...args) => {
        const found = await tx.lockRun(...args);
        told.push(found);
        return found;
      };
      return work({ ...tx, lockRun });
    }, kind);
  return { store: { transaction }, told };
}

test("what is remembered of a run is what its row says, and is enough to take it", async () => {
  const id = await left();
  const written = await store.transaction((tx) => tx.lockRun(id));
  const job = await jobFor(id, 2);
  const { store: hears, told } = overheard();
  const found = await takeRun(hears, job, "test", limits);
  expect(told).toEqual([written]);
  expect(written?.run.lastProofs).toHaveLength(written?.run.checks.length ?? 0);
  expect([found?.claim.fence, found?.run.state.iteration]).toEqual([2, 2]);
  expect(await findViolations(db, null)).toEqual([]);
});

test("nothing is read of a run that is remembered", async () => {
  const id = await left();
  const job = await jobFor(id, 2);
  const asked: string[] = [];
  const watched: typeof db = {
    ...db,
    statement: (text, values) => {
      asked.push(text.trimStart().slice(0, 6));
      return db.statement(text, values);
    },
  };
  const own = runStore(watched, queue, () => {});
  const second = await takeRun(own, job, "test", limits);
  await commitIteration(own, (second as TakenRun).claim, worked(second as TakenRun), defaultBreakers, limits);
  await takeRun(own, await jobFor(id, 3), "test", limits);
  expect(asked).toEqual(["select", "with r", "select", "with r", "with r"]);
});

test.each([
  ["message", (now: Run) => steer(now, "shorter"), ["shorter"]],
  ["cancel", cancel, undefined],
  ["pause", pause, undefined],
] as const)("a %s after it was let go is seen by whoever remembers it", async (_, command, heard) => {
  const id = await left();
  const job = await jobFor(id, 2);
  await world.command(await world.find(id), command);
  const found = await takeRun(store, job, "test", limits);
  expect(found?.signals.map(({ text }) => text)).toEqual(heard);
  expect(await findViolations(db, null)).toEqual([]);
});

test("an iteration that another process did is not missing", async () => {
  const id = await left();
  const other = runStore(db, queue, () => {});
  const second = await takeRun(other, await jobFor(id, 2), "other", limits);
  await commitIteration(other, (second as TakenRun).claim, worked(second as TakenRun), defaultBreakers, limits);
  const third = await takeRun(store, await jobFor(id, 3), "test", limits);
  expect([third?.claim.fence, third?.run.state.iteration]).toEqual([3, 3]);
  expect(await findViolations(db, null)).toEqual([]);
});

test.each([
  ["another process", () => runStore(db, queue, () => {})],
  ["this process", () => store],
])("a try that %s did not bring to its end is counted", async (_, first) => {
  const id = await left();
  const job = await jobFor(id, 2);
  await takeRun(first(), job, "first", limits);
  const again = await takeRun(store, job, "test", limits);
  expect([again?.claim.attempt, again?.run.deaths]).toEqual([2, 1]);
});

test("a job of an iteration that is done is put away, whatever is remembered", async () => {
  const id = await left();
  const job = await jobFor(id, 2);
  const second = await takeRun(store, job, "test", limits);
  await commitIteration(store, (second as TakenRun).claim, worked(second as TakenRun), defaultBreakers, limits);
  expect(await takeRun(store, job, "test", limits)).toBeNull();
  expect((await world.find(id)).fence).toBe(2);
});

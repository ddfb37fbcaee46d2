import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeEntry } from "../../test/helpers/make-entry.ts";
import { makeCheck } from "../../test/helpers/make-run.ts";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import { defaultBreakers } from "../domain/run/breakers.ts";
import { cancel, pause, steer } from "../domain/run/commands.ts";
import type { IterationResult, WorkedIteration } from "../domain/run/iteration-result.ts";
import type { RunId } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { commandRun } from "../runs/command-run.ts";
import { commitIteration } from "../runs/commit-iteration.ts";
import type { RunTransactions, TakenRun } from "../runs/ports.ts";
import { takeRun } from "../runs/take-run.ts";
import { findViolations } from "./run-invariants.ts";

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

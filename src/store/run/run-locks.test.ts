import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeEntry } from "../../../test/helpers/make-entry.ts";
import { makeCheck } from "../../../test/helpers/make-run.ts";
import { runWorld } from "../../../test/helpers/run-world.ts";
import { type Answered, cancel, pause, steer } from "../../domain/run/commands.ts";
import { defaultBreakers } from "../../domain/run/gate/breakers.ts";
import type { IterationResult } from "../../domain/run/iteration-result.ts";
import type { Run, RunId } from "../../domain/run/run.ts";
import { carryOut } from "../../runs/carry-out.ts";
import { commandRun } from "../../runs/command-run.ts";
import { commitIteration } from "../../runs/commit-iteration.ts";
import type { TakenRun } from "../../runs/ports/run-store.ts";
import { takeRun } from "../../runs/take-run.ts";
import { findViolations } from "./run-invariants.ts";

// A worker takes or commits a run while a person's command on it is written and not committed yet: the worker waits for the
// lock and sees the run as the command left it.

const world = await runWorld(1_000);
const { store, queue, db } = world;
const user = await world.makeUser();
const limits = { maxConcurrentRuns: 1_000 };

async function newJob() {
  const run = await world.create(user);
  const jobs = await queue.fetch("iteration", 100);
  const job = jobs.find(({ data }) => (data as { run_id: string }).run_id === run.id);
  if (job === undefined) throw new Error("there is a job");
  return { run, job: { ...job, runId: run.id, iteration: 1 } };
}

async function taken(): Promise<TakenRun> {
  const found = await takeRun(store, (await newJob()).job, "test", limits);
  if (found === null) throw new Error("it can be taken");
  return found;
}

/** Until a session waits for a lock. */
async function untilOneWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await world.admin.query(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows[0]?.n;
    })
    .toBe(1);
}

/** Begins `work` while the command is not committed, and commits it once `work` waits. */
async function meet<T>(run: Run, command: (run: Run) => Answered, work: () => Promise<T>): Promise<T> {
  const begun = await store.transaction(async (tx) => {
    await commandRun(tx, user, run.id, command, limits);
    const result = work();
    await untilOneWaits();
    return { result };
  });
  return begun.result;
}

const worked = ({ run }: TakenRun): IterationResult => ({
  kind: "worked",
  summary: "done",
  claim: null,
  closing: null,
  wasCutOff: false,
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
  const { rows } = await sql<{ xmin: string; last_seq: string }>`
    select xmin::text, last_seq from homework_runs where id = ${id}`.execute(db.system);
  return rows[0];
};

test("a run that is canceled while it is being taken is not taken", async () => {
  const { run, job } = await newJob();
  expect(await meet(run, cancel, () => takeRun(store, job, "test", limits))).toBeNull();
  expect(await findViolations(db, null)).toEqual([]);
});

test("a message that meets a take is heard in that iteration", async () => {
  const { run, job } = await newJob();
  const found = await meet(
    run,
    (now) => steer(now, "shorter"),
    () => takeRun(store, job, "test", limits),
  );
  expect(found?.messages.map(({ text }) => text)).toEqual(["shorter"]);
  expect(await findViolations(db, null)).toEqual([]);
});

test("a message that meets a commit is heard by the next iteration", async () => {
  const found = await taken();
  await meet(
    found.run,
    (now) => steer(now, "shorter"),
    () => commitIteration(store, found.lease, worked(found), defaultBreakers, limits),
  );
  expect((await world.find(found.run.id)).unreadMessages).toBe(1);
  expect(await findViolations(db, null)).toEqual([]);
});

test("a run that is paused while it is being committed stays paused", async () => {
  const found = await taken();
  const commit = () => commitIteration(store, found.lease, worked(found), defaultBreakers, limits);
  expect(await meet(found.run, pause, commit)).toBe("lost");
  expect((await world.find(found.run.id)).state.status).toBe("stopped");
  expect(await findViolations(db, null)).toEqual([]);
});

test("checks that were changed while a transaction waited are those it reads", async () => {
  const { run } = await newJob();
  const added = { ...run, checks: [...run.checks, makeCheck({ id: "late" })] };
  const begun = await store.transaction(async (tx) => {
    const locked = await tx.lockRun(run.id);
    await carryOut(tx, locked?.run ?? run, { run: added, effects: [] }, limits);
    const reading = store.transaction((other) => other.lockRun(run.id));
    await untilOneWaits();
    return { reading };
  });
  expect((await begun.reading)?.run.checks.map(({ id }) => id)).toContain("late");
});

test("entries of the iteration count at its end", async () => {
  const found = await taken();
  const event = { type: "entry_recorded", iteration: 1, entry: "a", summary: "a" } as const;
  await store.recordEntry(found.lease, makeEntry(event));
  await commitIteration(store, found.lease, worked(found), defaultBreakers, limits);
  expect((await world.find(found.run.id)).spent.toolCalls).toBe(1);
});

test("a commit whose job was given to someone else writes nothing", async () => {
  const found = await taken();
  await queue.release({ ...found.lease.job, kind: "iteration" }, 0);
  const before = await rowOf(found.run.id);
  expect(await commitIteration(store, found.lease, worked(found), defaultBreakers, limits)).toBe("lost");
  expect(await rowOf(found.run.id)).toEqual(before);
});

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeClaim, makeQuestion } from "../../test/helpers/make-run.ts";
import { patienceMs } from "../../test/helpers/patience.ts";
import { runWorld } from "../../test/helpers/run-world.ts";
import { scriptedEngine, untilIteration } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import { cancel, pause, respond, resume, steer } from "../domain/run/commands.ts";
import { realEnv } from "../main/env.ts";
import type { Engine } from "../runs/ports/engine.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { findViolations } from "../store/run/run-invariants.ts";

const world = await runWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);
const nothing = async () => ({ kind: "document", id: "none" });

const healthy = async () => expect(await findViolations(world.db, 3)).toEqual([]);

/** Works until it is told to stop; says when it began. */
function slowEngine() {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<"aborted" | "by itself">();
  const engine: Engine<Tx> = {
    iterate: async (_input, journal) => {
      began.resolve();
      await realEnv.sleep(patienceMs, journal.signal).catch(() => {});
      ended.resolve(journal.signal.aborted ? "aborted" : "by itself");
      throw new Error("aborted");
    },
  };
  return { engine, began: began.promise, ended: ended.promise };
}

test("a run goes from the queue to completed, with events without gaps", async () => {
  const each = { notes: 2, calls: [{ costMicroUsd: 5, reservedMicroUsd: 9 }] };
  const worker = world.work(scriptedEngine(untilIteration(3, each), nothing));
  const { id } = await world.create(user);
  const run = await world.until(id, "completed");
  expect(run.state.iteration).toBe(3);
  expect(run.spent).toMatchObject({ costMicroUsd: 15, tokens: 45, toolCalls: 6 });
  const events = await world.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
  expect(events.at(-1)?.type).toBe("run_completed");
  await worker.close();
  await healthy();
});

test.each([
  ["cancel", cancel, "canceled"],
  ["pause", pause, "stopped"],
] as const)("%s reaches the work in flight", async (_name, command, status) => {
  const { engine, began, ended } = slowEngine();
  const worker = world.work(engine);
  const run = await world.create(user);
  await began;
  expect(await world.command(run, command)).toMatchObject({ outcome: "done" });
  expect(await ended).toBe("aborted");
  await worker.close();
  expect((await world.find(run.id)).state.status).toBe(status);
  await healthy();
  await world.command(run, cancel);
});

test("a worker that is told to stop gives back what it cannot finish, and another goes on with it at once", async () => {
  const { engine, began } = slowEngine();
  const first = world.work(engine);
  const { id } = await world.create(user);
  await began;
  await first.close(100);
  const second = world.work(scriptedEngine(untilIteration(1), nothing));
  const run = await world.until(id, "completed");
  await second.close();
  expect(run.state.iteration).toBe(1);
  await healthy();
});

test("what the journal has is not done again by the next attempt", async () => {
  let made = 0;
  let attempts = 0;
  const engine: Engine<Tx> = {
    iterate: async (input, journal) => {
      attempts += 1;
      const id = await journal.write("page", async (tx) => {
        made += 1;
        const page = { id: realEnv.newId(), projectId: project, by: user };
        await createEntity(tx, "document", page, { title: "Once" });
        return { result: page.id, summary: "a page", artifacts: [{ kind: "document", id: page.id }] };
      });
      if (attempts === 1) await realEnv.sleep(60_000, journal.signal);
      const after = scriptedEngine<Tx>(() => ({ ends: { claim: makeClaim(), summary: id } }), nothing);
      return after.iterate(input, journal);
    },
  };
  const first = world.work(engine);
  const { id } = await world.create(user);
  while (made === 0) await realEnv.sleep(5);
  await realEnv.sleep(50);
  await first.close(0);
  const second = world.work(engine);
  await world.until(id, "completed");
  await second.close();
  expect({ attempts, made }).toEqual({ attempts: 2, made: 1 });
  await healthy();
});

test("a call that has no room under a hard limit is not made, and the run stops for that", async () => {
  const budget = {
    ...(await import("../domain/run/budget/budget.ts")).defaultBudget,
    maxCostMicroUsd: 25,
    isCostHard: true,
  };
  const each = { calls: [{ costMicroUsd: 10, reservedMicroUsd: 10 }] };
  const worker = world.work(scriptedEngine(untilIteration(9, each), nothing));
  const { id } = await world.create(user, { budget });
  const run = await world.until(id, "stopped", "completed");
  await worker.close();
  expect(run.state).toMatchObject({ status: "stopped", reason: "cost" });
  expect(run.spent.costMicroUsd).toBe(20);
  await healthy();
});

test("an engine that throws the same error again and again is stopped for it", async () => {
  const engine: Engine<Tx> = { iterate: () => Promise.reject(new Error("the disk of job 17 is full")) };
  const worker = world.work(engine);
  const { id } = await world.create(user);
  const run = await world.until(id, "stopped");
  await worker.close();
  expect(run.state).toMatchObject({ reason: expect.stringMatching(/same_error|no_progress/) });
  await healthy();
});

test("a message that comes while an iteration works keeps the run from ending over it", async () => {
  const seen: string[] = [];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const engine: Engine<Tx> = {
    iterate: async (input, journal) => {
      seen.push(...input.messages.map(({ text }) => text));
      began.resolve();
      await mayEnd;
      return scriptedEngine<Tx>(() => ({ ends: { claim: makeClaim() } }), nothing).iterate(input, journal);
    },
  };
  const worker = world.work(engine);
  const run = await world.create(user);
  await began.promise;
  await world.command(run, (now) => steer(now, "in French, please"));
  end();
  const done = await world.until(run.id, "completed");
  await worker.close();
  expect(done.state.iteration).toBe(2);
  expect(seen).toEqual(["in French, please"]);
  await healthy();
});

test("a run cannot write outside of its scope", async () => {
  const elsewhere = await world.makeProject(user);
  const engine = scriptedEngine<Tx>(
    () => ({ writes: ["a page"] }),
    async (tx) => {
      const page = { id: realEnv.newId(), projectId: elsewhere, by: user };
      await createEntity(tx, "document", page, { title: "Outside" });
      return { kind: "document", id: page.id };
    },
  );
  const worker = world.work(engine);
  const { id } = await world.create(user, { scope: { kind: "project", projectId: project } });
  await world.until(id, "stopped");
  await worker.close();
  const { rows } = await world.admin.query("select from homework.onto_documents where project_id = $1", [elsewhere]);
  expect(rows).toEqual([]);
  await healthy();
});

test("text that no database can hold does not fail a run", async () => {
  const ugly = "a\u0000b\ud800c";
  const engine = scriptedEngine<Tx>(() => ({ notes: 1, ends: { claim: makeClaim(), summary: ugly } }), nothing);
  const worker = world.work(engine);
  const { id } = await world.create(user);
  await world.until(id, "completed");
  await worker.close();
  const { rows } = await sql<{
    summary: string;
  }>`select summary from homework_run_iterations where run_id = ${id}`.execute(world.db.system);
  expect(rows[0]?.summary).toBe("ab\ufffdc");
  await healthy();
});

describe("time", () => {
  const dayMs = 24 * 60 * 60_000;
  const shiftClock = (days: number) =>
    world.admin.query(`create or replace function homework.run_now() returns timestamptz language sql volatile
      return clock_timestamp() + interval '${days} days'`);

  test("a run that waits a day for its user has spent no running time", async () => {
    const engine = scriptedEngine<Tx>(
      ({ run, messages }) =>
        run.state.iteration === 1
          ? { notes: 1, ends: { questions: [makeQuestion()] } }
          : { notes: messages.length, ends: { claim: makeClaim() } },
      nothing,
    );
    const worker = world.work(engine);
    const { id } = await world.create(user);
    const waiting = await world.until(id, "waiting_on_user");
    await shiftClock(1);
    await world.command(waiting, (run) => respond(run, [{ questionId: "question_1", text: "the second" }]));
    const run = await world.until(id, "completed");
    await worker.close();
    await shiftClock(0);
    expect(run.spent.runningMs).toBeLessThan(dayMs / 2);
    const { rows } = await sql<{ days: number }>`select extract(day from ended_at - created_at)::int as days
      from homework_runs where id = ${id}`.execute(world.db.system);
    expect(rows[0]?.days).toBe(1);
  });

  test("a run that used its iterations goes on with more of them, and finishes on the last it is allowed", async () => {
    const worker = world.work(scriptedEngine(untilIteration(4), nothing));
    const budget = { ...(await world.create(user)).budget, maxIterations: 2 };
    const { id } = await world.create(user, { budget });
    const stopped = await world.until(id, "stopped");
    expect(stopped.state).toMatchObject({ reason: "max_iterations", iteration: 2 });
    expect(await world.command(stopped, (run) => resume(run, {}))).toMatchObject({ outcome: "refused" });
    await world.command(stopped, (run) => resume(run, { maxIterations: 4 }));
    const run = await world.until(id, "completed", "failed");
    await worker.close();
    expect(run.state).toMatchObject({ status: "completed", iteration: 4 });
    await healthy();
  });
});

test("four runs at once: three have a slot, the fourth gets one when one of them ends", async () => {
  const other = await world.makeUser();
  const runs = [];
  for (let n = 0; n < 4; n++) runs.push(await world.create(other));
  expect(runs.map(({ state }) => state.status === "queued" && state.hasSlot)).toEqual([true, true, true, false]);
  const worker = world.work(scriptedEngine(untilIteration(2), nothing), { concurrency: 1 });
  for (const { id } of runs) await world.until(id, "completed");
  await worker.close();
  await healthy();
});

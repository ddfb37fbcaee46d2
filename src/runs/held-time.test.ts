import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import type { Tx } from "../db/database.ts";
import { cancel, pause } from "../domain/run/commands.ts";
import type { RunId } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import type { Engine, Journal } from "./ports/engine.ts";

const world = await runWorld();
const user = await world.makeUser();
const tenMinutes = 600_000;

/** As if the lease had begun ten minutes ago. */
const ageLease = (runId: RunId) =>
  world.admin.query("update homework.homework_runs set leased_at = leased_at - interval '10 minutes' where id = $1", [
    runId,
  ]);

const note = (journal: Journal<Tx>) =>
  journal.once("note", async () => ({ result: {}, summary: "noted", artifacts: [] }));

/** Held by its provider after `work`; how much running time that was. */
async function runningTimeOf(work: (runId: RunId, journal: Journal<Tx>) => Promise<unknown>): Promise<number> {
  const engine: Engine<Tx> = {
    iterate: async ({ run }, journal) => {
      await work(run.id, journal);
      const untilMs = realEnv.now() + tenMinutes;
      return { kind: "held", fault: { kind: "hold", untilMs, why: "429" } };
    },
  };
  const worker = world.work(engine);
  const run = await world.create(user);
  const held = async () => (await world.events(run.id)).some(({ type }) => type === "run_holding");
  for (let tries = 0; tries < 1_000 && !(await held()); tries++) await realEnv.sleep(20);
  await worker.close();
  const { spent } = await world.find(run.id);
  await world.command(run, cancel);
  return spent.runningMs;
}

test("tries of a provider that lead to a hold are no running time", async () => {
  expect(await runningTimeOf((id) => ageLease(id))).toBeLessThan(tenMinutes / 2);
});

test("what was done before them is", async () => {
  const spent = await runningTimeOf(async (id, journal) => {
    await ageLease(id);
    await note(journal);
  });
  expect(spent).toBeGreaterThanOrEqual(tenMinutes);
});

test("tries after the last entry are not", async () => {
  const spent = await runningTimeOf(async (id, journal) => {
    await note(journal);
    await world.admin.query(
      "update homework.journal_entries set began_at = began_at - interval '10 minutes', ended_at = ended_at - interval '10 minutes' where run_id = $1",
      [id],
    );
    await ageLease(id);
  });
  expect(spent).toBeLessThan(tenMinutes / 2);
});

/** As if the call under way, and the lease with it, had begun ten minutes ago. */
const ageCall = async (runId: RunId) => {
  await ageLease(runId);
  await world.admin.query(
    "update homework.llm_usage_logs set created_at = created_at - interval '10 minutes' where run_id = $1 and state = 'reserved'",
    [runId],
  );
};

const call = { key: "llm:0", role: "planner", model: "none", reservedMicroUsd: 10 };

/** One call of a model that takes ten minutes, and a note after it. */
const askAged = (runId: RunId, journal: Journal<Tx>, isKept: boolean) =>
  journal
    .ask(call, async () => {
      await ageCall(runId);
      return { result: {}, usage: "unknown", isKept, error: isKept ? null : "no answer in time" };
    })
    .then(() => note(journal));

test("a try that brought no answer is no running time, also where the work went on after it", async () => {
  expect(await runningTimeOf((id, journal) => askAged(id, journal, false))).toBeLessThan(tenMinutes / 2);
});

test("one that was answered is, however long it took", async () => {
  expect(await runningTimeOf((id, journal) => askAged(id, journal, true))).toBeGreaterThanOrEqual(tenMinutes);
});

test("a try without an answer is running time where other work was done beside it", async () => {
  const spent = await runningTimeOf((id, journal) =>
    journal
      .ask(call, async () => {
        await ageCall(id);
        await note(journal);
        await world.admin.query(
          "update homework.journal_entries set began_at = began_at - interval '10 minutes' where run_id = $1",
          [id],
        );
        return { result: {}, usage: "unknown", isKept: false, error: "no answer in time" };
      })
      .then(() => journal.once("after", async () => ({ result: {}, summary: "noted", artifacts: [] }))),
  );
  expect(spent).toBeGreaterThanOrEqual(tenMinutes - 1_000);
});

/** Cut off in the middle of a call of ten minutes: by a person, or because its worker ends. */
async function cutOffTime(how: "pause" | "stop", isSilent: boolean): Promise<number> {
  const begun = Promise.withResolvers<void>();
  const engine: Engine<Tx> = {
    iterate: async ({ run }, journal) => {
      await journal.ask(call, async (_callId, signal, tell) => {
        await ageCall(run.id);
        if (isSilent) tell({ silentMs: tenMinutes, triesLeft: 1 });
        const isNoted = async () =>
          !isSilent || (await world.events(run.id)).some(({ type }) => type === "model_silent");
        while (!(await isNoted())) await realEnv.sleep(20);
        begun.resolve();
        return new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
      throw new Error("it is paused before that");
    },
  };
  const worker = world.work(engine);
  const run = await world.create(user);
  await begun.promise;
  if (how === "pause") await world.command(run, pause);
  await worker.close();
  const { spent } = await world.find(run.id);
  if (how === "stop") await world.command(run, cancel);
  return spent.runningMs;
}

test.for(["pause", "stop"] as const)("%s while its model does not answer: it has not worked meanwhile", async (how) => {
  expect(await cutOffTime(how, true)).toBeLessThan(tenMinutes / 2);
});

test.for(["pause", "stop"] as const)("%s while its model is at work: it has", async (how) => {
  expect(await cutOffTime(how, false)).toBeGreaterThanOrEqual(tenMinutes);
});

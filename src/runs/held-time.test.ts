import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import type { Tx } from "../db/database.ts";
import { cancel } from "../domain/run/commands.ts";
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

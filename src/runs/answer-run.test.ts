// A whole run that asks before it writes: it stages, waits, hears its user's word and writes exactly that.

import { expect, test } from "vitest";
import { makeClaim } from "../../test/helpers/make-run.ts";
import { scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import { registry, stage, stagingWorld } from "../../test/helpers/staging-world.ts";
import type { Tx } from "../db/database.ts";
import type { Run } from "../domain/run/run.ts";
import { askAboutStaged, replayApproved } from "../engine/tools/staging.ts";
import { stagedWrites } from "../store/change/change-set-store.ts";
import { findViolations } from "../store/run/run-invariants.ts";
import { inRunTx } from "../store/run/run-store.ts";
import { answerRun } from "./answer-run.ts";
import type { Engine } from "./ports/engine.ts";

const world = await stagingWorld();
const { now, runId } = world;

/** Stages two tasks first; afterwards it writes what it may, and says that it is done. */
const engine: Engine<Tx> = {
  iterate: async (input, journal) => {
    const { run } = input;
    const place = {
      userId: run.userId,
      runId: run.id,
      iteration: run.state.iteration,
      branchId: null,
      workspace: null,
    };
    const context = { ...place, projectIds: [now.project], newId: () => "" };
    const staging = { run, journal, registry, context };
    const decided = await replayApproved(staging);
    if (decided.length === 0)
      for (const n of [1, 2]) await stage(staging, `tool:${n}`, "create_task", { title: `Task ${n}` });
    const question = await askAboutStaged(staging);
    const ends = question ? { questions: [question] } : { claim: makeClaim() };
    return scriptedEngine<Tx>(
      () => ({ ends }),
      async () => ({ kind: "task", id: "" }),
    ).iterate(input, journal);
  },
};

const answer = (run: Run, text: string) =>
  world.db.asSystem((tx) =>
    inRunTx(tx, world.queue, (runs) => {
      const whose = { userId: run.userId, runId: run.id };
      const answers = [{ questionId: "approve_writes", text }];
      return answerRun(runs, stagedWrites(tx), whose, answers, { maxConcurrentRuns: 1_000 });
    }),
  );

test.for([
  ["approve", 2, "applied"],
  ["No, in blue please", 0, "rejected"],
] as const)('a run that is told "%s" writes %i tasks', async ([text, tasks, state]) => {
  const worker = world.work(engine);
  const waiting = await world.until(runId() as Run["id"], "waiting_on_user");
  expect(waiting.state).toMatchObject({
    questions: [{ kind: "approve_writes", text: expect.stringContaining("2 changes") }],
  });
  expect(await world.countTasks()).toBe(0);
  expect(await answer(waiting, text)).toMatchObject({ outcome: "done" });
  const ended = await world.until(waiting.id, "completed", "stopped", "failed");
  await worker.close();
  expect(ended.state).toMatchObject({ status: "completed", iteration: 2 });
  expect(await world.countTasks()).toBe(tasks);
  expect((await world.writes()).map((write) => write.state)).toEqual([state, state]);
  expect(await findViolations(world.db, 1_000)).toEqual([]);
});

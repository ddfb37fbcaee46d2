import { expect, test } from "vitest";
import { outcomeWorld } from "../../test/helpers/outcome-world.ts";
import { scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import { advanceOutcome } from "../domain/homr/advance-outcome.ts";
import { intervene } from "../domain/homr/commands/outcome-commands.ts";
import type { OutcomeId } from "../domain/homr/outcome.ts";
import { followedBy } from "../domain/homr/state-changes.ts";
import { settleAttempt } from "../domain/homr/tasks/settle-attempt.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import type { RunId } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { StoredJournal } from "../runs/journal.ts";
import { openBrief } from "./open-brief.ts";

const world = await outcomeWorld();
const user = await world.makeUser();

const { runs } = world.deps(
  scriptedEngine<Tx>(
    () => ({}),
    async () => ({ kind: "document", id: "none" }),
  ),
);

/** As a worker takes it that has just started; the one before it has died. */
async function take(runId: RunId) {
  for (const job of await world.queue.fetch("iteration", 100)) {
    const data = job.data as { readonly run_id: RunId; readonly iteration: number };
    const taken =
      data.run_id === runId
        ? await runs.take({ id: job.id, attempt: job.attempt, runId, iteration: data.iteration })
        : null;
    if (taken === null) continue;
    await world.queue.release(job, 0);
    return { run: taken.run, journal: new StoredJournal(runs, taken, new AbortController().signal, realEnv) };
  }
  throw new Error("nothing is due");
}

const say = (id: OutcomeId, message: string) =>
  world.act(id, (state, now) => intervene(state, { type: "redirect", message, taskId: null }, now));

async function started() {
  const id = await world.open(user, [{ title: "Lay the tiles" }]);
  await say(id, "The tiles are blue");
  await world.start(id);
  const state = await world.read(id);
  return { id, state, runId: state.tasks[0]?.runId as RunId };
}

test("the brief of an iteration says what is known of the outcome, and its receipt names what stands in it", async () => {
  const { state, runId } = await started();
  const { run, journal } = await take(runId);
  const brief = await openBrief({ env: realEnv }, run, journal);
  expect(brief?.text).toContain(state.outcome.name);
  expect(brief?.text).toContain("The tiles are blue");
  const { rows } = await world.admin.query(
    "select text, items from homework.homr_briefs where run_id = $1 and iteration = 1",
    [runId],
  );
  expect(rows).toEqual([{ text: brief?.text, items: state.context.injections.map(({ id }) => id) }]);
});

test("another attempt at the iteration says the same, whatever was said since", async () => {
  const { id, runId } = await started();
  const first = await take(runId);
  const before = await openBrief({ env: realEnv }, first.run, first.journal);
  await say(id, "No, they are red");
  const second = await take(runId);
  expect(await openBrief({ env: realEnv }, second.run, second.journal)).toEqual(before);
});

const taskOf = async (id: OutcomeId, number: number) =>
  (await world.read(id)).tasks.find((task) => task.number === number) as { readonly id: TaskId; readonly runId: RunId };

/** Its run ends well; what waits for it begins. */
async function complete(id: OutcomeId, number: number, said: readonly { question: string; text: string }[] = []) {
  const { id: taskId, runId } = await taskOf(id, number);
  const ended = { runId, taskId, result: "completed", why: "", tail: "", checkpoint: null } as const;
  await world.act(id, (state, now) => ({
    isDone: true,
    move: followedBy(settleAttempt(state, { ...ended, said, hasReadUntrusted: false }, now), (after) =>
      advanceOutcome(after, now),
    ),
  }));
}

test("a task is told what those before it have made, near and far, and what the user said to them", async () => {
  const id = await world.open(user, [
    { title: "Choose the tiles" },
    { title: "Cut the tiles", dependsOn: [1] },
    { title: "Lay the tiles", dependsOn: [2] },
  ]);
  await world.start(id);
  const { runId } = await taskOf(id, 1);
  const documentId = await world.makeEntity(user, await world.makeProject(user), "document", "Which tiles");
  await world.admin.query("update homework.onto_documents set created_by_run = $1 where id = $2", [runId, documentId]);
  await complete(id, 1, [{ question: "Which colour?", text: "Blue" }]);
  for (const number of [2, 3]) {
    const { run, journal } = await take((await taskOf(id, number)).runId);
    const brief = await openBrief({ env: realEnv }, run, journal);
    expect(brief?.text).toContain(`- #1: document ${documentId} "Which tiles"`);
    expect(brief?.text).toContain("> The answer: Blue");
    if (number === 2) await complete(id, 2);
  }
});

test("a run that stands by itself has no brief", async () => {
  const { id: runId } = await world.create(user);
  const { run, journal } = await take(runId);
  expect(await openBrief({ env: realEnv }, run, journal)).toBeNull();
});

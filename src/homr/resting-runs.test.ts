import { expect, test } from "vitest";
import { makeClaim, makeQuestion } from "../../test/helpers/make-run.ts";
import { contentScript, outcomeWorld } from "../../test/helpers/outcome-world.ts";
import { type Script, scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import { advanceOutcome } from "../domain/homr/advance-outcome.ts";
import { editOutcome, pauseOutcome, resumeOutcome } from "../domain/homr/commands/outcome-commands.ts";
import type { OutcomeId } from "../domain/homr/outcome.ts";
import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import { isOpenEscalation } from "../domain/homr/questions/escalation.ts";
import { type NewEscalation, openEscalation } from "../domain/homr/questions/open-escalation.ts";
import { answerEscalation } from "../domain/homr/questions/resolve.ts";
import { followedBy } from "../domain/homr/state-changes.ts";
import { settlePauses } from "../domain/homr/tasks/pausing.ts";
import { defaultBudget } from "../domain/run/budget/budget.ts";
import { respond } from "../domain/run/commands.ts";
import type { Run } from "../domain/run/run.ts";
import type { Engine } from "../runs/ports/engine.ts";
import { findOutcomeViolations } from "../store/outcome/outcome-invariants.ts";
import { findViolations } from "../store/run/run-invariants.ts";

const world = await outcomeWorld();
const user = await world.makeUser();

const engine = (script: Script): Engine<Tx> =>
  scriptedEngine<Tx>(script, async () => ({ kind: "document", id: "none" }));

/** Asks its user first. */
const asking: Script = ({ run }) =>
  run.state.iteration === 1
    ? { notes: 1, ends: { questions: [makeQuestion({ id: "q1" })] } }
    : { notes: 1, ends: { claim: makeClaim() } };

async function runOf(id: OutcomeId): Promise<Run> {
  const [task] = (await world.read(id)).tasks;
  if (!task?.runId) throw new Error("the task has no run");
  return world.find(task.runId);
}

/** A question of HOMЯ's that names the task. */
const askAbout = (id: OutcomeId) =>
  world.act(id, (state, now) => {
    const asked: NewEscalation = {
      ...{
        trigger: "multiple_approaches" as const,
        triggerTaskId: null,
        observationId: null,
        evidence: [],
        context: "",
      },
      ...{ question: "Which form?", isWholeOutcome: false, pauses: true, defaultOption: null, deadlineMs: null },
      options: ["one", "two"].map((each) => ({
        ...{ id: each, label: each, description: "", implications: "" },
        action: "proceed" as const,
      })),
      affectedTasks: state.tasks.map((task) => task.id),
      isTainted: false,
    };
    const opened = openEscalation(state, asked, { kind: "supervision" }, now);
    return { isDone: true, move: followedBy(opened, settlePauses) };
  });

const answerIt = (id: OutcomeId) =>
  world.act(id, (state, now) => {
    const escalationId = state.escalations.find(isOpenEscalation)?.id ?? "";
    return answerEscalation(state, { escalationId, option: "one", additionalContext: "" }, now);
  });

const answerRun = (run: Run) => world.command(run, (now) => respond(now, [{ questionId: "q1", text: "yes" }]));
const isAchieved = ({ outcome }: OutcomeState) => outcome.status === "achieved";

async function expectNothingWrong(): Promise<void> {
  expect(await findOutcomeViolations(world.db)).toEqual([]);
  expect(await findViolations(world.db, null)).toEqual([]);
}

test("a run that asked its user rests with its answer while a question about its task is open", async () => {
  const id = await world.open(user, [{}]);
  const worker = world.workOn(engine(asking), contentScript);
  await world.start(id);
  const { runId } = (await world.untilOutcome(id, ({ tasks }) => tasks[0]?.runId !== null)).tasks[0] ?? {};
  await world.until(runId as never, "waiting_on_user");
  await askAbout(id);
  await answerRun(await runOf(id));
  expect((await runOf(id)).state).toMatchObject({ status: "stopped", reason: "paused", detail: "Its task rests" });
  expect((await world.read(id)).tasks[0]?.status).toBe("paused");
  await expectNothingWrong();
  await answerIt(id);
  await world.untilOutcome(id, isAchieved);
  await worker.close();
  await expectNothingWrong();
});

test("so it does while its outcome is paused", async () => {
  const id = await world.open(user, [{}]);
  const worker = world.workOn(engine(asking), contentScript);
  await world.start(id);
  const { runId } = (await world.untilOutcome(id, ({ tasks }) => tasks[0]?.runId !== null)).tasks[0] ?? {};
  await world.until(runId as never, "waiting_on_user");
  await world.act(id, pauseOutcome);
  await answerRun(await runOf(id));
  expect((await runOf(id)).state).toMatchObject({ status: "stopped", reason: "paused" });
  await world.act(id, resumeOutcome);
  await world.untilOutcome(id, isAchieved);
  await worker.close();
});

test("once nothing holds up its task, the answer lets it go on at once", async () => {
  const id = await world.open(user, [{}]);
  const worker = world.workOn(engine(asking), contentScript);
  await world.start(id);
  const { runId } = (await world.untilOutcome(id, ({ tasks }) => tasks[0]?.runId !== null)).tasks[0] ?? {};
  await world.until(runId as never, "waiting_on_user");
  await askAbout(id);
  await answerIt(id);
  expect((await world.read(id)).tasks[0]?.status).toBe("running");
  await answerRun(await runOf(id));
  await world.untilOutcome(id, isAchieved);
  await worker.close();
});

test("a run that rested with its budget used up has failed at its task, and its end is observed", async () => {
  const runBudget = { ...defaultBudget, maxCostMicroUsd: 10 };
  const id = await world.open(user, [{ maxAttempts: 1, autoRetriesLeft: 0 }], { runBudget });
  const paid = Promise.withResolvers<void>();
  const paying = engine(() => ({ calls: [{ costMicroUsd: 50, reservedMicroUsd: 50 }], ends: { claim: null } }));
  const worker = world.workOn(
    {
      iterate: async (input, journal) => {
        const worked = await paying.iterate(input, journal);
        paid.resolve();
        // Until it is taken away.
        await new Promise((resolve) => journal.signal.addEventListener("abort", resolve, { once: true }));
        return journal.signal.aborted ? { kind: "aborted" } : worked;
      },
    },
    contentScript,
  );
  await world.start(id);
  await paid.promise;
  await world.act(id, pauseOutcome);
  await world.act(id, resumeOutcome);
  const { tasks } = await world.untilOutcome(id, (state) => state.tasks[0]?.status === "failed");
  await worker.close();
  expect(tasks[0]?.failures[0]?.why).toMatch(/\$0\.00005 of \$0\.00001 used/);
  expect(await world.countObservations(id)).toEqual(["1:1:model"]);
  await expectNothingWrong();
});

test("runs that have spent together what each was given rest with their outcome, and go on once its limit is raised", async () => {
  const paying: Script = (input) => ({ ...asking(input), calls: [{ costMicroUsd: 60, reservedMicroUsd: 60 }] });
  const id = await world.open(user, [{}, {}], { workers: 2, maxCostMicroUsd: 100 });
  const worker = world.workOn(engine(paying), contentScript);
  await world.start(id);
  const { tasks } = await world.untilOutcome(id, ({ tasks: all }) => all.every(({ runId }) => runId !== null));
  for (const { runId } of tasks) await world.until(runId as never, "waiting_on_user");
  await world.act(id, (state, now) => ({ isDone: true, move: advanceOutcome(state, now) }));
  expect((await world.read(id)).outcome).toMatchObject({ status: "paused", spent: { costMicroUsd: 120 } });
  for (const { runId } of tasks) await answerRun(await world.find(runId as never));
  for (const { runId } of tasks)
    expect((await world.find(runId as never)).state).toMatchObject({ status: "stopped", reason: "paused" });
  const { outcome } = await world.read(id);
  await world.act(id, (state, now) =>
    editOutcome(state, { version: outcome.version, change: { maxCostMicroUsd: 1_000 }, approach: null }, now),
  );
  await world.act(id, resumeOutcome);
  await world.untilOutcome(id, isAchieved);
  await worker.close();
  await expectNothingWrong();
});

// Plays one simulated outcome of 20 tasks to its end, through the real rules, jobs, loop and journal over the store in memory, and counts
// what came of it.

import { startOutcome } from "../src/domain/homr/commands/outcome-commands.ts";
import type { Outcome, OutcomeId } from "../src/domain/homr/outcome.ts";
import type { OutcomeTask } from "../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../src/domain/homr/tasks/task-id.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { defaultBudget } from "../src/domain/run/budget/budget.ts";
import { defaultBreakers } from "../src/domain/run/gate/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import type { HomrDeps } from "../src/homr/homr-deps.ts";
import { runHomrJob } from "../src/homr/run-turn.ts";
import type { ReviewWork } from "../src/outcomes/ports/review-work.ts";
import { toHomrJob } from "../src/store/outcome/homr-jobs.ts";
import { makeOutcome, makeTask, taskId } from "../test/helpers/make-outcome.ts";
import { Crew } from "../test/sim/crew.ts";
import { quiet } from "../test/sim/faults.ts";
import { type MemoryBackend, memoryBackend } from "../test/sim/memory/memory-backend.ts";
import type { MemoryWrites } from "../test/sim/memory/memory-journal-store.ts";
import type { OutcomeRecord } from "../test/sim/memory/records.ts";
import { type Actor, World } from "../test/sim/world.ts";
import { type Prices, steeringModels } from "./steering-models.ts";
import { Person } from "./steering-person.ts";
import { type Chances, planOutcome, taskCount } from "./steering-plan.ts";
import { Truth } from "./steering-truth.ts";
import { Workers } from "./steering-worker.ts";

export type Played = {
  /** Of the 20 tasks, those whose work is right. */
  readonly right: number;
  readonly microUsd: number;
  /** Everything but the attempts that the right work comes from. */
  readonly wastedMicroUsd: number;
  /** Of HOMЯ and of the reviews. */
  readonly turnsMicroUsd: number;
  readonly questions: number;
  readonly attempts: number;
  readonly reviews: number;
  readonly isAchieved: boolean;
};

export type Playing = {
  readonly seed: number;
  readonly isOn: boolean;
  readonly chances: Chances;
  readonly prices: Prices;
  /** The outcome's own limit; null: none. */
  readonly maxCostMicroUsd: number | null;
};

const limits = { maxConcurrentRuns: 3 };
/** Simulated; most outcomes take an hour or two. */
const longestMs = 20 * 60_000;
const outcomeId = "outcome" as OutcomeId;
const userId = "owner" as UserId;

export async function playSteering({ seed, isOn, chances, prices, maxCostMicroUsd }: Playing): Promise<Played> {
  const plan = planOutcome(seed, chances);
  const world = new World({ seed, faults: () => quiet() });
  const backend = memoryBackend(world);
  const truth = new Truth(plan);
  const findRecord = (): OutcomeRecord => foundIn(backend);
  const workers = new Workers({
    world,
    truth,
    price: prices.worker,
    readState: (actor, id) => backend.outcomesFor(actor).outcomes.transaction((tx) => tx.lockOutcome(outcomeId, [id])),
    numberOf: (id) => findRecord().tasks.find((task) => task.id === id)?.number ?? 0,
  });
  const models = steeringModels({
    ...{ plan, truth, prices },
    triedIn: (number, attempt) =>
      [...workers.done.values()].find(({ tried }) => tried.number === number && tried.attempt === attempt)?.tried ??
      null,
  });
  const homrOf = (actor: Actor): HomrDeps<MemoryWrites> => ({
    ...backend.outcomesFor(actor),
    readWork: async (_userId, runId) => workers.readWork(runId),
    readReviewWork: async () => readReviewWork(findRecord(), workers),
    readLiveness: async () => [],
    models,
    env: world.envOf(actor),
    limits,
    logger: { debug: () => {}, warn: () => {} },
  });
  new Crew({
    ...{ world, backend, limits, breakers: defaultBreakers, size: 1, concurrency: 4 },
    engineFor: (actor) => workers.engineFor(actor),
    proverFor: () => workers.prover,
    homrFor: (actor) => {
      const deps = homrOf(actor);
      return (job, signal) => runHomrJob(deps, toHomrJob(job), signal);
    },
  });
  const owner = world.makeActor("owner");
  const { outcome, tasks } = newOutcome(plan.dependsOn, isOn, maxCostMicroUsd);
  await backend.outcomesFor(owner).outcomes.transaction((tx) => tx.insertOutcome(outcome, tasks));
  const person = new Person({ ...{ world, backend, plan, userId, outcomeId } });
  await person.command(startOutcome);
  await world.timeline.play(() => isOver(world, findRecord()));
  if (world.violation !== null) throw new Error(`seed ${seed}: ${JSON.stringify(world.violation)}`);
  return count(findRecord(), backend, truth, workers, person);
}

const isOver = (world: World, { outcome: { status } }: OutcomeRecord): boolean =>
  world.violation !== null || world.timeline.nowMs > longestMs || status !== "active";

function foundIn({ database }: MemoryBackend): OutcomeRecord {
  const record = database.outcomes.get(outcomeId);
  if (record === undefined) throw new Error("bug: there is no outcome");
  return record;
}

function newOutcome(dependsOn: ReadonlyMap<number, readonly number[]>, isOn: boolean, maxCostMicroUsd: number | null) {
  const base = makeOutcome();
  const outcome: Outcome = {
    ...base,
    ...{ id: outcomeId, userId, status: "dormant", nextNumber: taskCount + 1, workers: 2 },
    // One to ask, one to work, one for the loop to see that it is done.
    runBudget: { ...defaultBudget, maxIterations: 3 },
    maxCostMicroUsd,
    config: { ...base.config, enabled: isOn },
  };
  const tasks: readonly OutcomeTask[] = [...dependsOn].map(([number, others]) =>
    makeTask(number, { dependsOn: others.map(taskId) }),
  );
  return { outcome, tasks };
}

function readReviewWork({ tasks, attempts }: OutcomeRecord, workers: Workers): ReviewWork {
  const runOf = (id: TaskId) => attempts.findLast((each) => each.taskId === id && each.state === "completed")?.runId;
  const completed = tasks.filter(({ status }) => status === "completed");
  return {
    tasks: completed.slice(-30).map(({ id, number, title }) => {
      const runId = runOf(id);
      const text = runId === undefined ? "" : (workers.readWork(runId).iterations[0]?.text ?? "");
      return { number, title, summary: "did it", artifacts: [{ title, text: text.slice(-2_000) }] };
    }),
    more: Math.max(0, completed.length - 30),
    redChecks: [],
    earlier: [],
  };
}

function count(
  record: OutcomeRecord,
  { database }: MemoryBackend,
  truth: Truth,
  workers: Workers,
  person: Person,
): Played {
  const runs = [...database.runs.values()].reduce((sum, { run }) => sum + run.spent.costMicroUsd, 0);
  const turns = record.turns.flatMap(({ calls }) => calls).reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0);
  const right = record.tasks.filter(
    ({ number, status }) => number <= taskCount && status === "completed" && truth.works.get(number) === null,
  );
  const useful = right.reduce((sum, { id }) => sum + usefulMicroUsd(record, workers, id), 0);
  return {
    right: right.length,
    microUsd: runs + turns,
    wastedMicroUsd: runs + turns - useful,
    turnsMicroUsd: turns,
    questions: record.escalations.length + person.runQuestions,
    attempts: record.attempts.length,
    reviews: record.reviews.length,
    isAchieved: record.outcome.status === "achieved",
  };
}

/** The attempt that completed it; what was mended later counts as waste with its mending. */
function usefulMicroUsd({ attempts }: OutcomeRecord, workers: Workers, id: TaskId): number {
  const run = attempts.findLast((each) => each.taskId === id && each.state === "completed")?.runId as RunId | undefined;
  return run === undefined ? 0 : (workers.done.get(run)?.microUsd ?? 0);
}

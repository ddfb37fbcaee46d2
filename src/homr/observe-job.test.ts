import { expect, test } from "vitest";
import { makeClaim } from "../../test/helpers/make-run.ts";
import { contentScript, fine, type HomrScript, outcomeWorld } from "../../test/helpers/outcome-world.ts";
import { type Script, scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import { realEnv } from "../main/env.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { findOutcomeViolations } from "../store/outcome/outcome-invariants.ts";
import { findViolations } from "../store/run/run-invariants.ts";

const world = await outcomeWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);

/** Every run writes a page, pays, and claims to be done in its first iteration. */
const done: Script = () => ({
  calls: [{ costMicroUsd: 7, reservedMicroUsd: 20 }],
  writes: ["a page"],
  ends: { claim: makeClaim() },
});

const engine = (script: Script) =>
  scriptedEngine<Tx>(script, async (tx, { run }, title) => {
    const id = realEnv.newId();
    await createEntity(
      tx,
      "document",
      { id, projectId: project, by: run.userId },
      { title, content: `Text of ${title}` },
    );
    return { kind: "document", id };
  });

const statuses = ({ tasks }: OutcomeState) => tasks.map(({ number, status }) => `${number} ${status}`);

async function expectNothingWrong(): Promise<void> {
  expect(await findOutcomeViolations(world.db)).toEqual([]);
  expect(await findViolations(world.db, null)).toEqual([]);
}

test("tasks are worked on in their order, each is observed once, and two clean reviews end the outcome", async () => {
  const id = await world.open(user, [{}, { dependsOn: [1] }, { dependsOn: [2] }]);
  const worker = world.workOn(engine(done), contentScript);
  await world.start(id);
  const { outcome } = await world.untilOutcome(id, (state) => state.outcome.status === "achieved");
  await worker.close();
  expect(await world.countObservations(id)).toEqual(["1:1:model", "2:1:model", "3:1:model"]);
  // Three runs, three observations, two reviews.
  expect(outcome.spent.costMicroUsd).toBe(3 * 7 + 5 * 3);
  await expectNothingWrong();
});

test("what waited for a task begins only after its work was looked at", async () => {
  const id = await world.open(user, [{}, { dependsOn: [1] }]);
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const script: HomrScript = async ({ kind }) => {
    asked.resolve();
    await gate.promise;
    return kind === "outcome_review" ? { findings: [], summary: "fine" } : fine;
  };
  const worker = world.workOn(engine(done), script);
  await world.start(id);
  await asked.promise;
  expect(statuses(await world.read(id))).toEqual(["1 running", "2 pending"]);
  gate.resolve();
  await world.untilOutcome(id, ({ outcome }) => outcome.status === "achieved");
  await worker.close();
  await expectNothingWrong();
});

test("where no model can be asked, rules observe, and the outcome goes on", async () => {
  const id = await world.open(user, [{}]);
  const noUsage = {
    costMicroUsd: 0,
    inputTokens: 0,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 0,
    pricedBy: "table",
  } as const;
  const script: HomrScript = ({ kind }) =>
    kind === "observer"
      ? { kind: "fault", fault: { kind: "auth", why: "no key" }, usage: noUsage }
      : contentScript({ kind } as never);
  const worker = world.workOn(engine(done), script);
  await world.start(id);
  await world.untilOutcome(id, ({ outcome }) => outcome.status === "achieved");
  await worker.close();
  expect(await world.countObservations(id)).toEqual(["1:1:rules"]);
});

test("a provider that has to be waited for postpones the observation, and its task waits with it", async () => {
  const id = await world.open(user, [{}]);
  const noUsage = {
    costMicroUsd: 0,
    inputTokens: 0,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 0,
    pricedBy: "table",
  } as const;
  let asked = 0;
  const script: HomrScript = ({ kind }) => {
    if (kind !== "observer") return contentScript({ kind } as never);
    asked += 1;
    const limit = { kind: "limit", why: "busy", untilMs: realEnv.now() + 1_500 } as const;
    return asked === 1 ? { kind: "fault", fault: limit, usage: noUsage } : fine;
  };
  const worker = world.workOn(engine(done), script);
  await world.start(id);
  await world.untilOutcome(id, ({ outcome }) => outcome.status === "achieved");
  await worker.close();
  expect(asked).toBe(2);
  expect(await world.countObservations(id)).toEqual(["1:1:model"]);
  await expectNothingWrong();
});

test("a worker that dies after the model has answered asks nothing twice", async () => {
  const id = await world.open(user, [{}]);
  let asked = 0;
  const script: HomrScript = (request) => {
    if (request.kind === "observer") asked += 1;
    return contentScript(request);
  };
  const runs = world.work(engine(done));
  await world.start(id);
  const [task] = (await world.read(id)).tasks;
  await world.until(task?.runId as never, "completed");
  await runs.close();
  const { runHomrJob } = await import("./run-turn.ts");
  const { toHomrJob } = await import("../store/outcome/homr-jobs.ts");
  const deps = world.homrDeps(script);
  let transactions = 0;
  const dying = {
    ...deps,
    outcomes: {
      transaction: ((work) => {
        transactions += 1;
        if (transactions === 2) throw new Error("the worker dies before it applies");
        return deps.outcomes.transaction(work);
      }) as typeof deps.outcomes.transaction,
    },
  };
  const mine = async () => (await world.queue.fetch("homr", 10)).find((job) => toHomrJob(job).outcomeId === id);
  const first = await mine();
  if (!first) throw new Error("no job");
  await expect(runHomrJob(dying, toHomrJob(first), new AbortController().signal)).rejects.toThrow("dies");
  await world.queue.release(first, 0);
  const second = await mine();
  if (!second) throw new Error("no job");
  expect(await runHomrJob(deps, toHomrJob(second), new AbortController().signal)).toBe("done");
  expect(asked).toBe(1);
  expect(await world.countObservations(id)).toEqual(["1:1:model"]);
  // The first delivery is stale: what it does is not written.
  expect(await runHomrJob(deps, toHomrJob(first), new AbortController().signal)).toBe("gone");
});

test("a run that fails is followed by another, within its attempts; each end is observed", async () => {
  const id = await world.open(user, [{ maxAttempts: 2 }], {
    runBudget: { ...(await world.read(await world.open(user, [{}]))).outcome.runBudget, maxIterations: 1 },
  });
  const idle: Script = () => ({ notes: 1, ends: {} });
  const worker = world.workOn(engine(idle), contentScript);
  await world.start(id);
  await world.untilOutcome(id, ({ tasks }) => (tasks[0]?.attempts ?? 0) >= 2 && tasks[0]?.status !== "running");
  await worker.close();
  const observed = await world.countObservations(id);
  expect(observed.slice(0, 2)).toEqual(["1:1:model", "1:2:model"]);
  await expectNothingWrong();
});

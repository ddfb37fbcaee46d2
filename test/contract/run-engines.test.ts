// An engine that is not installed is refused when a run is made, with what to do; and each run is worked on by its own.

import { expect, test } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { Chat } from "../../src/domain/chat/chat.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { RunId, RunningRun } from "../../src/domain/run/run.ts";
import { startHomework } from "../../src/engine/chat/start-homework.ts";
import { runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { realEnv } from "../../src/main/env.ts";
import { loopStore } from "../../src/runs/loop-store.ts";
import type { EngineFor } from "../../src/runs/ports/engine.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { insertOpenAnswer } from "../helpers/chat-rows.ts";
import { engineProblems } from "../helpers/no-agents.ts";
import { scriptedEngine, scriptedProver, untilIteration } from "../helpers/scripted-engine.ts";
import { testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 100 });
const anna = await app.signUp("anna");
const runs = "/api/homework/runs";

const create = (body: object) => app.call("POST", runs, anna.session, { body: { objective: "Find a hall", ...body } });
const countRuns = async () =>
  Number((await app.admin.query("select count(*) from homework.homework_runs")).rows[0].count);

test("a run whose engine is not installed is refused, and told what to use", async () => {
  const before = await countRuns();
  const { status, body } = await create({ engine: "agent" });
  expect([status, body.error.code]).toEqual([400, "invalid_request"]);
  expect(body.error.message).toMatch(/^body\.engine: .*not installed.*planner/);
  expect(await countRuns()).toBe(before);
});

test("so is a fork of one", async () => {
  const { body: old } = await create({});
  await app.admin.query("update homework.homework_runs set engine = 'agent' where id = $1", [old.run_id]);
  const { status, body } = await app.call("POST", `${runs}/${old.run_id}/fork`, anna.session, { body: {} });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("not installed")]);
});

test.each([
  ["not installed", { ...engineProblems, planner: "the planner engine is not installed; use another" }, false],
  ["installed", engineProblems, true],
])("start_homework of a chat where the engine is %s", async (_what, engines, ok) => {
  const before = await countRuns();
  const chat = { id: await insertOpenAnswer(app.admin, anna.id, 0) } as Chat;
  const tool = startHomework(chat, app.queue, { maxConcurrentRuns: 3 }, engines);
  if (tool.kind !== "write") throw new Error("it writes");
  const context = {
    userId: anna.id as UserId,
    runId: null,
    iteration: 1,
    branchId: null,
    projectIds: null,
    workspace: null,
    timeZone: "UTC",
    newId: realEnv.newId,
  };
  const outcome = await app.db.asUser({ userId: anna.id as UserId }, (tx) =>
    tool.write(tx, context, { objective: "Find a hall", source: "own" }),
  );
  expect(outcome.ok).toBe(ok);
  if (!ok) expect(outcome.text).toContain("use another");
  expect((await countRuns()) - before).toBe(ok ? 1 : 0);
});

const seen: (string | null)[] = [];
const planner = scriptedEngine<Tx>(untilIteration(2), async () => ({ kind: "document", id: "none" }));
const engineFor: EngineFor<Tx> = (run: RunningRun) =>
  run.engine === "agent"
    ? { missing: "the agent engine is not installed; use the planner" }
    : {
        engine: {
          iterate: (input, journal) => {
            seen.push(input.workFolder);
            return planner.iterate(input, journal);
          },
        },
        prover: scriptedProver(),
        workFolder: "/folders/of-this-run",
      };

async function workOn(runId: RunId) {
  const rules = { workerName: "test", breakers: defaultBreakers, limits: { maxConcurrentRuns: 3 } };
  const store = loopStore(
    runStore(app.db, app.queue, () => {}),
    rules,
  );
  const deps = { runs: store, engineFor, newId: realEnv.newId, now: realEnv.now };
  const job = (await app.queue.fetch("iteration", 100)).find(
    ({ data }) => (data as { run_id: string }).run_id === runId,
  );
  if (job === undefined) throw new Error("it has a job");
  return runIterationJob(deps, { id: job.id, attempt: job.attempt, runId, iteration: 1 }, new AbortController().signal);
}

test("a run is worked on by its own engine, in its own folder; one that is missing fails the iteration with what to do", async () => {
  const { body: first } = await create({});
  expect(await workOn(first.run_id)).toMatchObject({ kind: "continue" });
  expect(seen).toEqual(["/folders/of-this-run"]);
  const { body: second } = await create({});
  await app.admin.query("update homework.homework_runs set engine = 'agent' where id = $1", [second.run_id]);
  expect(await workOn(second.run_id)).toMatchObject({ kind: "continue" });
  const { rows } = await app.admin.query(
    "select status, error from homework.homework_run_iterations where run_id = $1",
    [second.run_id],
  );
  expect(rows).toEqual([{ status: "failed", error: "the agent engine is not installed; use the planner" }]);
});

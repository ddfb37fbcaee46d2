import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeClaim, makeProof, makeQuestion } from "../../../test/helpers/make-run.ts";
import { runWorld } from "../../../test/helpers/run-world.ts";
import { type Script, scriptedEngine } from "../../../test/helpers/scripted-engine.ts";
import type { Tx } from "../../db/database.ts";
import { respond, steer } from "../../domain/run/commands.ts";
import { assembleReport } from "../../domain/run/report/report.ts";
import type { Run } from "../../domain/run/run.ts";
import { realEnv } from "../../main/env.ts";
import { createEntity, findEntity, setEntityBinned, updateEntity } from "../entity/entity-store.ts";
import { ensureWorkspace, writePlanDocument, writeToBranch } from "../workspace/workspace-store.ts";
import { recordOf } from "./run-record-store.ts";
import { findRunView, listIterations } from "./run-view-store.ts";

const world = await runWorld(100);
const user = await world.makeUser();
const projectId = await world.makeProject(user);
const { newId } = realEnv;

const asRun = <T>(run: Run, work: (tx: Tx) => Promise<T>): Promise<T> =>
  world.db.asUser({ userId: user, runId: run.id }, work);
const newRun = () => world.create(user, { scope: { kind: "project", projectId } });
const record = async (run: Run) => world.db.asSystem((tx) => recordOf(tx, run));

async function make(run: Run, kind: "task" | "document" | "plan", fields: object = {}): Promise<string> {
  const id = newId();
  await asRun(run, (tx) => createEntity(tx, kind, { id, projectId, by: user }, { title: `A ${kind}`, ...fields }));
  return id;
}

test("things are counted by kind, created apart from updated, and working notes are none of them", async () => {
  const old = await world.makeEntity(user, projectId, "document", "Old");
  const run = await newRun();
  for (let n = 0; n < 9; n++) await make(run, "task");
  await make(run, "document", { content: "# Paper\n\nThe answer." });
  await asRun(run, async (tx) => {
    const workspace = await ensureWorkspace(tx, { run, newId });
    await writePlanDocument(tx, workspace, { steps: [] }, 1);
    await writeToBranch(tx, workspace, { branchId: "b", title: "Branch", iteration: 1 }, "Words ".repeat(500));
    const page = await findEntity(tx, "document", projectId, old);
    if (page) await updateEntity(tx, "document", page, { content: "New" });
  });
  const found = await record(run);
  expect(found.counts).toEqual([
    { type: "task", created: 9, updated: 0 },
    { type: "document", created: 1, updated: 1 },
  ]);
  expect(found.created).toHaveLength(10);
  expect(found.updated).toEqual([{ type: "document", id: old, title: "Old", project_id: projectId }]);
  expect(assembleReport(run, found).primary_output).toMatchObject({ title: "A document", opening: "The answer." });
});

test("what a run made and put into the bin again is not told", async () => {
  const run = await newRun();
  const [kept, gone] = [await make(run, "task"), await make(run, "task")];
  await asRun(run, (tx) => setEntityBinned(tx, "task", projectId, gone, true));
  const { created, counts } = await record(run);
  expect(created.map(({ id }) => id)).toEqual([kept]);
  expect(counts).toEqual([{ type: "task", created: 1, updated: 0 }]);
});

test("a plan is told with its own state", async () => {
  const run = await newRun();
  const id = await make(run, "plan", { state_key: "active" });
  expect((await record(run)).plans).toEqual([{ id, status: "active" }]);
});

test("what the user said is told in order, an answer with its question", async () => {
  const run = await newRun();
  const asks: Script = ({ run: { state } }) =>
    state.iteration === 1
      ? { notes: 1, ends: { questions: [makeQuestion({ id: "q1", text: "Grey or blue?" })] } }
      : { ends: { claim: makeClaim() } };
  const worker = world.work(scriptedEngine(asks, async () => ({ kind: "document", id: "none" })));
  await world.until(run.id, "waiting_on_user");
  expect(await world.command(run, (now) => steer(now, "Keep it short"))).toMatchObject({ outcome: "done" });
  expect(await world.command(run, (now) => respond(now, [{ questionId: "q1", text: "Grey" }]))).toMatchObject({
    outcome: "done",
  });
  await world.until(run.id, "completed");
  await worker.close();
  const { messages } = await record(run);
  expect(messages.map(({ kind, question, text }) => [kind, question, text])).toEqual([
    ["steer", null, "Keep it short"],
    ["answer", "Grey or blue?", "Grey"],
  ]);
  const view = await world.as(user, (tx) => findRunView(tx, run.id));
  expect(view?.report?.messages).toHaveLength(2);
});

test("events, iterations and the notification of a run carry what they are to carry", async () => {
  const run = await newRun();
  let page = "";
  const write = async (tx: Tx) => {
    if (page !== "") {
      const known = await findEntity(tx, "document", projectId, page);
      if (known) await updateEntity(tx, "document", known, { content: `${known.content}, more` });
    } else {
      page = newId();
      await createEntity(tx, "document", { id: page, projectId, by: user }, { title: "Paper", content: "Text" });
    }
    return { kind: "document", id: page };
  };
  const script: Script = ({ run: { state } }) => ({
    writes: ["Paper"],
    calls: [{ costMicroUsd: 830_000, reservedMicroUsd: 900_000 }],
    ends: state.iteration === 1 ? {} : { claim: makeClaim() },
  });
  const worker = world.work(scriptedEngine(script, write));
  await world.until(run.id, "completed");
  await worker.close();
  const { rows } = await sql<{ type: string; event: Record<string, unknown> }>`
    select type, event from homework_run_events where run_id = ${run.id} order by seq`.execute(world.db.system);
  const said = (type: string) => rows.find((row) => row.type === type)?.event;
  expect(said("run_started")).toMatchObject({
    config: { engine: "planner", scope: "project", project_ids: [projectId], budgets: { max_iterations: 10 } },
  });
  expect(said("iteration_completed")).toMatchObject({
    metrics: { tokens: 15, cost_micro_usd: 830_000, tool_calls: 1, running_ms: expect.any(Number) },
  });
  const view = await world.as(user, (tx) => findRunView(tx, run.id));
  expect(said("run_completed")).toMatchObject({
    summary: view?.report?.summary,
    stop_reason: { type: "completed", detail: "The check passed" },
    report_ref: `/homework/runs/${run.id}/report`,
  });
  const told = await sql<{ data: unknown }>`select data from user_notifications where run_id = ${run.id}`.execute(
    world.db.system,
  );
  expect(told.rows[0]?.data).toMatchObject({ cost_micro_usd: 1_660_000, cost_usd: 1.66, iterations: 2, tokens: 30 });
  const iterations = await world.as(user, (tx) => listIterations(tx, run.id, { limit: 10 }));
  expect(iterations.items.map(({ artifacts }) => artifacts)).toEqual([
    [{ kind: "document", id: page, op: "updated" }],
    [{ kind: "document", id: page, op: "created" }],
  ]);
});

test("the longest document that a green check looked at is the primary output", async () => {
  const run = await newRun();
  const [short, long] = [
    await make(run, "document", { content: "Short." }),
    await make(run, "document", { content: "Long ".repeat(99) }),
  ];
  const found = await record(run);
  expect(assembleReport(run, found).primary_output?.id).toBe(long);
  const proofs = [makeProof({ artifacts: [{ kind: "document", id: short }] })];
  expect(assembleReport(run, { ...found, proofs }).primary_output?.id).toBe(short);
});

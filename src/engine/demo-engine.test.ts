import { afterAll, expect, test, vi } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/checks/adopt.ts";
import type { Check, CheckTarget } from "../domain/run/checks/check.ts";
import { respond, steer } from "../domain/run/commands.ts";
import type { Question } from "../domain/run/question.ts";
import type { Run } from "../domain/run/run.ts";
import { demoCall } from "../llm/demo/demo-model.ts";
import { type ModelRole, modelRoles } from "../llm/model.ts";
import { demoRef } from "../llm/model-id.ts";
import { createModels } from "../llm/models.ts";
import { realEnv } from "../main/env.ts";
import { decideWrites, listWrites } from "../store/change/change-set-store.ts";
import { findViolations } from "../store/run/run-invariants.ts";
import { builtInTools } from "../tools/built-in.ts";
import { makeRegistry } from "../tools/registry.ts";
import { judge } from "./judge.ts";
import { plannerEngine } from "./planner/planner-engine.ts";
import { storeProver } from "./prove.ts";

const world = await runWorld();
const user = await world.makeUser();
const models = createModels({
  chains: Object.fromEntries(modelRoles.map((role) => [role, [demoRef]])) as Record<ModelRole, [typeof demoRef]>,
  providers: new Map(),
  env: realEnv,
  fetch,
  demo: demoCall,
});
const deps = { db: world.db, models, registry: makeRegistry(builtInTools), env: realEnv };
const engine = plannerEngine(deps);
const prover = storeProver(world.db, { judge: (...args) => judge(deps, ...args) });
/** Whole runs of several iterations, on machines that have other work, too. */
vi.setConfig({ testTimeout: 180_000 });
afterAll(() => vi.resetConfig());

const launch = "Plan the launch of a neighbourhood repair café";

/** More questions than a run of the demo model asks. */
const answersMax = 12;

async function play(over: Partial<Run>, answer: (question: Question) => string = () => "approve"): Promise<Run> {
  let run = await world.create(user, {
    objective: launch,
    checks: [planCheck],
    deliverables: [],
    isJudged: true,
    ...over,
  });
  const worker = world.work(engine, { prover });
  for (let n = 0; n <= answersMax; n++) {
    run = await world.until(run.id, "completed", "stopped", "failed", "waiting_on_user");
    if (run.state.status !== "waiting_on_user") break;
    const answers = run.state.questions.map((question) => ({ questionId: question.id, text: answer(question) }));
    await decideAll(run, answers.some(({ text }) => text === "reject") ? "reject" : "approve");
    await world.command(run, (now) => respond(now, answers));
  }
  await worker.close();
  return run;
}

async function decideAll(run: Run, decision: "approve" | "reject"): Promise<void> {
  const { items } = await world.as(user, (tx) => listWrites(tx, run.id, { limit: 200, state: "pending" }));
  const decisions = items.map(({ id }) => ({ id, decision, note: "" }));
  if (decisions.length > 0) await world.db.asSystem((tx) => decideWrites(tx, run.id, decisions, user));
}

async function madeBy(run: Run): Promise<readonly string[]> {
  const { rows } = await world.admin.query(
    `select distinct c.kind || ' ' || c.title as thing from homework.onto_changes c
      where c.run_id = $1 and c.kind <> 'edge' and c.title <> 'Homework workspace' and not exists
        (select from homework.onto_documents d where d.id = c.entity_id and d.type_key like 'document.homework%') order by 1`,
    [run.id],
  );
  return rows.map(({ thing }) => thing);
}

async function pagesOf(run: Run): Promise<string> {
  const { rows } = await world.admin.query(
    "select string_agg(content, '\n\n' order by created_at) as text from homework.onto_documents where created_by_run = $1 and type_key not like 'document.homework%'",
    [run.id],
  );
  return rows[0].text ?? "";
}

const count = (made: readonly string[], kind: string) => made.filter((thing) => thing.startsWith(`${kind} `)).length;

test("the launch is planned, looked into by executors, written, checked and judged, twice alike", async () => {
  const run = await play({});
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  const made = await madeBy(run);
  expect([count(made, "project"), count(made, "document"), count(made, "task")]).toEqual([1, 1, 6]);
  expect(run.lastProofs.every(({ isGreen }) => isGreen)).toBe(true);
  expect(run.plan.steps.find(({ id }) => id === "look")?.evidence).toHaveLength(3);
  const { rows } = await world.admin.query("select report from homework.homework_runs where id = $1", [run.id]);
  expect(rows[0].report.summary).toContain("5 of them passed");
  expect(await madeBy(await play({}))).toEqual(made);
  expect(await findViolations(world.db, 3)).toEqual([]);
});

test.each([
  ["one word", "Bananas", 1, { project: 1, document: 1, task: 5 }],
  ["a text", "Write a blog post about keeping bees in the city for beginners", 1, { project: 1, document: 1, task: 0 }],
  [
    "a comparison",
    "Compare PostgreSQL, MySQL and SQLite for a small web shop",
    2,
    { project: 1, document: 1, task: 0 },
  ],
  ["a question", "What is the best heat pump for an old house in Leeds?", 1, { project: 0, document: 1, task: 0 }],
])("a run on %s is completed", async (_name, objective, iteration, wanted) => {
  const run = await play({ objective });
  expect(run.state).toMatchObject({ status: "completed", iteration });
  const made = await madeBy(run);
  for (const [kind, many] of Object.entries(wanted)) expect([kind, count(made, kind)]).toEqual([kind, many]);
});

test("an objective that names nothing is asked about, and what the user answers is worked on", async () => {
  const questions: string[] = [];
  const run = await play({ objective: "x" }, ({ text }) => {
    questions.push(text);
    return "A picnic in the park";
  });
  expect(questions).toEqual([
    expect.stringMatching(/demo model \(rules, no AI\) finds nothing in “x”.*ANTHROPIC_API_KEY/),
  ]);
  expect(run.state.status).toBe("completed");
  expect(await madeBy(run)).toContain("project Picnic in the park");
});

test("an objective that names nothing is never called done", async () => {
  const run = await play({ objective: "x" }, () => "Stop here");
  expect(run.state.status).toBe("stopped");
  expect(await madeBy(run)).toEqual([]);
});

test("inside of a project it writes there and makes none", async () => {
  const projectId = await world.makeProject(user);
  const run = await play({ scope: { kind: "project", projectId } });
  expect(run.state.status).toBe("completed");
  expect(count(await madeBy(run), "project")).toBe(0);
  const { rows } = await world.admin.query(
    "select from homework.onto_tasks where created_by_run = $1 and project_id = $2",
    [run.id, projectId],
  );
  expect(rows).toHaveLength(6);
});

test("a plan is shown before anything is written, and a wish goes into it", async () => {
  const asked: Question[] = [];
  const run = await play({ permission: { writeMode: "approve_plan", allowedTools: null } }, (question) => {
    asked.push(question);
    return asked.length === 1 ? "Yes, but think of wheelchair users" : "approve";
  });
  expect(asked.map(({ kind }) => kind)).toEqual(["approve_plan", "approve_plan"]);
  expect(run.state.status).toBe("completed");
  expect(await pagesOf(run)).toContain("You wrote “Yes, but think of wheelchair users”");
});

test("writes that wait for approval are not called done before they are written", async () => {
  const run = await play({ permission: { writeMode: "per_write", allowedTools: null } });
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  expect(count(await madeBy(run), "task")).toBe(6);
});

test("what is rejected is not written, and it never says that it is done", async () => {
  const run = await play({ permission: { writeMode: "per_write", allowedTools: null } }, () => "reject");
  expect(run.state.status).toBe("stopped");
  expect(await madeBy(run)).toEqual([]);
});

test("a message is taken up in the page and in what was honoured", async () => {
  const run = await world.create(user, { objective: launch, checks: [planCheck], deliverables: [] });
  await world.command(run, (now) => steer(now, "Also think about wheelchair users"));
  const worker = world.work(engine, { prover });
  const ended = await world.until(run.id, "completed", "stopped", "failed");
  await worker.close();
  expect(ended.state.status).toBe("completed");
  expect(await pagesOf(ended)).toContain("Also think about wheelchair users");
  expect(ended.closing?.honoured).toMatchObject([{ message: "Also think about wheelchair users" }]);
});

const page = {
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast: 0,
  sourcesAtLeast: 0,
} as const;
const asked = (target: CheckTarget): Check => ({ id: "wish", deliverableId: null, target, givenBy: "user" });

test("a check of the user that the page meets is met", async () => {
  const run = await play({ checks: [planCheck, asked({ ...page, titleLike: "Plan", wordsAtLeast: 300 })] });
  expect(run.lastProofs.filter(({ isGreen }) => !isGreen)).toEqual([]);
  expect(run.state.status).toBe("completed");
});

test.each<[string, CheckTarget]>([
  ["sources", { ...page, sourcesAtLeast: 2 }],
  ["a heading", { ...page, headings: ["Insurance"] }],
  ["other things", { kind: "entity_count", entity: "milestone", atLeast: 3 }],
])("a check for %s that rules cannot meet is asked about once, and the run is never called done", async (_, target) => {
  const questions: string[] = [];
  const run = await play({ checks: [planCheck, asked(target)] }, ({ text }) => {
    questions.push(text);
    return "Stop here";
  });
  expect(questions).toEqual([expect.stringContaining("rules, no AI")]);
  expect(run.state.status).toBe("stopped");
});

test("where it may write nothing at all, it asks instead of pretending", async () => {
  const questions: string[] = [];
  const run = await play({ permission: { writeMode: "autopilot", allowedTools: ["search"] } }, ({ text }) => {
    questions.push(text);
    return "Stop here";
  });
  expect([run.state.status, questions.length]).toEqual(["stopped", 1]);
});

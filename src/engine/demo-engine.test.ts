import { afterAll, expect, test, vi } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { planCheck } from "../domain/run/adopt.ts";
import type { Check, CheckTarget } from "../domain/run/checks.ts";
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
  expect(run.plan.steps.filter(({ id }) => id.startsWith("look-"))).toHaveLength(3);
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
  [
    "German",
    "Plane ein Sommerfest für unsere Nachbarschaft mit Musik und Essen",
    2,
    { project: 1, document: 1, task: 6 },
  ],
])("a run on %s is completed", async (_name, objective, iteration, wanted) => {
  const run = await play({ objective });
  expect(run.state).toMatchObject({ status: "completed", iteration });
  const made = await madeBy(run);
  for (const [kind, many] of Object.entries(wanted)) expect([kind, count(made, kind)]).toEqual([kind, many]);
});

test.each([
  ["Make a list of 8 tasks for moving house", 8],
  ["Task list from my notes:\n- buy boxes\n- call the landlord\n- cancel the electricity", 3],
])("%j makes tasks and nothing else", async (objective, many) => {
  const run = await play({ objective, isJudged: false });
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  const made = await madeBy(run);
  expect([count(made, "task"), count(made, "document")]).toEqual([many, 0]);
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

test("an objective that wants to be asked asks once, and the answer is in the result", async () => {
  const questions: string[] = [];
  const run = await play({ objective: "Write a letter to our neighbours; ask me what matters first" }, ({ text }) => {
    questions.push(text);
    return "The noise on Sundays";
  });
  expect(run.state.status).toBe("completed");
  expect(questions).toHaveLength(1);
  expect(await pagesOf(run)).toContain("The noise on Sundays");
  expect(run.closing?.honoured).toMatchObject([{ message: "The noise on Sundays" }]);
});

test("a message is taken up in the page, in a task and in what was honoured", async () => {
  const run = await world.create(user, { objective: launch, checks: [planCheck], deliverables: [] });
  await world.command(run, (now) => steer(now, "Also think about wheelchair users"));
  const worker = world.work(engine, { prover });
  const ended = await world.until(run.id, "completed", "stopped", "failed");
  await worker.close();
  expect(ended.state.status).toBe("completed");
  expect(await pagesOf(ended)).toContain("Also think about wheelchair users");
  expect(await madeBy(ended)).toContain("task Take up: Also think about wheelchair users");
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

test.each<[string, CheckTarget]>([
  ["more words", { ...page, wordsAtLeast: 900 }],
  ["headings", { ...page, titleLike: "Plan", headings: ["Insurance", "Opening hours"] }],
  ["a page of its own", { ...page, titleLike: "Letter to the council", headings: ["Greeting"], wordsAtLeast: 100 }],
  ["more tasks", { kind: "entity_count", entity: "task", atLeast: 11 }],
  ["milestones", { kind: "entity_count", entity: "milestone", atLeast: 3 }],
  ["a task by name", { kind: "entity_exists", entity: "task", titleLike: "Buy a kettle" }],
])("a check of the user for %s is met", async (_what, target) => {
  const run = await play({ checks: [planCheck, asked(target)] });
  expect(run.lastProofs.filter(({ isGreen }) => !isGreen)).toEqual([]);
  expect(run.state.status).toBe("completed");
});

test("a check that rules cannot meet is asked about once, and it never says that it is done", async () => {
  const questions: string[] = [];
  const run = await play({ checks: [planCheck, asked({ ...page, sourcesAtLeast: 2 })] }, ({ text }) => {
    questions.push(text);
    return "Leave it out";
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

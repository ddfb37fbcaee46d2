import { expect, test } from "vitest";
import { objectives } from "../../../test/helpers/demo-objectives.ts";
import { type Played, playDemo } from "../../../test/helpers/demo-world.ts";
import { demoLabel } from "./demo-label.ts";
import { countWords } from "./phrase.ts";

/** Without the descriptions of project and goal, which are the objective's own words. */
const texts = (played: Played) =>
  played.made.flatMap(({ kind, title, content, args }) => [
    title,
    content,
    kind === "task" ? String(args.description ?? "") : "",
  ]);
const pages = (played: Played) => played.made.filter(({ kind, content }) => kind === "document" && content !== "");
const tasks = (played: Played) => played.made.filter(({ kind }) => kind === "task");
const overview = (played: Played) => played.made.find(({ title }) => title.startsWith("Overview: "));
/** Played once; tests only look at it. */
const played = new Map<string, Played>();
const play = (objective: string): Played => {
  const known = played.get(objective) ?? playDemo({ objective });
  played.set(objective, known);
  return known;
};
const launch = objectives.launch ?? "";

test.each(Object.entries(objectives))("a run on %s is completed within 12 iterations", (_name, objective) => {
  const run = play(objective);
  expect(run.decisions.at(-1)).toMatchObject({ kind: "complete" });
  expect(run.questions).toEqual([]);
  expect(tasks(run).length).toBeGreaterThanOrEqual(5);
  expect(pages(run).length).toBeGreaterThanOrEqual(5); // the brief, three branches, the overview
  expect(
    countWords(
      pages(run)
        .map(({ content }) => content)
        .join(" "),
    ),
  ).toBeGreaterThan(1_200);
  expect(run.made.filter(({ kind }) => kind === "project")).toHaveLength(1);
});

test.each(Object.entries(objectives))("what it writes about %s has no traces of its templates", (_name, objective) => {
  for (const text of texts(play(objective))) {
    const own = text.replaceAll(/^> .*$/gm, ""); // the objective's own words
    expect(own).not.toMatch(/\{\w+\}|\[object|NaN|\bnull\b/);
    if (!objective.includes("undefined")) expect(own).not.toContain("undefined");
    expect(own).not.toMatch(/\S {2,}\S|\.\.|,\.|\. \.|“”|\s[,.;:](?!\w)/);
    expect(own).not.toMatch(/[\p{Cc}](?<!\n)/u);
    expect(own.match(/“/g)?.length ?? 0).toBe(own.match(/”/g)?.length ?? 0);
  }
});

test.each(Object.entries(objectives))("every page about %s is labelled once", (_name, objective) => {
  for (const { content } of pages(play(objective))) expect(content.split(demoLabel)).toHaveLength(2);
});

test.each(Object.entries(objectives))("exactly one mistake is made and repaired on %s", (_name, objective) => {
  expect(play(objective).repairs).toEqual([{ tool: "create_task", iteration: 3, ok: true }]);
});

test("the same objective gives the same run", () => {
  expect(playDemo({ objective: launch })).toEqual(playDemo({ objective: launch }));
});

test("two objectives give different texts", () => {
  const all = Object.values(objectives).map((objective) => overview(play(objective))?.content);
  expect(new Set(all).size).toBe(all.length);
});

test("the launch goes by plan, branches, tasks, overview, and then claims to be done", () => {
  const { answers, links } = play(launch);
  expect(answers.map((answer) => answer.tool_calls.map(({ tool }) => tool))).toEqual([
    ["create_project", "write_note"],
    ["create_goal"],
    Array.from({ length: 8 }, () => "create_task"),
    ["create_document", "link", "link", "link"],
    [],
  ]);
  expect(answers.map((answer) => answer.executor_tasks.length)).toEqual([0, 3, 0, 0, 0]);
  expect(answers.map((answer) => answer.status.exit_signal)).toEqual([false, false, false, false, true]);
  expect(answers.map((answer) => answer.status.remaining_work.length)).toEqual([6, 5, 2, 1, 0]);
  expect(links).toBe(3);
});

test("every page about the launch names it", () => {
  const name = "the launch of a neighbourhood repair café";
  for (const { content } of pages(play(launch))) expect(content).toContain(name);
  expect(
    tasks(play(launch)).filter(({ args }) => String(args.description).includes("the launch")).length,
  ).toBeGreaterThan(4);
});

test("what the launch promises has substance: no deliverable rests on existence alone", () => {
  const [first] = play(launch).answers;
  const strong = first?.checks.filter(({ kind }) => kind === "document_has").map((check) => check.deliverable_id);
  for (const { id } of first?.deliverables ?? []) expect(strong).toContain(id);
  expect(first?.checks.map(({ id }) => id)).not.toContain("plan_complete");
});

test("inside of a project, it makes none", () => {
  const played = playDemo({ objective: launch, scope: "project" });
  expect(played.decisions.at(-1)?.kind).toBe("complete");
  expect(played.made.filter(({ kind }) => kind === "project")).toEqual([]);
  expect(new Set(tasks(played).map(({ projectId }) => projectId)).size).toBe(1);
});

test("where only plan and checks are wanted, it calls nothing before they are approved", () => {
  const permission = { writeMode: "approve_plan", allowedTools: null } as const;
  const played = playDemo({ objective: launch, permission });
  expect(played.answers[0]).toMatchObject({ tool_calls: [], executor_tasks: [] });
  expect(played.answers[0]?.plan.steps).toHaveLength(6);
  expect(played.answers[0]?.checks.length).toBeGreaterThan(2);
  expect(played.decisions.at(-1)?.kind).toBe("complete");
});

test("without create_task it writes the tasks on a page, with the same one mistake", () => {
  const allowedTools = ["create_project", "write_note", "create_document", "append_document"];
  const played = playDemo({ objective: launch, permission: { writeMode: "autopilot", allowedTools } });
  expect(played.decisions.at(-1)?.kind).toBe("complete");
  expect(tasks(played)).toEqual([]);
  expect(played.made.find(({ title }) => title.startsWith("Task list: "))?.content).toContain(
    "### Fill the five core roles",
  );
  expect(played.repairs).toEqual([{ tool: "create_document", iteration: 3, ok: true }]);
});

test("where it may write nothing at all, it asks instead of pretending", () => {
  const played = playDemo({ objective: launch, permission: { writeMode: "autopilot", allowedTools: ["search"] } });
  expect(played.decisions.at(-1)?.kind).toBe("ask");
  expect(played.made).toEqual([]);
});

test("a message of the user gets a step, a page, a task and a line in the overview", () => {
  const played = playDemo({ objective: launch, steering: { 2: ["Also think about wheelchair users, please."] } });
  expect(played.decisions.at(-1)?.kind).toBe("complete");
  expect(played.answers[1]?.status.progress_summary).toContain(
    "You wrote “Also think about wheelchair users, please.”",
  );
  expect(played.plan.find(({ id }) => id === "said-1")).toMatchObject({ status: "done" });
  expect(tasks(played).map(({ title }) => title)).toContain("Take up: Also think about wheelchair users, please.");
  expect(overview(played)?.content).toContain("## What you added\n\n- “Also think about wheelchair users, please.”");
});

test("a plan that was begun goes on with the rest, and a step somebody else wrote is looked into", () => {
  const before = playDemo({ objective: launch, iterationsMax: 2 }).plan;
  const added = {
    id: "their-own",
    title: "Ask the mayor",
    status: "pending",
    isOptional: false,
    owner: null,
    lastIteration: 0,
    evidence: [],
  } as const;
  const played = playDemo({ objective: launch, plan: [...before, added] });
  expect(played.answers[0]?.executor_tasks.map(({ title }) => title)).toEqual(["Ask the mayor"]);
  expect(played.plan.find(({ id }) => id === "their-own")?.status).toBe("done");
  expect(played.decisions.at(-1)?.kind).toBe("complete");
});

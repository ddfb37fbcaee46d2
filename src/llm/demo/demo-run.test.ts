import { expect, test } from "vitest";
import { objectives } from "../../../test/helpers/demo-objectives.ts";
import { idOf, makeView, type PlayedSession, playSession } from "../../../test/helpers/demo-session.ts";
import { decidedInWords } from "../../domain/change-set/approval-question.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { composeTasks } from "./compose.ts";
import { readObjective } from "./read-objective.ts";
import { labelLine, labelPage } from "./text.ts";

const launch = objectives.launch ?? "";
const taskTitles = composeTasks(readObjective("Bananas")).map(({ title }) => title);
const play = (over: Partial<PlannerView> = {}, rules = {}) =>
  playSession(makeView({ objective: launch, ...over }), rules);
const tools = ({ calls }: PlayedSession) => calls.map(({ tool }) => tool);
const argsOf = (played: PlayedSession, tool: string) =>
  played.calls.filter((call) => call.tool === tool).map(({ args }) => args as Record<string, never>);
const textsOf = (played: PlayedSession): readonly string[] =>
  played.calls.flatMap(({ args }) =>
    Object.values(args as object).filter((value): value is string => typeof value === "string"),
  );
const step = (id: string, kind: string) => ({
  id,
  title: id,
  status: "done" as const,
  isOptional: id === "look",
  owner: null,
  lastIteration: 1,
  evidence: [{ kind, id: idOf(50) }],
});
const project = { id: idOf(60), name: "Given" };
const finished = [step("project", "project"), step("document", "document"), step("tasks", "task")];
const again = {
  iteration: 2,
  plan: finished,
  projects: [{ id: idOf(50), name: "Bananas" }],
  deliverables: [{ id: "document", title: "d" }],
};
const page = { kind: "document", id: idOf(50), title: "Plan: Bananas" };
/** Everything of the first iteration is listed. */
const isThere = { there: [page, ...taskTitles.map((title) => ({ kind: "task", id: idOf(51), title }))] };
/** Where what remains to be written is written: after the executors. */
const second = { iteration: 2, plan: [step("look", "document")] };

test.each(Object.entries(objectives))("a session on %s ends by itself within five answers", (_name, objective) => {
  const played = play({ objective });
  expect(played.end).not.toBeNull();
  expect(played.answers).toBeLessThanOrEqual(5);
});

test.each(Object.entries(objectives))("what it writes about %s has no traces of its templates", (_name, objective) => {
  for (const text of [...textsOf(play({ objective })), ...textsOf(play({ objective, ...second }))]) {
    const own = text.replaceAll(/^> .*$/gm, ""); // the objective's own words
    expect(own).not.toMatch(/\{(?!\})\w+\}|\[object|NaN|\bnull\b|\.\.|“”|„“/);
    expect(own).not.toMatch(/[\p{Cc}](?<!\n)/u);
  }
});

test.each(Object.entries(objectives))("every page and task about %s is labelled", (_name, objective) => {
  const played = [play({ objective }), play({ objective, ...second })].flatMap(({ calls }) => calls);
  const labels = [labelPage([]), labelLine("")].map((label) => label.trim());
  for (const { args, tool } of played.filter(({ tool }) => /^(?:create_|write_note)/.test(tool))) {
    const { content = "", description = "" } = args as Record<string, string>;
    expect([tool, labels.some((label) => `${content}${description}`.includes(label))]).toEqual([tool, true]);
  }
});

test("the same request gives the same answers", () => expect(play()).toEqual(play()));

test("the launch is planned and looked into by three executors; what remains is said", () => {
  const played = play();
  expect(tools(played)).toEqual([
    "update_plan",
    "propose_checks",
    "create_project",
    "delegate",
    "update_plan",
    "end_iteration",
  ]);
  expect(argsOf(played, "delegate")[0]?.tasks).toHaveLength(3);
  expect(played.end).toMatchObject({
    exit_signal: false,
    remaining_work: [expect.stringContaining("Write"), "Make the tasks"],
  });
});

test.each(["x", objectives.signs ?? ""])(
  "%j is nothing to work on: it asks, and neither writes nor claims",
  (objective) => {
    const played = play({ objective });
    expect(tools(played)).toEqual(["ask_user", "end_iteration"]);
    expect(JSON.stringify(argsOf(played, "ask_user"))).toMatch(/demo model \(rules, no AI\).*ANTHROPIC_API_KEY/);
    expect(JSON.stringify(argsOf(played, "ask_user"))).not.toContain("Try again");
    expect(played.end?.exit_signal).toBe(false);
  },
);

test("what the user answers to that is worked on; an answer as empty is asked about again", () => {
  const answered = (text: string) =>
    play({ objective: "x", iteration: 2, messages: [{ id: idOf(7), question: "What do you want done?", text }] });
  expect(argsOf(answered("A picnic in the park"), "create_project")[0]?.name).toBe("Picnic in the park");
  expect(tools(answered("y"))).toEqual(["ask_user", "end_iteration"]);
});

test("a question is answered in the end of its session", () => {
  const played = play({ objective: "What is the best heat pump for an old house?" });
  expect(tools(played)).toEqual(["end_iteration"]);
  expect(played.end).toMatchObject({ exit_signal: true, answer: expect.stringContaining("looks nothing up") });
});

test("before a plan is approved it writes nothing and claims nothing", () => {
  const played = play({ phase: "plan_only", permission: { writeMode: "approve_plan", allowedTools: null } });
  expect(tools(played)).toEqual(["update_plan", "propose_checks", "end_iteration"]);
  expect(played.end?.exit_signal).toBe(false);
});

test("what is staged is not called done", () => {
  const played = play({ objective: "Bananas", permission: { writeMode: "per_write", allowedTools: null } });
  expect(played.end?.exit_signal).toBe(false);
  expect(play({ objective: "Bananas" }).end?.exit_signal).toBe(true);
});

test("asked whether anything is missing, it says that it is done and writes nothing", () => {
  const played = play({ ...again, objective: "Bananas", guidance: { next: "confirm_done", why: "" } }, isThere);
  expect(tools(played)).toEqual(["list_documents", "list_tasks", "update_plan", "end_iteration"]);
  expect(played.end?.exit_signal).toBe(true);
});

test("a check that is red though everything was made is asked about once, and not called done", () => {
  const target = { id: "c", about: "the page cites 3 sources", isGreen: false, seen: "it cites none" };
  const first = play({ ...again, objective: "Bananas", checks: [target] }, isThere);
  const question = String((argsOf(first, "ask_user")[0]?.questions as { text: string }[] | undefined)?.[0]?.text);
  expect(question).toContain("cannot do what these checks ask for: the page cites 3 sources");
  const messages = [{ id: "m1", question, text: "Try again" }];
  const next = play({ ...again, objective: "Bananas", checks: [target], messages }, isThere);
  expect([tools(next).includes("ask_user"), first.end?.exit_signal, next.end?.exit_signal]).toEqual([
    false,
    false,
    false,
  ]);
});

test("told to stop, it writes nothing more and claims nothing", () => {
  const messages = [{ id: "m1", question: "What should it do?", text: "Stop here" }];
  const played = play({ ...again, objective: "Bananas", messages });
  expect([tools(played), played.end?.exit_signal]).toEqual([["end_iteration"], false]);
});

test("a page that is gone is written again", () => {
  const played = play({ ...again, objective: "Bananas" }, { there: isThere.there.slice(1) });
  expect(argsOf(played, "create_document")).toHaveLength(1);
  expect(argsOf(played, "create_task")).toEqual([]);
});

test("what the user says after the page is written is added to it, as a step of its own", () => {
  const messages = [{ id: "m1", question: null, text: "Think of allergies" }];
  const played = play({ ...again, objective: "Bananas", messages }, isThere);
  expect(argsOf(played, "append_document")[0]?.text).toContain("You wrote “Think of allergies”");
  expect(played.end).toMatchObject({ exit_signal: true, honoured: [{ message: "Think of allergies" }] });
});

test.each([
  ["an approval", "Review the plan.", "approve"],
  ["that changes were decided one by one", "Decide each in the list", decidedInWords({ approved: 7, rejected: 0 })],
])("%s is nothing to write about", (_what, question, text) => {
  const played = play({ ...again, objective: "Bananas", messages: [{ id: "m1", question, text }] }, isThere);
  expect([argsOf(played, "append_document"), played.end?.honoured]).toEqual([[], []]);
});

test("what the user says in the middle of a session is not passed over: it is not done before that is taken up", () => {
  const notes = { 3: "The user has just said this to the run. It holds from now on:\n> Only ripe ones" };
  expect(play({ objective: "Bananas" }, { notes }).end?.exit_signal).toBe(false);
});

test("told to end, it ends with what remains", () => {
  const played = play({}, { notes: { 2: "The budget is used up. Finish, and call end_iteration now." } });
  expect([played.answers, played.end?.exit_signal]).toEqual([2, false]);
});

test("what fails is asked about, with the reason, and not called done", () => {
  const rules = { broken: (tool: string) => (tool === "create_task" ? "the tasks are locked" : null) };
  const played = play({ objective: "Bananas" }, rules);
  expect(JSON.stringify(argsOf(played, "ask_user"))).toContain("the tasks are locked");
  expect(played.end?.exit_signal).toBe(false);
});

test("a step that another model planned and nobody did is not called done", () => {
  const plan = [...finished, { ...step("s7", "task"), status: "pending" as const, evidence: [] }];
  const played = play({ ...again, objective: "Bananas", plan }, isThere);
  expect(played.end).toMatchObject({ exit_signal: false, remaining_work: ["s7"] });
});

test("inside of a project it writes there", () => {
  const played = play({ ...second, scope: "project", projects: [project] });
  expect(argsOf(played, "create_document")).toMatchObject([{ project_id: project.id }]);
  expect(argsOf(played, "create_project")).toEqual([]);
});

test("a task of an outcome writes into its project, and what others found stands on the page", () => {
  const brief = "Outcome: Given\n\n- dependency (from #1): The key hangs next door";
  const played = play({ objective: "Draft “Place and date” for a festival", brief, projects: [project] });
  expect(argsOf(played, "create_project")).toEqual([]);
  const [{ content = "", project_id: projectId } = {}] = argsOf(played, "create_document");
  expect(projectId).toBe(project.id);
  expect(String(content)).toContain("- The key hangs next door");
});

import { expect, test } from "vitest";
import { objectives } from "../../../test/helpers/demo-objectives.ts";
import { idOf, makeView, type PlayedSession, playSession } from "../../../test/helpers/demo-session.ts";
import { decidedInWords } from "../../domain/change-set/approval-question.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { phraseOf } from "./words.ts";

const launch = objectives.launch ?? "";
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
  isOptional: false,
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
/** Where what remains to be written is written: after the executors. */
const second = { iteration: 2, plan: ["look-1", "look-2", "look-3"].map((id) => step(id, "document")) };

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
  const labels = ["en", "de"].flatMap((language) =>
    ["label-page", "label-line"].map((name) => phraseOf(language as "en", name)),
  );
  for (const { args, tool } of played.filter(({ tool }) => /^(?:create_|write_note)/.test(tool))) {
    const { content = "", description = "" } = args as Record<string, string>;
    expect([tool, labels.some((label) => `${content}${description}`.includes(label))]).toEqual([tool, true]);
  }
});

test("the same request gives the same answers", () => expect(play()).toEqual(play()));

test("the launch is planned and looked into by three executors; what remains is said", () => {
  const played = play();
  expect(tools(played).filter((tool) => tool !== "search")).toEqual([
    "update_plan",
    "propose_checks",
    "create_project",
    "delegate",
    "update_plan",
    "end_iteration",
  ]);
  expect(argsOf(played, "delegate")[0]?.tasks).toHaveLength(3);
  expect(played.end).toMatchObject({ exit_signal: false, remaining_work: [expect.any(String), expect.any(String)] });
});

test("German objectives get German pages and tasks", () => {
  const texts = textsOf(play({ objective: objectives.german ?? "", ...second })).join("\n");
  expect(texts).toContain("## Ort und Termin");
  expect(texts).not.toMatch(/\bthe\b|Done when/);
});

test("a question is answered in the end of its session", () => {
  const played = play({ objective: "What is the best heat pump for an old house?" });
  expect(tools(played)).toEqual(["search", "end_iteration"]);
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
  const played = play({ ...again, objective: "Bananas", guidance: { next: "confirm_done", why: "" } });
  expect(tools(played).filter((tool) => tool !== "update_plan")).toEqual(["end_iteration"]);
  expect(played.end?.exit_signal).toBe(true);
});

const red = (about: string, seen: string) => [{ id: "c", about, isGreen: false, seen }];

test.each([
  ["words", "this run's document with “Plan” in its title has 900 words", "400 words (at least 900)"],
  ["a heading", "this run's document with “Plan” in its title has the headings Costs", "without the headings Costs"],
  ["what a judge missed", "a judge agrees: it is complete", "the judge misses prices; dates"],
])("a red check for %s is mended on the page there is", (_what, about, seen) => {
  const played = play({ ...again, objective: "Bananas", checks: red(about, seen) });
  expect(argsOf(played, "append_document")).toMatchObject([{ id: idOf(50) }]);
  expect(played.end).toMatchObject({ exit_signal: true, remaining_work: [] });
});

test("a page that is gone is written again", () => {
  const checks = red(
    "this run's document with “Plan: Bananas” in its title has 200 words",
    "there is no such document",
  );
  expect(argsOf(play({ ...again, objective: "Bananas", checks }), "create_document")).toHaveLength(1);
});

test("what the user says after the page is written is added to it, as a step of its own", () => {
  const messages = [{ id: "m1", question: null, text: "Think of allergies" }];
  const played = play({ ...again, objective: "Bananas", messages });
  expect(argsOf(played, "append_document")[0]?.text).toContain("You wrote “Think of allergies”");
  expect(played.end?.honoured).toMatchObject([{ message: "Think of allergies" }]);
});

test("that its changes were decided one by one is nothing to write about", () => {
  const text = decidedInWords({ approved: 7, rejected: 0 });
  const messages = [{ id: "m1", question: "Decide each in the list of changes", text }];
  const played = play({ ...again, objective: "Bananas", messages });
  expect(argsOf(played, "append_document")).toEqual([]);
});

test("what the user says in the middle of a session is not lost", () => {
  const notes = { 3: "The user has just said this to the run. It holds from now on:\n> Only ripe ones" };
  const played = play({ objective: "Bananas" }, { notes });
  expect(textsOf(played).join("\n")).toContain("Only ripe ones");
});

test("an approval is nothing to write about", () => {
  const messages = [{ id: "m1", question: "Review the plan.", text: "approve" }];
  expect(play({ ...again, objective: "Bananas", messages }).end?.honoured).toEqual([]);
});

test("told to end, it ends with what remains", () => {
  const played = play({}, { notes: { 2: "The budget is used up. Finish, and call end_iteration now." } });
  expect([played.answers, played.end?.exit_signal]).toEqual([2, false]);
});

test("what fails twice is asked about, with the reason, and not called done", () => {
  const rules = { broken: (tool: string) => (tool === "create_task" ? "the tasks are locked" : null) };
  const played = play({ objective: "Bananas" }, rules);
  expect(JSON.stringify(argsOf(played, "ask_user"))).toContain("the tasks are locked");
  expect(played.end?.exit_signal).toBe(false);
});

test("told to leave it out, it drops the step and still does not claim", () => {
  const [opening = ""] = phraseOf("en", "ask-blocked").split("{");
  const messages = [{ id: "m1", question: `${opening}the tasks`, text: "Leave it out" }];
  const rules = { broken: (tool: string) => (tool === "create_task" ? "no" : null) };
  const played = play({ objective: "Bananas", messages }, rules);
  expect(JSON.stringify(argsOf(played, "update_plan").at(-1))).toContain('"dropped"');
  expect([tools(played).includes("ask_user"), played.end?.exit_signal]).toEqual([false, false]);
});

test("inside of a project it writes there", () => {
  const played = play({ ...second, scope: "project", projects: [project] });
  expect(argsOf(played, "create_document")).toMatchObject([{ project_id: project.id }]);
  expect(argsOf(played, "create_project")).toEqual([]);
});

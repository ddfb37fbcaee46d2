// Trial of 0.4.0, A ("done" is not honest yet), as whole runs, and beside each case its neighbour that comes out otherwise. What one
// function decides is tested beside it: measure-document (A2), judge-answer (A4), exit-gate and conclude (A1, A6, A7).

import { afterEach, expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { updateEntity } from "../../src/store/entity/entity-store.ts";
import { call, hallWords, inProject, pageCheck, pageRun, step } from "../helpers/planner-scenario.ts";
import { plannerWorld } from "../helpers/planner-world.ts";
import { doneStatus, praise, type RoleScript, type ScriptedIteration, working } from "../helpers/role-script.ts";

const world = await plannerWorld();
const planned = () => world.asked.filter(({ role }) => role === "planner");
const judged = () => world.asked.filter(({ role }) => role === "judge");
const workers: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

type Place = { readonly user: UserId; readonly project: string };

async function begin(): Promise<Place> {
  const user = await world.makeUser();
  return { user, project: await world.makeProject(user) };
}

/** A run that is judged, until it comes to rest. */
async function play(script: RoleScript, { user, project }: Place, over: Partial<Run> = {}): Promise<Run> {
  world.script(script);
  const scope = { kind: "project", projectId: project } as const;
  const given = { objective: "Find a hall", checks: [planCheck], deliverables: [], isJudged: true, scope, ...over };
  const { id } = await world.create(user, given);
  workers.push(world.work(world.engine, { prover: world.prover }));
  return world.until(id, "completed", "stopped", "failed", "waiting_on_user");
}

/** A judge that says yes, and a planner of one answer. */
const planner =
  (said: (asked: Parameters<RoleScript>[0]) => ReturnType<RoleScript>): RoleScript =>
  (asked) => {
    if (asked.role === "judge") return praise(asked.prompt);
    return asked.role === "planner" ? said(asked) : "It was asked for something small. ".repeat(5);
  };

const deliver = (title: string, checks: NonNullable<ScriptedIteration["checks"]>): ScriptedIteration => ({
  deliverables: [{ id: "d1", title }],
  checks,
  plan: { steps: [step("s1", "done")] },
  status: doneStatus,
});
const count = (entity: "task" | "goal" | "link" | "milestone", atLeast = 1) => ({
  id: "c1",
  deliverable_id: "d1",
  kind: "entity_count" as const,
  entity,
  at_least: atLeast,
});

// A1
const prose =
  (words: string): RoleScript =>
  (asked) => {
    if (asked.role !== "planner" || asked.iteration < 3) return pageRun(asked);
    return [{ ...(pageRun({ ...asked, iteration: 3 }) as ScriptedIteration), status: null }, words];
  };

test("A1: prose that names what remains is a word against the end, though everything is green twice", async () => {
  const run = await play(prose("Chapter 1 is there. Chapters 2 to 5 are still missing."), await begin(), {
    budget: { ...defaultBudget, maxIterations: 5 },
  });
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
});

test("A1: so is a status block in prose", async () => {
  const block = "BUILDOS_HOMEWORK_STATUS:\n  exit_signal: false\n  remaining_work:\n    - chapters 2 to 5\n";
  const run = await play(prose(block), await begin(), { budget: { ...defaultBudget, maxIterations: 5 } });
  expect(run.state.status).toBe("stopped");
});

test("A1, otherwise: prose without a word against it is asked once, and then done", async () => {
  const run = await play(prose("Everything is written, and nothing is missing."), await begin());
  expect(run.state).toMatchObject({ status: "completed", iteration: 4 });
});

test("A1: not done with nothing that remains is asked what is missing, and done once it says so", async () => {
  const run = await play(
    (asked) => {
      if (asked.role !== "planner" || asked.iteration < 3) return pageRun(asked);
      const said = pageRun({ ...asked, iteration: 3 }) as ScriptedIteration;
      return asked.iteration === 3 ? { ...said, status: working("nearly", []) } : said;
    },
    await begin(),
  );
  expect(run.state).toMatchObject({ status: "completed", iteration: 4 });
  expect(planned().at(-1)?.prompt).toContain("names nothing that remains: is anything missing?");
});

// A2
test("A2: an executor that only talks has delivered nothing", async () => {
  const talk: RoleScript = (asked) => {
    if (asked.role === "executor") return hallWords;
    if (asked.role === "judge") return praise(asked.prompt);
    if (asked.role !== "planner") return "Nothing came of it. ".repeat(6);
    return {
      ...deliver("A page", [{ ...pageCheck, title_like: "", headings: [], words_at_least: 40 }]),
      executor_tasks: [{ title: "Look", instructions: "Look at it", step_id: "s1" }],
    };
  };
  const run = await play(talk, await begin());
  expect([run.state.status, judged().length]).toEqual(["stopped", 0]);
  expect(run.lastProofs.find(({ checkId }) => checkId === "c1")?.seen).toContain("no document");
});

const filler = `# Goal\n\n${"Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua ut enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse cillum fugiat nulla pariatur"} and so on.`;
const writing = (content: string): RoleScript =>
  planner(({ prompt }) => ({
    ...deliver("A page", [{ ...pageCheck, title_like: "hall", words_at_least: 40 }]),
    tool_calls: [call("create_document", { title: "The hall", content, ...inProject(prompt) })],
  }));

test("A2: filler under the right headings is read by the judge, and turned down", async () => {
  const no = JSON.stringify({ complete: false, score: 0, missing: ["anything about the hall"], quotes: [] });
  const run = await play((asked) => (asked.role === "judge" ? no : writing(filler)(asked)), await begin());
  expect(run.state).toMatchObject({ status: "stopped", reason: "claim_rejected" });
  expect(judged()[0]?.prompt).toContain("Lorem ipsum dolor");
});

test("A2, otherwise: the same with a page about the hall is done", async () => {
  const run = await play(writing(`# Goal\n\n${hallWords}`), await begin());
  expect([run.state.status, judged().length]).toEqual(["completed", 1]);
});

// A3: what can be finished can be completed, whatever it consists of.
const things: readonly (readonly [string, "task" | "goal" | "milestone", string])[] = [
  ["tasks", "task", "create_task"],
  ["goals", "goal", "create_goal"],
  ["milestones", "milestone", "create_milestone"],
];

test.each(things)("A3: a run that makes only %s is completed", async (_what, kind, tool) => {
  const run = await play(
    planner(({ prompt }) => ({
      ...deliver("A list", [count(kind, 2)]),
      tool_calls: ["Ask the owner of the hall", "Borrow twenty chairs"].map((title) =>
        call(tool, { title, ...inProject(prompt) }),
      ),
    })),
    await begin(),
  );
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(judged()[0]?.prompt).toContain("Borrow twenty chairs");
});

test("A3: a run that makes only links is completed, and the judge sees them", async () => {
  const place = await begin();
  const [hall, chairs] = [
    await world.makeEntity(place.user, place.project, "task", "Book the hall"),
    await world.makeEntity(place.user, place.project, "task", "Borrow twenty chairs"),
  ];
  const run = await play(
    planner(() => ({
      ...deliver("What depends on what", [count("link")]),
      tool_calls: [call("link", { src_id: chairs, rel: "depends_on", dst_id: hall })],
    })),
    place,
  );
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(judged()[0]?.prompt).toContain('task "Borrow twenty chairs" depends_on task "Book the hall"');
});

test("A3: a run that only clears things away is completed, and the judge sees what", async () => {
  const place = await begin();
  const old = await world.makeEntity(place.user, place.project, "task", "Book the hall of 2019");
  const run = await play(
    planner(() => ({ ...deliver("A tidy list", [count("task")]), tool_calls: [call("bin_task", { id: old })] })),
    place,
  );
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(judged()[0]?.prompt).toMatch(/Book the hall of 2019 \(put into the bin/);
});

test("A3, otherwise: what a run makes and clears away again is nothing", async () => {
  const run = await play(
    planner(({ prompt, request, turn }) => {
      const made = /task ([0-9a-f-]{36})/.exec(request.messages.at(-1)?.text ?? "")?.[1] ?? "";
      if (turn === 0)
        return { tool_calls: [call("create_task", { title: "For nothing", ...inProject(prompt) })], status: null };
      const bin = { ...deliver("A list", [count("task")]), tool_calls: [call("bin_task", { id: made })] };
      return [bin, bin, { status: working() }];
    }),
    await begin(),
    { budget: { ...defaultBudget, maxIterations: 1 } },
  );
  expect(run.state.status).toBe("stopped");
});

async function oldPage({ user, project }: Place): Promise<string> {
  const id = await world.makeEntity(user, project, "document", "The hall");
  const content = `# The hall\n\n${hallWords}\n\n## Prices\n\nThe hall costs 200 a day.\n`;
  await world.as(user, (tx) => updateEntity(tx, "document", { id, projectId: project, version: 1 }, { content }));
  return id;
}
const editing = (edit: object, id: string) =>
  planner(() => ({
    ...deliver("The page", [{ ...pageCheck, headings: ["The hall"], words_at_least: 0 }]),
    tool_calls: [call("edit_document", { id, edits: [edit] })],
  }));

test("A3: a run that only takes a section out of a page is completed, and the judge sees it", async () => {
  const place = await begin();
  const edit = { find: "## Prices\n\nThe hall costs 200 a day.\n", replace: "" };
  const run = await play(editing(edit, await oldPage(place)), place);
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(judged()[0]?.prompt).toContain("removed from The hall");
  expect(judged()[0]?.prompt).toContain("The hall costs 200 a day.");
});

test("A2: a run that only adds a blank or a comment to a page is not", async () => {
  const place = await begin();
  const edit = { find: "costs 200 a day.", replace: "costs 200 a day. \u200b<!-- checked -->" };
  const run = await play(editing(edit, await oldPage(place)), place, {
    budget: { ...defaultBudget, maxIterations: 1 },
  });
  expect([run.state.status, judged().length]).toEqual(["stopped", 0]);
});

const answering = (answer: string) => planner(() => ({ status: { ...doneStatus, answer } }));

test.each(["Why is the sky blue?", "Hello", "2+2"])("A3: the answer to “%s” is a result", async (objective) => {
  const run = await play(answering("# The answer\n\nShort waves are scattered more."), await begin(), { objective });
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
});

test("A3: an objective that needs nothing done is answered with that", async () => {
  const place = await begin();
  const said = "# Nothing to do\n\nThe task you name is done already: it was closed on Monday.";
  const run = await play(answering(said), place, { objective: "Close the task about the hall if it is open" });
  expect(run.state.status).toBe("completed");
});

test("A3: a first answer without checks is asked for them, and the run is completed", async () => {
  const run = await play(
    planner(({ prompt }) => [
      {
        tool_calls: [call("create_task", { title: "Ask the owner of the hall", ...inProject(prompt) })],
        plan: { steps: [step("s1", "done")] },
        status: doneStatus,
      },
      deliver("A list", [count("task")]),
    ]),
    await begin(),
  );
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(planned()[1]?.request.messages.at(-1)?.text).toContain("propose_checks");
});

test("A3: a plan of optional steps alone can be complete", async () => {
  const run = await play(
    planner(({ prompt }) => ({
      ...deliver("A list", [count("task")]),
      tool_calls: [call("create_task", { title: "Ask the owner of the hall", ...inProject(prompt) })],
      plan: { steps: [{ ...step("s1", "done"), optional: true }] },
    })),
    await begin(),
  );
  expect(run.state.status).toBe("completed");
});

// A5: whatever becomes of the judge's, the repair's and the summary's provider, the run does not fail.
const once = (
  fault: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown },
  role: string,
) => {
  let isDue = true;
  return (script: RoleScript): RoleScript =>
    (asked) => {
      if (asked.role !== role || !isDue) return script(asked);
      isDue = false;
      return fault;
    };
};
const page = writing(`# Goal\n\n${hallWords}`);
const limit = { status: 429, headers: { "retry-after": "1" } };

test("A5: a judge whose provider is busy holds the run, which is completed afterwards", async () => {
  const run = await play(once(limit, "judge")(page), await begin());
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect((await world.events(run.id)).map(({ type }) => type)).toContain("run_holding");
});

test.each([
  ["a key that is refused", { status: 401, body: { error: { message: "bad key" } } }, "provider_auth"],
  ["an account without money", { status: 402, body: { error: { message: "Insufficient credits" } } }, "provider_quota"],
])("A5: a judge with %s stops the run, which can be resumed", async (_what, fault, reason) => {
  const run = await play((asked) => (asked.role === "judge" ? fault : page(asked)), await begin());
  expect(run.state).toMatchObject({ status: "stopped", reason });
});

test.each([
  ["refuses the request", { status: 400, body: { error: { message: "no such parameter" } } }],
  ["says that it is too long", { status: 400, body: { error: { message: "maximum context length is 8192 tokens" } } }],
  ["breaks off", { text: '{"complete": tr', finish: "length" as const, usage: { input: 10, output: 1_500 } }],
])("A5: a judge that %s is a check that did not pass, in words", async (_what, fault) => {
  const run = await play((asked) => (asked.role === "judge" ? fault : page(asked)), await begin());
  expect(run.state).toMatchObject({ status: "stopped", reason: "claim_rejected" });
  expect(run.lastProofs.find(({ checkId }) => checkId.startsWith("judge:"))?.seen).toContain("could not be asked");
});

test("A5: a repair model whose provider is busy holds the run, and nothing is done twice", async () => {
  const wrong = { toolCalls: [{ name: "create_task", args: { name: "x" } }] };
  let place = "";
  const script: RoleScript = planner(({ prompt }) => {
    place = inProject(prompt).project_id;
    return [wrong, wrong, deliver("A list", [count("task")])];
  });
  const repairing: RoleScript = (asked) =>
    asked.role === "repair" ? JSON.stringify({ title: "Ask the owner of the hall", project_id: place }) : script(asked);
  const run = await play(once(limit, "repair")(repairing), await begin());
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
});

test.each([
  ["busy", limit],
  ["out of money", { status: 402, body: { error: { message: "Insufficient credits" } } }],
  ["down", { status: 401, body: { error: { message: "bad key" } } }],
])("A5: a summary whose provider is %s leaves a report of the facts", async (_what, fault) => {
  const run = await play((asked) => (asked.role === "summary" ? fault : pageRun(asked)), await begin(), {
    budget: { ...defaultBudget, maxIterations: 1 },
  });
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
  const { rows } = await world.admin.query(
    "select report->>'summary' as summary from homework.homework_runs where id = $1",
    [run.id],
  );
  expect(rows[0].summary.length).toBeGreaterThan(20);
});

// A6
test("A6: a user's lone judge does not make a run complete by its plan: something has to be delivered", async () => {
  const lone = {
    id: "user_1",
    deliverableId: null,
    target: { kind: "judge", rubric: "Good" },
    givenBy: "user",
  } as const;
  const silent = planner(({ prompt }) => ({
    tool_calls: [call("create_task", { title: "Ask the owner of the hall", ...inProject(prompt) })],
    plan: { steps: [step("s1", "done")] },
    status: doneStatus,
  }));
  const budget = { ...defaultBudget, maxIterations: 1 };
  const run = await play(silent, await begin(), { checks: [lone, planCheck], budget });
  expect(run.state.status).toBe("stopped");
  const named: RoleScript = (asked) =>
    asked.role === "planner"
      ? { ...(silent(asked) as ScriptedIteration), ...deliver("A list", [count("task")]) }
      : silent(asked);
  expect((await play(named, await begin(), { checks: [lone, planCheck], budget })).state.status).toBe("completed");
});

// A7
const needy = (more: object): RoleScript =>
  planner(() => ({ toolCalls: [{ name: "end_iteration", args: { ...working("I found two halls"), ...more } }] }));

test("A7: needs_user_input without a question makes the run wait with what it last said", async () => {
  const run = await play(needy({ needs_user_input: true }), await begin());
  expect(run.state).toMatchObject({
    status: "waiting_on_user",
    questions: [{ text: expect.stringContaining("I found two halls") }],
  });
});

test("A7: questions in the status are asked", async () => {
  const run = await play(needy({ needs_user_input: true, blocking_questions: ["Which of the two?"] }), await begin());
  expect(run.state).toMatchObject({ status: "waiting_on_user", questions: [{ text: "Which of the two?" }] });
});

test("A7, otherwise: a question that blocks nothing does not make it wait", async () => {
  const budget = { ...defaultBudget, maxIterations: 1 };
  const run = await play(needy({ blocking_questions: ["Which of the two, later?"] }), await begin(), { budget });
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
});

import { describe, expect, test } from "vitest";
import { errorAnswer } from "../../../test/helpers/cli-host.ts";
import {
  escalationId,
  makeWireEscalation,
  makeWireOutcome,
  makeWireTask,
  type OutcomeScene,
  outcomeId,
  outcomePath,
  runWithOutcome,
} from "../../../test/helpers/cli-outcomes.ts";
import { makeReport, makeWireRun, runId, runPath } from "../../../test/helpers/cli-runs.ts";

const counts = { pending: 0, running: 0, paused: 0, completed: 0, failed: 0, obsolete: 0 };
const taskChanged = (number: number, status: "running" | "completed" | "failed") => ({
  type: "task_changed" as const,
  task_id: makeWireTask(number).id,
  number,
  title: `Task ${number}`,
  status,
  attempts: 1,
  run_id: null,
  version: 1,
});
const outcomeChanged = (status: "active" | "achieved") => ({
  type: "outcome_changed" as const,
  name: "A shop for lamps",
  status,
});

/** Drafted, one task done, achieved. */
const toTheEnd: readonly OutcomeScene[] = [
  { event: outcomeChanged("active"), outcome: { is_drafting: false, tasks: { ...counts, running: 1 } } },
  { event: taskChanged(1, "running") },
  { event: taskChanged(1, "completed") },
  { event: { type: "activity_logged", activity: "review", task_id: null, summary: "Found nothing to mend" } },
  { event: outcomeChanged("achieved"), outcome: { status: "achieved", tasks: { ...counts, completed: 1 } } },
];
const drafting = { is_drafting: true, tasks: counts };

describe("start", () => {
  test("hands the brief over, tells what happens in words, and ends with the tasks", async () => {
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps", "--workers", "2", "--max-cost", "5"], {
      outcome: drafting,
      scenes: toTheEnd,
    });
    expect(ran.sent).toEqual([{ brief: "Sell lamps", workers: 2, max_cost_usd: 5, time_zone: "UTC", start: true }]);
    expect(ran.code).toBe(0);
    expect(ran.words).toContain("Drafting intent, approach and tasks.");
    expect(ran.words).toContain("Task #1 “Task 1”: running");
    expect(ran.words).toContain("HOMЯ: Found nothing to mend");
    expect(ran.words).toContain("Outcome achieved. Tasks: 1 completed");
    expect(ran.out).toContain("#1  queued");
  });

  test("ends with a report: results and where they are, what was decided, and figures", async () => {
    const page = { type: "document", id: "d1", title: "Floor plan", project_id: "p1", change: "created", opening: "" };
    const report = makeReport({ primary_output: { ...page, change: "created" } });
    const answer = { selected_option: "rich", additional_context: "", answered_at: "2030-03-17T17:45:40Z" };
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps"], {
      outcome: drafting,
      scenes: toTheEnd,
      tasks: [makeWireTask(1, { status: "completed", run_id: runId })],
      open: [makeWireEscalation({ status: "answered", answer: { ...answer, by: "human" } })],
      answers: {
        [`GET ${runPath}`]: () => ({ run: makeWireRun({ status: "completed", report }) }),
        "GET /api/models": () => ({ is_demo: true }),
      },
    });
    expect(ran.words).toContain("the demo model does the work (rules, no AI)");
    expect(ran.out).toContain("Results\n  #1 Floor plan: http://server.test/projects/p1/documents/d1");
    expect(ran.out).toContain("→ A rich form (by you)");
    expect(ran.out).toMatch(/0 observations · 0 discoveries · .* · \$0\.12 · 9m 00s/);
    expect(ran.words).toContain(`Look at it at http://server.test/outcomes/${outcomeId}`);
  });

  test("prints everything about it with --json, and no words", async () => {
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps", "--json"], {
      outcome: drafting,
      scenes: toTheEnd,
    });
    expect(JSON.parse(ran.out)).toMatchObject({
      id: outcomeId,
      status: "achieved",
      task_list: [{ number: 1 }, { number: 2 }],
      results: [],
      decisions: [],
      stats: { tasks_observed: 0 },
    });
    expect(ran.words).toBe("");
  });

  test("returns at once with --detach", async () => {
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps", "--detach"]);
    expect([ran.code, ran.out]).toEqual([0, `${outcomeId}\n`]);
    expect(ran.words).toContain(`homework outcome watch ${outcomeId}`);
  });

  test("only drafts with --draft, and says how to begin", async () => {
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps", "--draft"], { outcome: { status: "dormant" } });
    expect(ran.sent).toEqual([{ brief: "Sell lamps", time_zone: "UTC", start: false }]);
    expect([ran.code, ran.words]).toEqual([0, expect.stringContaining(`homework outcome resume ${outcomeId}`)]);
  });

  test("ends as failed where no task could be drafted", async () => {
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps"], { outcome: { tasks: counts } });
    expect([ran.code, ran.words]).toEqual([21, expect.stringContaining("No tasks could be drafted")]);
  });

  test("ends where drafting failed, with what the log says of it", async () => {
    const summary = "The draft could not be made";
    const event = { type: "activity_logged" as const, activity: "supervision" as const, task_id: null, summary };
    const scenes = [{ event, outcome: { is_drafting: false } }];
    const ran = await runWithOutcome(["outcome", "start", "Sell lamps"], { outcome: drafting, scenes });
    expect([ran.code, ran.words]).toEqual([21, expect.stringContaining(`HOMЯ: ${summary}`)]);
  });

  test("wants a brief", async () => {
    expect(await runWithOutcome(["outcome", "start"])).toMatchObject({ code: 2 });
    expect(await runWithOutcome(["outcome", "start", "x", "--file", "y"])).toMatchObject({ code: 2 });
  });
});

describe("a question while it is followed", () => {
  const asking = { outcome: { open_escalations: 1, tasks: { ...counts, paused: 1 } }, open: [makeWireEscalation()] };
  const awake = { env: { now: () => 0, newId: () => "id", sleep: async () => {} } };

  test("is shown with how to answer, and the command ends with its own number", async () => {
    const ran = await runWithOutcome(["outcome", "watch", "last"], asking, awake as never);
    expect(ran.code).toBe(23);
    expect(ran.words).toContain(
      "HOMЯ needs your decision.\nWhich form\ufffd[2J?\nTwo would do\n  1) A plain form: One page\n     → Quick",
    );
    expect(ran.words).toContain("Tasks paused: #2");
    expect(ran.words).toContain(`Answer with: homework escalation answer ${escalationId} 1`);
  });

  test("is asked on a terminal, and the work is followed on", async () => {
    const typed = ["9", "2: in brass"];
    const terminal = { isInteractive: true, ask: async () => typed.shift() ?? null };
    const scenes = [{ event: outcomeChanged("achieved"), outcome: { status: "achieved" as const } }];
    const ran = await runWithOutcome(["outcome", "watch", "last"], { ...asking, scenes }, { terminal });
    expect(ran.sent).toEqual([{ selected_option: "rich", additional_context: "in brass" }]);
    expect(ran.words).toContain("Type a number from 1 to 2, or some words of your own.");
    expect(ran.words).toContain("Decided: A rich form. Tasks resumed: 1.");
    expect(ran.code).toBe(0);
  });
});

describe("a worker that asks while its outcome is followed", () => {
  const question = { id: "q1", kind: "question" as const, text: "Which colour?", options: ["red", "blue"] };
  const run = makeWireRun({ status: "waiting_on_user", questions: [question] });
  const task = makeWireTask(1, { status: "running", run_id: run.id, run_status: "waiting_on_user" });
  const sent: unknown[] = [];
  const answers = {
    [`GET /api/homework/runs/${run.id}`]: () => ({ run, iterations: [] }),
    [`POST /api/homework/runs/${run.id}/respond`]: ({ body }: { readonly body: unknown }) => {
      sent.push(body);
      return run;
    },
  };
  const asking = { outcome: { waiting_runs: 1, tasks: { ...counts, running: 1 } }, tasks: [task], answers };

  test("is shown with how to answer, and the command ends with its own number", async () => {
    const awake = { env: { now: () => 0, newId: () => "id", sleep: async () => {} } };
    const ran = await runWithOutcome(["outcome", "watch", "last"], asking, awake as never);
    expect(ran.code).toBe(23);
    expect(ran.words).toContain("Task #1 “Task 1” is waiting for your answer:\nWhich colour?\n  1) red\n  2) blue");
    expect(ran.words).toContain(`Answer with: homework answer ${run.id} "your answer"`);
    expect(ran.words).toContain("Waiting for your decision.");
  });

  test("is answered on a terminal, and the work is followed on", async () => {
    const typed = ["2"];
    const terminal = { isInteractive: true, ask: async () => typed.shift() ?? null };
    const scenes = [{ event: outcomeChanged("achieved"), outcome: { status: "achieved" as const, waiting_runs: 0 } }];
    const ran = await runWithOutcome(["outcome", "watch", "last"], { ...asking, scenes }, { terminal });
    expect(sent).toEqual([{ answers: [{ question_id: "q1", text: "blue" }] }]);
    expect(ran.code).toBe(0);
  });
});

test("everything that one change brings is told, also after what ends the wait for it", async () => {
  const scenes: readonly OutcomeScene[] = [
    { event: outcomeChanged("active"), together: [taskChanged(1, "completed"), taskChanged(2, "running")] },
    { event: outcomeChanged("achieved"), together: [taskChanged(2, "completed")], outcome: { status: "achieved" } },
  ];
  const ran = await runWithOutcome(["outcome", "watch", "last", "--json"], { scenes });
  const told = ran.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).seq);
  expect([ran.code, told]).toEqual([0, [1, 2, 3, 4, 5]]);
});

describe("looking", () => {
  test("list shows tasks, questions and cost", async () => {
    const ran = await runWithOutcome(["outcome", "list"], {
      outcome: { tasks: { ...counts, completed: 1, running: 1, obsolete: 3 }, open_escalations: 2 },
    });
    expect(
      ran.out
        .split("\n")[1]
        ?.trim()
        .split(/\s{2,}/),
    ).toEqual(["0198c2a4", "active", "1/2", "2", "$0.12", "1 minute ago", "A shop for lamps"]);
  });

  test("show has intent, tasks and what is asked", async () => {
    const ran = await runWithOutcome(["outcome", "show", "A shop for lamps"], {
      tasks: [
        makeWireTask(1, { status: "completed" }),
        makeWireTask(2, { depends_on: [makeWireTask(1).id], made_by: "homr" }),
      ],
      open: [makeWireEscalation()],
    });
    expect(ran.code).toBe(0);
    for (const part of [
      "[ ] A page (high)",
      "A lamp can be bought",
      "$0.12 of $5.00",
      "#2  queued",
      "#1",
      "HOMЯ",
      "Which form",
    ])
      expect(ran.out).toContain(part);
  });

  test("tasks can be narrowed down", async () => {
    const tasks = [makeWireTask(1, { status: "failed" }), makeWireTask(2)];
    const ran = await runWithOutcome(["outcome", "tasks", "last", "--status", "failed", "--json"], { tasks });
    expect(JSON.parse(ran.out).items.map(({ number }: { number: number }) => number)).toEqual([1]);
  });

  test("log has a line for each thing that HOMЯ did", async () => {
    const activity = {
      seq: 1,
      type: "steering",
      task_id: null,
      task_number: 4,
      cause: { kind: "drift" },
      summary: "Created task #5",
      details: {},
      created_at: "2030-03-17T17:45:40Z",
    };
    const answers = { [`GET ${outcomePath}/homr/activity`]: () => ({ items: [activity], next_cursor: null }) };
    expect((await runWithOutcome(["outcome", "log", "last"], { answers })).out).toBe(
      "2030-03-17 17:45:40  Correction  task #4  Created task #5\n",
    );
    const json = await runWithOutcome(["outcome", "log", "last", "--json"], { answers });
    expect(JSON.parse(json.out)).toEqual(activity);
  });

  test("an outcome that is not there is named", async () => {
    const ran = await runWithOutcome(["outcome", "show", "Chandeliers"]);
    expect(ran).toMatchObject({ code: 3, words: expect.stringContaining('There is no outcome "Chandeliers"') });
  });
});

describe("acting", () => {
  const act = (verb: string, over: object = {}) =>
    runWithOutcome(["outcome", verb, "last"], {
      ...over,
      answers: Object.fromEntries(
        ["pause", "resume", "start", "archive"].map((name) => [
          `POST ${outcomePath}/${name}`,
          () => makeWireOutcome({ name: `did ${name}` }),
        ]),
      ),
    });
  const sentTo = ({ requests }: { readonly requests: readonly string[] }) =>
    requests.filter((one) => one.startsWith("POST"));

  test("tell sends words to all tasks, or to one", async () => {
    const told = async (...args: readonly string[]) => {
      const sent: unknown[] = [];
      const at = "2030-03-17T17:45:40Z";
      const said = { id: escalationId, type: "redirect", task_id: null, message: "", status: "acknowledged" };
      const answers = {
        [`POST ${outcomePath}/interventions`]: ({ body }: { readonly body: unknown }) => {
          sent.push(body);
          return { ...said, created_at: at, updated_at: at };
        },
      };
      const { code, words } = await runWithOutcome(["outcome", "tell", "last", ...args], { answers });
      return { code, words, sent };
    };
    const all = await told("Make it blue");
    expect([all.code, all.sent]).toEqual([0, [{ message: "Make it blue" }]]);
    expect(all.words).toContain("Sent to all open tasks.");
    const one = await told("Make it blue", "--task", "2");
    expect(one.sent).toEqual([{ message: "Make it blue", task_id: makeWireTask(2).id }]);
    expect(one.words).toContain("Sent to task #2.");
    const empty = await told("  ");
    expect([empty.code, empty.sent]).toEqual([2, []]);
  });

  test("pause, resume and stop call what they say", async () => {
    expect(sentTo(await act("pause"))).toEqual([`POST ${outcomePath}/pause`]);
    expect(sentTo(await act("resume", { outcome: { status: "paused" } }))).toEqual([`POST ${outcomePath}/resume`]);
    expect(sentTo(await act("resume", { outcome: { status: "dormant" } }))).toEqual([`POST ${outcomePath}/start`]);
    expect(sentTo(await act("stop"))).toEqual([`POST ${outcomePath}/archive`]);
  });

  test("what the server refuses is said, with its own number", async () => {
    const answers = {
      [`POST ${outcomePath}/pause`]: () => errorAnswer(409, "wrong_status", "Only an active outcome can be paused"),
    };
    const ran = await runWithOutcome(["outcome", "pause", "last"], { answers });
    expect(ran).toMatchObject({ code: 5, words: expect.stringContaining("Only an active outcome can be paused") });
  });

  test("delete asks first, and does nothing without a yes", async () => {
    const gone = { [`DELETE ${outcomePath}`]: () => ({ id: outcomeId, deleted: true }) };
    expect((await runWithOutcome(["outcome", "delete", "last"], { answers: gone })).code).toBe(2);
    const terminal = (answer: string) => ({ terminal: { isInteractive: true, ask: async () => answer } });
    const refused = await runWithOutcome(["outcome", "delete", "last"], { answers: gone }, terminal("n"));
    expect(refused.requests.filter((one) => one.startsWith("DELETE"))).toEqual([]);
    const done = await runWithOutcome(["outcome", "delete", "last"], { answers: gone }, terminal("y"));
    expect([done.code, done.out]).toEqual([0, `${outcomeId}\n`]);
    expect((await runWithOutcome(["outcome", "delete", "last", "--yes"], { answers: gone })).code).toBe(0);
  });

  test("add-task takes the numbers of tasks that come first", async () => {
    const sent: unknown[] = [];
    const answers = {
      [`POST ${outcomePath}/tasks`]: ({ body }: { body: unknown }) => {
        sent.push(body);
        return { ...makeWireTask(3), runs: [] };
      },
    };
    const ran = await runWithOutcome(["outcome", "add-task", "last", "Publish", "--after", "1", "--after", "#2"], {
      answers,
    });
    expect(sent).toEqual([{ title: "Publish", depends_on: [makeWireTask(1).id, makeWireTask(2).id] }]);
    expect(ran.words).toBe("Added task #3.\n");
    const wrong = await runWithOutcome(["outcome", "add-task", "last", "Publish", "--after", "9"], { answers });
    expect(wrong).toMatchObject({ code: 3, words: expect.stringContaining("they are #1 to #2") });
  });
});

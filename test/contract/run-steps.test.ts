// What an iteration did, over HTTP, from runs of the real engine: who did what with what, from when to when, what it cost, and
// what went wrong.

import { expect, test } from "vitest";
import { type RunStep, routes } from "../../src/protocol/api.ts";
import { allPages } from "../helpers/all-pages.ts";
import { plannerApp } from "../helpers/planner-app.ts";
import { call, objective, pageRun, repairedRun, step } from "../helpers/planner-scenario.ts";
import { doneStatus } from "../helpers/role-script.ts";
import { canaryKey } from "../lab/lab-models.ts";

const app = await plannerApp();
const anna = await app.signUp("anna");
const runs = "/api/homework/runs";

async function stepsOf(runId: string, iteration: number, limit = 200): Promise<readonly RunStep[]> {
  const url = `${runs}/${runId}/iterations/${iteration}`;
  return allPages(async ({ cursor }) => {
    const answer = await app.call("GET", `${url}?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`, anna.session);
    expect(answer.text).not.toContain(canaryKey);
    return routes.runParts.steps.result.parse(answer.body);
  });
}

const shortly = ({ key, kind, lane, is_error }: RunStep) => [key, kind, lane, is_error].join(" ");

test("every step has its lane, its words, its arguments as they were corrected, and its part of the cost", async () => {
  app.script(repairedRun);
  const runId = await app.play(anna, { objective }, "completed");
  const steps = await stepsOf(runId, 1);
  expect(steps.map(shortly)).toEqual([
    "workspace platform platform false",
    "plan model planner false",
    "exec:1/branch platform exec:1 false",
    "exec:1/llm:0 model exec:1 false",
    "exec:1/tool:0.0/repair:1 model exec:1 false",
    "exec:1/tool:0.0 tool exec:1 false",
    "exec:1/llm:1 model exec:1 false",
    "exec:1/findings platform exec:1 false",
    "memory platform platform false",
  ]);
  const by = new Map(steps.map((each) => [each.key, each]));
  expect(by.get("plan")).toMatchObject({ role: "planner", summary: "planner: working, 1 executor", lane_title: null });
  expect(by.get("exec:1/llm:0")).toMatchObject({
    lane_title: "Look at the hall",
    summary: "executor: calls write_note",
    tokens: 18,
    result: expect.stringContaining('"name": "Findings"'),
  });
  const tool = by.get("exec:1/tool:0.0");
  expect(tool).toMatchObject({ tool: "write_note", summary: 'write_note: Wrote the note "Findings"', is_cut: false });
  expect(JSON.parse(tool?.args ?? "")).toEqual({ title: "Findings", content: expect.stringContaining("hall") });
  expect(tool?.result).toMatch(/^Wrote the note [0-9a-f-]{36}/);
  // It began when the corrected arguments were there.
  expect(tool?.began_at).toBe(by.get("exec:1/tool:0.0/repair:1")?.ended_at);
  const { body } = await app.call("GET", `${runs}/${runId}/series`, anna.session);
  expect(steps.reduce((sum, each) => sum + (each.cost_micro_usd ?? 0), 0)).toBe(body.items[0].cost_micro_usd);
  expect(await stepsOf(runId, 1, 2)).toEqual(steps);
});

test("calls that came to nothing, answers that were sent back, and refused tools are steps too", async () => {
  let asked = 0;
  app.script((request) => {
    if (request.role === "repair") return "I cannot mend that.";
    if (request.role !== "planner") return pageRun(request);
    asked += 1;
    if (asked === 1) return { status: 500, body: "overloaded" };
    if (asked === 2) return "I would rather talk about it.";
    return {
      plan: { steps: [step("s1", "in_progress")] },
      tool_calls: [call("no_such_tool", { a: 1 }), call("create_document", { content: "x".repeat(9_000) })],
    };
  });
  const runId = await app.play(anna, { objective, budgets: { max_iterations: 1 } }, "stopped");
  const steps = await stepsOf(runId, 1);
  const planned = steps.filter(({ role }) => role === "planner");
  expect(planned.map(({ key, state, is_error, summary }) => [key, state, is_error, summary])).toEqual([
    ["plan", "done", true, expect.stringMatching(/^planner: .* gave no answer that could be used$/)],
    ["plan", "done", true, "planner: I would rather talk about it. (could not be read, sent back)"],
    ["plan/again:1", "done", false, "planner: working, 2 tool calls"],
  ]);
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  expect(steps.find(({ key }) => key === "tool:0")).toMatchObject({
    kind: "tool",
    tool: "no_such_tool",
    is_error: true,
    args: JSON.stringify({ a: 1 }, null, 2),
    summary: expect.stringMatching(/^no_such_tool: /),
  });
  // Without a title it is refused; of long arguments the beginning is shown.
  const refused = steps.find(({ key }) => key === "tool:1");
  expect(refused).toMatchObject({ tool: "create_document", is_error: true, is_cut: true });
  expect(refused?.args).toHaveLength(4_000);
});

test("every executor tells its own task, and steps come in the order in which they ended", async () => {
  app.script((request) => {
    if (request.role !== "planner") return pageRun(request);
    const tasks = ["One", "Two", "Three"].map((title) => ({
      title,
      instructions: "Look.",
      success: "",
      step_id: null,
    }));
    return { executor_tasks: tasks.map((task) => ({ ...task, tools: [] })) };
  });
  const runId = await app.play(anna, { objective, budgets: { max_iterations: 1 } }, "stopped");
  const steps = await stepsOf(runId, 1);
  const titles = new Map(steps.map(({ lane, lane_title }) => [lane, lane_title]));
  expect([...titles].filter(([lane]) => lane.startsWith("exec")).toSorted()).toEqual([
    ["exec:1", "One"],
    ["exec:2", "Two"],
    ["exec:3", "Three"],
  ]);
  const ends = steps.map(({ ended_at }) => ended_at ?? "");
  expect(ends).toEqual(ends.toSorted());
});

test("an iteration that is not there, and one of somebody else's run, are not found", async () => {
  app.script(repairedRun);
  const runId = await app.play(anna, { objective, budgets: { max_iterations: 1 } }, "stopped");
  const ben = await app.signUp("ben");
  expect((await app.call("GET", `${runs}/${runId}/iterations/7`, anna.session)).status).toBe(404);
  expect((await app.call("GET", `${runs}/${runId}/iterations/1`, ben.session)).status).toBe(404);
});

test("a write that waits for approval and its replay are told by what they would do", async () => {
  app.script(({ role, iteration }) => {
    if (role !== "planner") return "It was asked for a task. ".repeat(6);
    return iteration === 1
      ? { plan: { steps: [step("s1", "in_progress")] }, tool_calls: [call("create_project", { name: "Hall" })] }
      : { status: doneStatus, plan: { steps: [step("s1", "done")] } };
  });
  const permissions = { write_mode: "per_write" };
  const runId = await app.play(anna, { objective, permissions, budgets: { max_iterations: 2 } }, "waiting_on_user");
  const staged = await stepsOf(runId, 1);
  expect(staged.find(({ key }) => key === "tool:0")).toMatchObject({
    tool: "create_project",
    summary: expect.stringMatching(/^create_project: staged: create project “Hall”/),
  });
  const answers = [{ question_id: "approve_writes", text: "approve" }];
  await app.call("POST", `${runs}/${runId}/respond`, anna.session, { body: { answers } });
  await expect
    .poll(async () => (await stepsOf(runId, 2).catch(() => [])).length, { timeout: 15_000 })
    .toBeGreaterThan(3);
  const replays = (await stepsOf(runId, 2)).filter(({ key }) => key.startsWith("replay:"));
  expect(replays.map(({ kind, tool, summary }) => [kind, tool, summary])).toContainEqual([
    "platform",
    "create_project",
    expect.stringMatching(/^Written as approved: create project “Hall”/),
  ]);
  const { body } = await app.call("GET", `${runs}/${runId}/changes`, anna.session);
  const names = body.items.flatMap(({ changes }: { changes: { fields: { name: string; after: string }[] }[] }) =>
    changes.flatMap(({ fields }) => fields.map(({ name, after }) => `${name} ${after}`)),
  );
  expect(names.filter((name: string) => name.startsWith("props"))).toEqual([]);
});

test("what nobody knows a price for has no cost, and what is under way has none yet", async () => {
  app.script(pageRun);
  const runId = await app.play(anna, { objective, budgets: { max_iterations: 1 } }, "stopped");
  const insert = (key: string, state: string, pricedBy: string | null) =>
    app.admin.query(
      `insert into homework.llm_usage_logs (call_id, run_id, user_id, iteration, step_key, role, model, state, reserved_micro_usd,
         priced_by, settled_at)
       values (gen_random_uuid(), $1, $2, 1, $3, 'judge', 'lab/model', $4, 0, $5, case when $4 <> 'reserved' then now() end)`,
      [runId, anna.id, key, state, pricedBy],
    );
  await insert("judge:a", "settled", "free");
  await insert("judge:b", "settled", "unpriced");
  await insert("judge:c", "reserved", null);
  const judged = (await stepsOf(runId, 1)).filter(({ role }) => role === "judge");
  expect(judged.map(({ key, lane, cost_micro_usd }) => [key, lane, cost_micro_usd]).toSorted()).toEqual([
    ["judge:a", "platform", 0],
    ["judge:b", "platform", null],
    ["judge:c", "platform", null],
  ]);
});

// What models do that they should not: sessions stay bounded, and every mistake comes back to the model in words.

import { expect, test } from "vitest";
import { call, inProject, pageCheck, step, task } from "../../../test/helpers/planner-scenario.ts";
import { doneStatus, type RoleRequest, type RoleScript, working } from "../../../test/helpers/role-script.ts";
import { sessionWorld } from "../../../test/helpers/session-world.ts";
import { toolBase, wrote } from "../../../test/helpers/staging-world.ts";
import { defaultBudget } from "../../domain/run/budget/budget.ts";
import { defineRead } from "../../tools/define-tool.ts";

/** The numbers say at once where something is missing or stands twice. */
const numbers = Array.from({ length: 3_000 }, (_, n) => `${n}`.padStart(5, "0"));

const longText = defineRead<object>({
  ...toolBase("read_numbers"),
  read: async () => wrote(numbers.join(" ")),
});

const world = await sessionWorld([longText]);
const { iterate, planned, entries: recorded } = world;

/** What came back for its calls, in their order. */
const repliesTo = (asked: RoleRequest | undefined): readonly string[] =>
  (asked?.request.messages ?? []).filter(({ role }) => role === "tool").map(({ text }) => text);
const lastSaid = (asked: RoleRequest | undefined): string => asked?.request.messages.at(-1)?.text ?? "";
const listing = { tool_calls: [call("list_projects", {})], status: null };
const ended = { status: working() };

test("of fifty tools at once sixteen are called, the others are named, and then it is asked to end", async () => {
  const fifty = { tool_calls: Array.from({ length: 50 }, () => call("list_projects", {})), status: null };
  const { run, result } = await iterate(() => [fifty, ended]);
  expect((await recorded(run)).filter(({ tool }) => tool === "list_projects")).toHaveLength(16);
  const replies = repliesTo(planned()[1]);
  expect(replies).toHaveLength(50);
  expect(replies.filter((text) => text.includes("Not done: at most 16 calls in one answer"))).toHaveLength(34);
  expect(lastSaid(planned()[1])).toContain("50 tool calls were made, and 40 are the limit");
  expect(result.wasCutOff).toBe(false);
});

test("a model that never ends is told at its last answer, and the iteration is silent after twelve", async () => {
  const { result } = await iterate(() => [listing]);
  expect(planned()).toHaveLength(12);
  expect(lastSaid(planned()[11])).toContain("This is the last answer of this session: call end_iteration now");
  expect(lastSaid(planned()[10])).not.toContain("last answer");
  expect([result.wasCutOff, result.claim]).toEqual([true, null]);
  expect(result.summary).toContain("did not end within 12 answers");
});

test("prose without a call is asked once for end_iteration; then the iteration is silent", async () => {
  const { result } = await iterate(() => "Everything is done, I promise. exit_signal: true");
  expect(planned()).toHaveLength(2);
  expect(lastSaid(planned()[1])).toContain("call end_iteration now");
  expect([result.wasCutOff, result.claim, result.error]).toEqual([false, null, null]);
});

test("an unknown tool comes back with what there is, is an entry, and counts as missed", async () => {
  const { run, result } = await iterate(() => [
    { tool_calls: [call("make_taks", { title: "x" })], status: null },
    ended,
  ]);
  expect(repliesTo(planned()[1]).join()).toContain("There is no tool make_taks");
  expect(result.hasToolMiss).toBe(true);
  expect((await recorded(run)).find(({ key }) => key === "tool:0.0")).toMatchObject({
    lane: "planner",
    tool: "make_taks",
    args: { title: "x" },
    error: expect.stringContaining("There is no tool make_taks"),
  });
});

test("wrong arguments come back with the schema's own words, and the model mends them itself", async () => {
  const script: RoleScript = ({ prompt }) => [
    { tool_calls: [call("create_task", { name: "x" })], status: null },
    { tool_calls: [call("create_task", { title: "x", ...inProject(prompt) })], status: null },
    ended,
  ];
  const { run, result } = await iterate(script);
  const [wrong = ""] = repliesTo(planned()[1]);
  expect(wrong).toContain("These are no arguments for create_task");
  expect(wrong).toContain("They must fit this JSON schema");
  expect(wrong).toContain('"required"');
  expect(world.asked.some(({ role }) => role === "repair")).toBe(false);
  expect(result.hasToolMiss).toBe(false);
  const entries = (await recorded(run)).filter(({ tool }) => tool === "create_task");
  expect(entries.map(({ args, error }) => [args, error === null])).toEqual([
    [{ name: "x" }, false],
    [expect.objectContaining({ title: "x" }), true],
  ]);
});

test("wrong arguments of the session's own tools come back, too", async () => {
  const script: RoleScript = () => [
    { toolCalls: [{ name: "update_plan", args: { steps: [{ id: "s1", status: "finished" }] } }] },
    ended,
  ];
  const { run, result } = await iterate(script);
  expect(repliesTo(planned()[1]).join()).toContain("These are no arguments for update_plan");
  expect(result.plan.steps).toEqual([]);
  expect((await recorded(run)).find(({ key }) => key === "tool:0.0")?.error).toContain("no arguments for update_plan");
});

test("arguments that are no JSON twice go to the repair model, which is asked once", async () => {
  const broken = { toolCalls: [{ name: "create_task", args: '{"title" = Ask the owner]}' }] };
  let project = "";
  const script: RoleScript = ({ role, prompt }) => {
    if (role === "repair") return JSON.stringify({ title: "Ask the owner", project_id: project });
    project = inProject(prompt).project_id;
    return [broken, broken, ended];
  };
  const { run, result } = await iterate(script);
  expect(repliesTo(planned()[1]).join()).toContain("These are no arguments for create_task");
  expect(world.asked.filter(({ role }) => role === "repair")).toHaveLength(1);
  expect((await recorded(run)).find(({ key }) => key === "tool:1.0")).toMatchObject({ error: null });
  expect(result.hasToolMiss).toBe(false);
  const { rows } = await world.admin.query("select title from homework.onto_tasks where project_id = $1", [project]);
  expect(rows).toEqual([{ title: "Ask the owner" }]);
});

const cutOff = {
  text: "I begin with",
  toolCalls: [{ name: "create_project", args: { name: "Half" } }],
  finish: "length",
  usage: { input: 10, output: 4_000 },
} as const;

test("an answer that broke off is shown to the model, and never carried out", async () => {
  const { run, result } = await iterate(() => [cutOff, listing, cutOff, ended]);
  expect(lastSaid(planned()[1])).toContain("Your answer broke off after 4000 tokens");
  expect(planned()).toHaveLength(4);
  const entries = await recorded(run);
  expect(entries.filter(({ tool }) => tool === "create_project")).toEqual([]);
  expect(entries.find(({ key }) => key === "llm:0")).toMatchObject({ error: "broke off after 4000 tokens" });
  expect([result.error, result.wasCutOff]).toEqual([null, false]);
});

test("two answers in a row that broke off fail the iteration", async () => {
  const { result } = await iterate(() => [listing, cutOff, cutOff, ended]);
  expect(planned()).toHaveLength(3);
  expect(result.error?.text).toContain("two answers in a row broke off, the last after 4000 tokens");
  expect([result.claim, result.wasCutOff]).toEqual([null, true]);
});

test("a budget that is reached in the middle asks the session to end, and after two more answers it is over", async () => {
  const budget = { ...defaultBudget, maxToolCalls: 2 };
  const { run, result } = await iterate(() => [listing], { budget });
  expect(planned()).toHaveLength(4);
  expect(planned().map((asked) => /call end_iteration now/.test(lastSaid(asked)))).toEqual([false, false, true, true]);
  expect(lastSaid(planned()[2])).toMatch(/2 of 2|tool calls/);
  expect(result.wasCutOff).toBe(true);
  expect((await recorded(run)).map(({ key }) => key)).toEqual(expect.arrayContaining(["note:2", "note:3"]));
});

test("one that ends when it is asked to was not cut off", async () => {
  const budget = { ...defaultBudget, maxToolCalls: 1 };
  const { result } = await iterate(() => [listing, ended], { budget });
  expect([result.wasCutOff, result.claim?.exitSignal]).toEqual([false, false]);
});

/** Between the fences. */
const bodyOf = (reply: string): string => />>>\n([\s\S]*)\n<<<end/.exec(reply)?.[1] ?? "";

test("a long result is read on to its end without a gap or an overlap", async () => {
  const script: RoleScript = ({ request, turn }) => {
    if (turn === 0) return { tool_calls: [call("read_numbers", {})], status: null };
    const [, ref = "i1/tool:0.0"] = /read_result with ref "([^"]+)"/.exec(request.messages.at(-1)?.text ?? "") ?? [];
    const more = (offset: number) => ({ tool_calls: [call("read_result", { ref, offset })], status: null });
    return turn === 1 ? [ended, more(8_000)] : [ended, ended, more(16_000), ended];
  };
  await iterate(script);
  const [shown = "", ...rest] = repliesTo(planned().at(-1));
  expect(shown).toContain(`[Characters 0 to 8000 of ${numbers.join(" ").length}.`);
  expect(shown).toContain('read_result with ref "i1/tool:0.0" and offset 8000');
  expect(rest[0]).toContain("offset 16000");
  const read = [bodyOf(shown), ...rest.map((reply) => bodyOf(reply).replace(/^[^\n]*\n/, ""))].join("");
  expect(read).toBe(numbers.join(" "));
});

test("an executor reads as much of a result at once as the planner does", async () => {
  const read = { toolCalls: [{ name: "read_numbers", args: {} }] };
  await iterate(({ role, turn }) => {
    if (role === "executor") return turn === 0 ? read : "I have read it.";
    return [{ executor_tasks: [{ ...task("Read it", "s1"), tools: ["read_numbers"] }], status: null }, ended];
  });
  const [shown = ""] = repliesTo(world.asked.findLast(({ role }) => role === "executor"));
  expect(bodyOf(shown)).toBe(numbers.join(" ").slice(0, 8_000));
  expect(shown).toContain('read_result with ref "i1/exec:1/tool:0.0" and offset 8000');
});

test("what an executor reports comes back in full, in the same session", async () => {
  const report = `${"Every word counts. ".repeat(700)}THE END`;
  const { run, result } = await iterate(({ role }) =>
    role === "executor" ? report : [{ executor_tasks: [task("Read it all", "s1")], status: null }, ended],
  );
  const [reply = ""] = repliesTo(planned()[1]);
  expect(reply).toContain(report);
  expect(result.error).toBeNull();
  expect((await recorded(run)).find(({ key }) => key === "exec:1/llm:0")).toMatchObject({
    lane: "exec:1",
    lane_title: "Read it all",
  });
});

async function documentsOf(runId: string) {
  const { rows } = await world.admin.query(
    `select id, title, content from homework.onto_documents
      where created_by_run = $1 and type_key not like 'document.homework.%' order by created_at`,
    [runId],
  );
  return rows;
}

const answer = "# Why the sky is blue\n\nShort waves are scattered more.";

test("the answer to a question is kept as a document, promised and named first", async () => {
  const { run, result } = await iterate(() => ({ status: { ...doneStatus, answer } }));
  const [document, ...others] = await documentsOf(run.id);
  expect([document?.title, document?.content, others]).toEqual(["Why the sky is blue", answer, []]);
  expect(result.closing?.primaryOutput).toMatchObject({ kind: "document", id: document?.id });
  expect(result.plan.steps).toMatchObject([{ status: "done", evidence: [{ id: document?.id }] }]);
  expect(result.proposed?.deliverables).toMatchObject([{ title: "Why the sky is blue" }]);
  expect(result.claim?.exitSignal).toBe(true);
});

test("an answer whose end is refused is written once, when the end is taken", async () => {
  const wrong = { status: { ...doneStatus, answer, remaining_work: ["more"] } };
  const { run } = await iterate(() => [wrong, { status: { ...doneStatus, answer } }]);
  expect(repliesTo(planned()[1]).join()).toContain("remaining_work lists something");
  expect(await documentsOf(run.id)).toHaveLength(1);
});

test("what is refused is an entry that says who wanted what, and why not", async () => {
  const permission = { writeMode: "autopilot", allowedTools: ["list_projects", "write_note"] } as const;
  const script: RoleScript = ({ role, prompt, turn }) => {
    if (role === "executor")
      return turn === 0 ? { toolCalls: [{ name: "list_projects", args: {} }] } : "I could not look.";
    return [
      {
        tool_calls: [call("create_task", { title: "x", ...inProject(prompt) })],
        executor_tasks: [{ ...task("Look", "s1"), tools: ["write_note"] }],
        deliverables: [{ id: "d1", title: "A page" }],
        checks: [{ ...pageCheck, deliverable_id: "d2" }],
        plan: { steps: [step("s1", "in_progress")] },
        status: doneStatus,
      },
      ended,
    ];
  };
  const { run } = await iterate(script, { permission });
  const refused = (await recorded(run)).filter(({ error }) => error !== null);
  expect(refused.map(({ key, lane, lane_title: title, tool }) => [key, lane, title, tool]).toSorted()).toEqual([
    ["exec:1/tool:0.0", "exec:1", "Look", "list_projects"],
    ["tool:0.0", "planner", null, "create_task"],
    ["tool:0.2", "planner", null, "propose_checks"],
  ]);
  expect(refused.map(({ args, did }) => [typeof args, did !== ""])).toEqual(refused.map(() => ["object", true]));
  // A session that is told what is missing has not failed.
  expect((await recorded(run)).find(({ key }) => key === "tool:0.4")?.did).toBe("Was told what is still missing");
  expect(refused.find(({ key }) => key === "tool:0.0")?.error).toContain('This run may not use "create_task"');
  expect(refused.find(({ key }) => key === "exec:1/tool:0.0")?.error).toContain("not among the tools you were given");
});

test("the ledger says of each call whose it was, and why one brought no answer", async () => {
  let isFirst = true;
  const script: RoleScript = ({ role }) => {
    if (role === "executor") return "It is free.";
    const isFault = isFirst;
    isFirst = false;
    return isFault
      ? { status: 503, body: { error: { message: "come back later" } } }
      : [{ executor_tasks: [task("Look", "s1")], status: null }, ended];
  };
  const { run } = await iterate(script);
  const { rows } = await world.admin.query(
    "select entry_key, lane, error from homework.llm_usage_logs where run_id = $1 order by created_at",
    [run.id],
  );
  expect(rows.map(({ entry_key: key, lane, error }) => [key, lane, error === null])).toEqual([
    ["llm:0", "planner", false],
    ["llm:0", "planner", true],
    ["exec:1/llm:0", "exec:1", true],
    ["llm:1", "planner", true],
  ]);
  expect(rows[0].error).toContain("come back later");
});

// Trial of 0.4.0, B (a real model cannot work well with it) and the bad input, where sessions of planner and executors meet,
// and beside each case its neighbour that comes out otherwise. What one session does alone is tested in src/engine/planner.

import { expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { steer } from "../../src/domain/run/commands.ts";
import { conclude } from "../../src/domain/run/conclude.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { makeCheck, makeResult } from "../helpers/make-run.ts";
import { call, hallWords, inProject, pageCheck, step, task } from "../helpers/planner-scenario.ts";
import { doneStatus, type RoleRequest, type RoleScript, type SlowScript, working } from "../helpers/role-script.ts";
import { sessionWorld } from "../helpers/session-world.ts";

const world = await sessionWorld();
const { begin, attempt, iterate, planned, entries } = world;

const lastSaid = (asked: RoleRequest | undefined): string => asked?.request.messages.at(-1)?.text ?? "";
const allSaid = (asked: RoleRequest | undefined): string =>
  (asked?.request.messages ?? []).map(({ text }) => text).join("\n");
const executors = () => world.asked.filter(({ role }) => role === "executor");
const ended = { status: working() };

const page = (prompt: string) =>
  call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) });
const finish = (prompt: string) => ({
  tool_calls: [page(prompt)],
  deliverables: [{ id: "d1", title: "A page" }],
  checks: [pageCheck],
  plan: { steps: [step("s1", "done")] },
  status: doneStatus,
});

// B1: what the user says while executors work.
function speaking(words: string | null): { readonly script: SlowScript; readonly meet: (run: Run) => void } {
  let current: Run | null = null;
  const script: SlowScript = async ({ role, turn, prompt }) => {
    if (role !== "executor")
      return [{ ...finish(prompt), executor_tasks: [task("Look", "s1")] }, finish(prompt), ended];
    if (turn > 0) return "It is free.";
    if (words !== null && current !== null) await world.command(current, (run) => steer(run, words));
    return { toolCalls: [{ name: "list_tasks", args: inProject(prompt) }] };
  };
  return {
    script,
    meet: (run) => {
      current = run;
    },
  };
}

test("B1: what only an executor has heard is read by the planner before its “done” counts", async () => {
  const { script, meet } = speaking("Only halls with a kitchen");
  const run = await begin(script);
  meet(run);
  const result = await attempt(run);
  expect(executors()[1]?.request.messages.at(-1)?.text).toContain("Only halls with a kitchen");
  expect(allSaid(planned()[1])).toContain("The user said something while your executors worked");
  expect(lastSaid(planned()[1])).toContain("> Only halls with a kitchen");
  expect([planned().length, result?.heard, result?.claim?.exitSignal]).toEqual([2, 1, true]);
});

test("B1, otherwise: where the user said nothing, the planner's “done” counts at once", async () => {
  const { script } = speaking(null);
  const result = await attempt(await begin(script));
  expect([planned().length, result?.heard, result?.claim?.exitSignal]).toEqual([1, 0, true]);
});

// B5: what the user says may change what is wanted, and nothing else may.
const given = makeCheck({ id: "user_1", deliverableId: null });
const lowering = (why: string): RoleScript => {
  return () => [
    {
      toolCalls: [
        {
          name: "propose_checks",
          args: { deliverables: [{ id: "d1", title: "A page" }], checks: [pageCheck], drop: ["user_1"], why },
        },
      ],
    },
    ended,
  ];
};
async function lower(why: string, ...said: readonly string[]) {
  const run = await begin(lowering(why), { checks: [given] });
  for (const message of said) await world.command(run, (now) => steer(now, message));
  const result = await attempt(run);
  const reply = allSaid(planned()[1]);
  if (result === null) throw new Error("it died");
  const running = { ...run, state: { status: "running", iteration: 1, hold: null } } as const;
  const { checks, state } = conclude(running, makeResult(result), defaultBreakers).move.run;
  return { drops: result.proposed?.drops ?? null, reply, state, users: checks.find(({ id }) => id === "user_1") };
}

// What the planner quotes is its own choice, and a message is no answer to the platform's question (record 55).
test.each([
  ["words that ask for it", 'The user: "three hundred words are too many"', "Three hundred words are too many!"],
  ["words that the planner does not quote", "It is more than the material has.", "Three hundred words are too many!"],
  ["a message about something else", "300 words are too many for a page", "Thanks, looks good so far"],
  ["a bare yes", "The user said yes to it", "yes"],
])("B5: after %s a check of the user's stays, the user is asked, and the planner is told", async (_what, why, said) => {
  const { drops, reply, state, users } = await lower(why, said);
  expect([drops, users]).toEqual([["user_1"], given]);
  expect(state).toMatchObject({
    status: "waiting_on_user",
    questions: [{ kind: "approve_checks", text: expect.stringMatching(/Dropped: asked for by the user: .*300 words/) }],
  });
  expect(reply).toContain("Not taken yet: the user decides about this when the iteration ends.");
});

test("B5, otherwise: it stays where the user has said nothing", async () => {
  const { drops, reply } = await lower("three hundred words are too many");
  expect([drops, reply.includes("checks are dropped only after the user said something new")]).toEqual([null, true]);
});

// B6, B9: a request that failed for good is not made again by another attempt.
test("B6: after a crash, an executor's request that was refused is not asked again", async () => {
  const script: RoleScript = ({ role }) =>
    role === "executor"
      ? { status: 400, body: { error: { message: "maximum context length is 8192 tokens" } } }
      : [{ executor_tasks: [task("Look", "s1")], status: null }, ended];
  const run = await begin(script);
  expect(await attempt(run, { key: "llm:1", when: "before" })).toBeNull();
  const result = await attempt(run);
  expect(executors()).toHaveLength(1);
  expect((await entries(run)).find(({ key }) => key === "exec:1/llm:0/failed")?.error).toContain("8192 tokens");
  expect(lastSaid(planned().at(-1))).toContain("did not finish");
  expect(result?.claim?.exitSignal).toBe(false);
});

test("B6, otherwise: an answer that came is not asked again either, and is used", async () => {
  const script: RoleScript = ({ role }) =>
    role === "executor" ? "It is free." : [{ executor_tasks: [task("Look", "s1")], status: null }, ended];
  const run = await begin(script);
  expect(await attempt(run, { key: "llm:1", when: "before" })).toBeNull();
  await attempt(run);
  expect(executors()).toHaveLength(1);
  expect(lastSaid(planned().at(-1))).toContain("It is free.");
});

// B7: about a dozen tools, or those that were given.
test("B7: an executor is shown about a dozen tools, or those that its task names", async () => {
  const tasks = [task("Look", "s1"), { ...task("Write", "s1"), tools: ["create_task"] }];
  await iterate(({ role }) => (role === "executor" ? "Done." : [{ executor_tasks: tasks, status: null }, ended]));
  const shown = executors().map(({ prompt, request }) => [prompt.includes("task: Write"), request.tools] as const);
  expect(shown.find(([isNamed]) => isNamed)?.[1]?.toSorted()).toEqual(["create_task", "read_result"]);
  expect(shown.find(([isNamed]) => !isNamed)?.[1]?.length).toBeLessThanOrEqual(13);
});

// B8: no reproach for what was before the user spoke.
const repeating = { noProgress: 1, sameAction: 1, lastActions: "a" };

test("B8: a planner that repeated itself is told so, but not right after the user spoke", async () => {
  const { noStreaks } = await import("../../src/domain/run/gate/streaks.ts");
  const streaks = { ...noStreaks, ...repeating };
  const guidance = { next: "recover", why: "It has not got anywhere" } as const;
  const silent = await begin(() => ended, { streaks, guidance });
  await attempt(silent);
  expect(planned()[0]?.prompt).toContain("did the same as the one before it");
  expect(planned()[0]?.prompt).toContain("The run has not got anywhere lately");
  const spoken = await begin(() => ended, { streaks, guidance });
  await world.command(spoken, (run) => steer(run, "Take the town hall"));
  await attempt(spoken);
  expect(planned()[0]?.prompt).toContain("> Take the town hall");
  expect(planned()[0]?.prompt).not.toContain("did the same as the one before it");
  expect(planned()[0]?.prompt).not.toContain("The run has not got anywhere lately");
});

test("B8: a hint or a confidence that there is not costs no answer", async () => {
  const odd = { ...working(), next_action_hint: "celebrate", confidence: "very" };
  const { result } = await iterate(() => [{ toolCalls: [{ name: "end_iteration", args: odd }] }, ended]);
  expect([planned().length, result.claim?.nextActionHint, result.claim?.confidence]).toEqual([1, null, null]);
});

// B10: budgets hold inside of an executor's session, too.
const listing = { toolCalls: [{ name: "list_tasks", args: {} }] };
const delegating = { executor_tasks: [task("Look", "s1")], status: null };

test("B10: an executor is asked to end when a budget is reached, and is over two answers later", async () => {
  const budget = { ...defaultBudget, maxToolCalls: 2 };
  const { run } = await iterate(({ role }) => (role === "executor" ? listing : [delegating, ended]), { budget });
  expect(executors()).toHaveLength(4);
  expect(executors().map((asked) => /answer with your report/.test(lastSaid(asked)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect((await entries(run)).map(({ key }) => key)).toEqual(
    expect.arrayContaining(["exec:1/note:2", "exec:1/note:3"]),
  );
});

test("B10, otherwise: without a limit it goes on", async () => {
  await iterate(({ role, turn }) => (role !== "executor" ? [delegating, ended] : turn < 5 ? listing : "It is free."));
  expect(executors()).toHaveLength(6);
});

// Bad input: fifty calls at once.
test("of fifty calls, those that were not made are told of once, with their names", async () => {
  const fifty = { tool_calls: Array.from({ length: 50 }, () => call("list_projects", {})), status: null };
  const { run } = await iterate(() => [fifty, ended]);
  expect((await entries(run)).filter(({ key }) => key.startsWith("left:"))).toMatchObject([
    { key: "left:0", lane: "planner", did: "34 calls were not carried out: too many in one answer" },
  ]);
  expect((await entries(run)).find(({ key }) => key === "left:0")?.error).toContain("list_projects");
});

test("an executor's calls beyond eight are told of in its lane; sixteen of a planner's are all made", async () => {
  const calls = (count: number) => Array.from({ length: count }, () => ({ name: "list_projects", args: {} }));
  const { run } = await iterate(({ role, turn }) =>
    role === "executor"
      ? turn === 0
        ? { toolCalls: calls(9).map((each) => ({ ...each, name: "list_tasks" })) }
        : "It is free."
      : [{ toolCalls: calls(16) }, delegating, ended],
  );
  const left = (await entries(run)).filter(({ key }) => key.includes("left:"));
  expect(left).toMatchObject([
    { key: "exec:1/left:0", lane: "exec:1", did: "1 call was not carried out: too many in one answer" },
  ]);
});

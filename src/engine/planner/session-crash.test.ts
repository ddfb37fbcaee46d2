// A worker that dies in the middle of a session, and a user who speaks in the middle of one.

import { expect, test } from "vitest";
import { call, inProject, task } from "../../../test/helpers/planner-scenario.ts";
import { type RoleScript, type SlowScript, working } from "../../../test/helpers/role-script.ts";
import { sessionWorld } from "../../../test/helpers/session-world.ts";
import { defaultBudget } from "../../domain/run/budget/budget.ts";
import { steer } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";

const world = await sessionWorld();
const { begin, attempt, planned, entries } = world;

// Keys in another order than the database keeps them in.
const write = (title: string, prompt: string) => call("create_document", { ...inProject(prompt), content: "x", title });

/** Writes, has something looked at, writes again, and ends. */
const threeAnswers: RoleScript = ({ role, prompt, turn }) => {
  if (role === "executor")
    return turn === 0 ? { toolCalls: [{ name: "write_note", args: { title: "N", content: "x" } }] } : "It is free.";
  return [
    {
      tool_calls: [write("One", prompt), write("Two", prompt), call("create_task", { name: "x", body: "y" })],
      status: null,
    },
    { executor_tasks: [task("Look at the hall", "s1")], tool_calls: [write("Three", prompt)], status: null },
    { plan: { steps: [{ id: "s1", title: "All", status: "done" }] } },
  ];
};

async function titlesOf({ id }: Run): Promise<readonly string[]> {
  const { rows } = await world.admin.query(
    `select title from homework.onto_documents where created_by_run = $1
        and type_key not in ('document.homework.workspace', 'document.homework.scratchpad', 'document.homework.plan',
                             'document.homework.summary', 'document.homework.branch') order by 1`,
    [id],
  );
  return rows.map(({ title }) => title);
}

/** What the run wrote down for itself, without ids. */
async function scratchpadOf({ id }: Run): Promise<string> {
  const { rows } = await world.admin.query(
    "select content from homework.onto_documents where created_by_run = $1 and type_key = 'document.homework.scratchpad'",
    [id],
  );
  return String(rows[0]?.content).replaceAll(/[0-9a-f]{8}-[0-9a-f-]+…?/g, "#");
}

/** Each conversation as it was last sent, with every request a beginning of it. */
function conversations(): readonly (readonly string[])[] {
  const byPrompt = new Map<string, string[][]>();
  for (const { prompt, request } of world.asked) {
    const said = request.messages.map((message) => JSON.stringify(message));
    byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), said]);
  }
  return [...byPrompt.values()].map((requests) => {
    const longest = requests.toSorted((a, b) => b.length - a.length)[0] ?? [];
    for (const request of requests) expect(longest.slice(0, request.length)).toEqual(request);
    return longest;
  });
}

/** The run that the user speaks to. */
const current: { run: Run | null } = { run: null };

/** The user speaks while the model thinks about its first answer. */
const spokenTo: SlowScript = async ({ role, turn, prompt, iteration }) => {
  if (role === "executor") return "It is free.";
  if (iteration > 1) return { status: working() };
  if (turn === 0 && current.run !== null)
    await world.command(current.run, (run) => steer(run, "Only halls with a kitchen"));
  return [
    { tool_calls: [call("list_projects", {})], status: null },
    { executor_tasks: [task("Look at the hall", "s1")], status: null },
    { tool_calls: [write("One", prompt)], status: null },
    { plan: { steps: [{ id: "s1", title: "All", status: "in_progress" }] } },
  ];
};

async function beginSpokenTo(over: Partial<Run> = {}): Promise<Run> {
  const run = await begin(spokenTo, over);
  current.run = run;
  return run;
}

// Comes first: its worker would go on with what other tests leave behind.
test("what the user said stands in every later prompt, not only in the next", async () => {
  const run = await beginSpokenTo({ budget: { ...defaultBudget, maxIterations: 4 } });
  const worker = world.work(world.engine, { prover: world.prover });
  await world.until(run.id, "stopped");
  await worker.close();
  const openings = planned().filter(({ turn }) => turn === 0);
  expect(openings.map(({ iteration, prompt }) => [iteration, prompt.includes("> Only halls with a kitchen")])).toEqual([
    [1, false],
    [2, true],
    [3, true],
    [4, true],
  ]);
});

test("wherever an attempt dies in a session, the next one goes on there: nothing is asked or done twice", async () => {
  const undisturbed = await begin(threeAnswers);
  expect((await attempt(undisturbed))?.plan.steps).toMatchObject([{ status: "done" }]);
  const calls = world.asked.length;
  const scratchpad = await scratchpadOf(undisturbed);
  const keys = (await entries(undisturbed)).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(["opening", "llm:2", "tool:0.1", "exec:1/llm:1", "tool:1.1", "memory"]));
  for (const key of keys)
    for (const when of ["before", "after"] as const) {
      const run = await begin(threeAnswers);
      const where = `${when} ${key}`;
      expect([where, await attempt(run, { key, when })]).toEqual([where, null]);
      const result = await attempt(run);
      expect([where, result?.claim?.exitSignal, result?.plan.steps[0]?.status]).toEqual([where, false, "done"]);
      expect([where, world.asked.length]).toEqual([where, calls]);
      expect([where, await titlesOf(run)]).toEqual([where, ["N", "One", "Three", "Two"]]);
      expect([where, await scratchpadOf(run)]).toEqual([where, scratchpad]);
      // One conversation of the planner, one of the executor: the opening is the same bytes an hour later.
      expect([where, conversations().length]).toEqual([where, 2]);
      expect([where, (await entries(run)).map((entry) => entry.key).toSorted()]).toEqual([where, keys.toSorted()]);
    }
});

test("what the user says during a session stands in the next model call and in the prompts of its executors", async () => {
  const run = await beginSpokenTo();
  const result = await attempt(run);
  const said = planned().map(({ request }) => request.messages.filter(({ text }) => text.includes("with a kitchen")));
  expect(said.map((messages) => messages.length)).toEqual([0, 1, 1, 1]);
  expect(planned()[1]?.request.messages.at(-1)).toMatchObject({ role: "user" });
  expect(planned()[1]?.request.messages.at(-1)?.text).toContain("> Only halls with a kitchen");
  const executor = world.asked.find(({ role }) => role === "executor");
  expect(executor?.prompt).toContain("> Only halls with a kitchen");
  expect(result?.heard).toBe(1);
  const { rows } = await world.admin.query(
    "select entry_key, messages from homework.llm_usage_logs where run_id = $1 order by entry_key",
    [run.id],
  );
  expect(rows.map(({ entry_key: key, messages }) => `${key} ${messages}`)).toEqual([
    "exec:1/llm:0 1",
    "llm:0 0",
    "llm:1 1",
    "llm:2 1",
    "llm:3 1",
  ]);
  expect((await entries(run)).find(({ key }) => key === "heard:1")).toMatchObject({ did: "Read your message" });
});

test("after a crash the message stands at the same place", async () => {
  for (const death of [
    { key: "heard:1", when: "after" },
    { key: "llm:1", when: "before" },
    { key: "tool:2.0", when: "before" },
  ] as const) {
    const run = await beginSpokenTo();
    expect(await attempt(run, death)).toBeNull();
    expect((await attempt(run))?.heard).toBeGreaterThan(0);
    const places = planned().map(({ request }) =>
      request.messages.findIndex(({ role, text }) => role === "user" && text.includes("with a kitchen")),
    );
    expect(new Set(places.slice(1))).toEqual(new Set([3]));
    expect(conversations()).toHaveLength(2);
  }
});

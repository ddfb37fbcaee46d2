import { expect, test } from "vitest";
import { runInTest } from "../../../test/helpers/cli-host.ts";
import type { ModelTest, RoleModels } from "../ports.ts";

const demo = { id: "demo/rules", demo: true, price: "free" } as const;
const sonnet = { id: "anthropic/claude-sonnet-5-5", demo: false, price: { input: 2, output: 10, cache_read: 0.2 } };
const house = { id: "openai-compatible/house", demo: false, price: null };

const list = (args: readonly string[], roles: readonly RoleModels[], names: readonly string[] = []) => {
  const agents = async () => ({ names, problem: names.length === 0 ? "no agent is installed" : null });
  return runInTest(["model", "list", ...args], {
    services: { models: { list: async () => roles, agents, test: expect.fail } },
  });
};

const answered: ModelTest = {
  model: sonnet.id,
  demo: false,
  latency_ms: 1_234,
  result: { ok: true, answer: "ready", input_tokens: 20, output_tokens: 4, cost_usd: 0.00008 },
};

function tryModel(args: readonly string[], tested: ModelTest) {
  const targets: (string | null)[] = [];
  const models = {
    list: expect.fail,
    agents: expect.fail,
    test: async (target: string | null) => {
      targets.push(target);
      return tested;
    },
  };
  return runInTest(["model", "test", ...args], { services: { models } }).then((ran) => ({ ...ran, targets }));
}

test("models are listed by role, with what comes after them, prices and why", async () => {
  const { code, out, words } = await list([], [{ role: "planner", models: [sonnet, house], from: "setting model" }]);
  expect(code).toBe(0);
  expect(out).toMatch(/planner +anthropic\/claude-sonnet-5-5 +2 in, 10 out +setting model/);
  expect(out).toMatch(/openai-compatible\/house +no price known +if it fails/);
  expect(words).toBe("");
});

test("the demo model is labelled, and what to do about it is said", async () => {
  const { out, words } = await list([], [{ role: "chat", models: [demo], from: "no key and no model server found" }]);
  expect(out).toContain("demo/rules (demo: rules, no AI)");
  expect(words).toContain("ANTHROPIC_API_KEY");
});

test("the list as JSON is the list", async () => {
  const roles = [{ role: "planner", models: [sonnet], from: "setting model" }];
  expect(JSON.parse((await list(["--json"], roles)).out)).toEqual({ roles, agents: [] });
});

test("a test says how long it took, the tokens and the cost", async () => {
  const { code, out, targets } = await tryModel([], answered);
  expect([code, targets]).toEqual([0, [null]]);
  expect(out).toContain("1.2 s");
  expect(out).toContain("20 in, 4 out");
  expect(out).toContain("less than $0.01");
});

test("what is unpriced is not shown as nothing", async () => {
  const { out } = await tryModel(["summary"], { ...answered, result: { ...answered.result, cost_usd: null } as never });
  expect(out).toMatch(/Cost +no price known/);
});

test("a failure says what to do, and is one", async () => {
  const failed: ModelTest = { ...answered, result: { ok: false, fault: "auth", why: "401: no such key" } };
  const { code, out, words } = await tryModel(["openai/gpt-5"], failed);
  expect(code).toBe(1);
  expect(out).toContain("auth: 401: no such key");
  expect(words).toContain("homework config");
});

test("a test as JSON holds the failure, too", async () => {
  const failed: ModelTest = { ...answered, result: { ok: false, fault: "auth", why: "401" } };
  const { code, out, words } = await tryModel(["--json"], failed);
  expect([code, JSON.parse(out), words]).toEqual([1, failed, ""]);
});

test("agents that were found are named, with how to let them do a run", async () => {
  const { out, words } = await list(
    ["--json"],
    [{ role: "planner", models: [demo], from: "no key" }],
    ["claude", "codex"],
  );
  expect(JSON.parse(out).agents).toEqual(["claude", "codex"]);
  const shown = await list([], [{ role: "planner", models: [demo], from: "no key" }], ["claude"]);
  expect([words, shown.words]).toEqual([expect.anything(), expect.stringContaining("homework run --engine agent")]);
});

import { expect, test } from "vitest";
import { makeState, makeTask, makeWorld, taskId } from "../../../../test/helpers/make-outcome.ts";
import type { HomrConfig } from "../homr-config.ts";
import { compactContext } from "./compact-context.ts";
import type { Constraint, Decision, Discovery, Injection, OutcomeContext } from "./context.ts";

const kept = { sourceTaskId: taskId(1), atMs: 1_000, isTainted: false };
const discovery = (n: number, over: Partial<Discovery> = {}): Discovery => ({
  ...kept,
  id: `d${n}`,
  type: "pattern",
  content: `Fact ${n}`,
  audience: "every",
  resolvedAtMs: null,
  memoryId: null,
  ...over,
});
const injection = (n: number, over: Partial<Injection> = {}): Injection => ({
  ...kept,
  id: `i${n}`,
  type: "warning",
  content: `Mind ${n}`,
  priority: "should_know",
  audience: "every",
  reason: "",
  ...over,
});
const decision = (n: number, madeBy: Decision["madeBy"]): Decision => ({
  ...kept,
  id: `c${n}`,
  content: `Decided ${n}`,
  madeBy,
  context: "",
  affectedAreas: [],
});
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

function compact(context: Partial<OutcomeContext>, config: Partial<HomrConfig> = {}, nowMs = 2_000): OutcomeContext {
  const state = makeState({}, config);
  return compactContext({ ...state, context: { ...state.context, ...context } }, makeWorld(nowMs)).context;
}
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

test("what fits stays as it is", () => {
  const discoveries = many(50, discovery);
  expect(compact({ discoveries }).discoveries).toEqual(discoveries);
});

test("of too many discoveries the most relevant stay, and one says how many do not", () => {
  const discoveries = [...many(50, discovery), discovery(50, { type: "blocker" })];
  const after = compact({ discoveries }).discoveries;
  expect(after).toHaveLength(50);
  expect(ids(after)).toContain("d50");
  expect(after.at(-1)).toMatchObject({
    type: "pattern",
    audience: "every",
    content: expect.stringMatching(/^2 earlier items were left out of the context, lastly: Fact/),
  });
});

test("the next time it counts on", () => {
  const config = { maxDiscoveries: 10 };
  const once = compact({ discoveries: many(20, discovery) }, config).discoveries;
  const twice = compact({ discoveries: [...once, ...many(5, (n) => discovery(n + 100))] }, config).discoveries;
  expect(twice).toHaveLength(10);
  expect(twice.at(-1)?.content).toMatch(/^16 earlier items/);
  expect(twice.at(-1)?.id).toBe(once.at(-1)?.id);
});

test("it is marked if anything in it is a stranger's, for good", () => {
  const config = { maxDiscoveries: 2 };
  const tainted = many(5, (n) => discovery(n, { isTainted: true }));
  const once = compact({ discoveries: tainted }, config).discoveries;
  const clean = many(5, (n) => discovery(n + 50, { type: "blocker" }));
  expect(compact({ discoveries: [...once, ...clean] }, config).discoveries.at(-1)?.isTainted).toBe(true);
});

test.each([
  ["blocker", "constraint"],
  ["constraint", "dependency"],
  ["dependency", "decision"],
  ["decision", "pattern"],
] as const)("a %s stays before a %s", (first, second) => {
  const discoveries = [discovery(1, { type: second }), discovery(2, { type: first }), discovery(3, { type: second })];
  expect(ids(compact({ discoveries }, { maxDiscoveries: 2 }).discoveries)).toContain("d2");
});

test("the newer stays before the older", () => {
  const discoveries = [discovery(1, { atMs: 1_500 }), discovery(2), discovery(3)];
  expect(ids(compact({ discoveries }, { maxDiscoveries: 2 }).discoveries)).toContain("d1");
});

test("what is for tasks to come stays before what is for ended ones", () => {
  const discoveries = [
    discovery(1, { audience: [taskId(1)] }),
    discovery(2, { audience: [taskId(2)] }),
    discovery(3, { audience: [] }),
  ];
  expect(ids(compact({ discoveries }, { maxDiscoveries: 2 }).discoveries)).toContain("d2");
});

test("all kinds together stay below the threshold; what a person decided goes last", () => {
  const after = compact(
    {
      discoveries: many(40, discovery),
      injections: many(40, injection),
      decisions: [...many(40, (n) => decision(n, "worker")), decision(99, "human")],
    },
    { contextCompactionThreshold: 20 },
  );
  expect(after.discoveries.length + after.injections.length + after.decisions.length).toBe(20);
  expect(ids(after.decisions)).toContain("c99");
});

test("injections for tasks that have ended go, without a word", () => {
  const injections = [injection(1, { audience: [taskId(1)] }), injection(2, { audience: [taskId(1), taskId(2)] })];
  const after = compact({ injections });
  expect(ids(after.injections)).toEqual(["i2"]);
  expect(after.discoveries).toEqual([]);
});

test("a task that failed may be tried again: what is for it stays", () => {
  const state = makeState({ tasks: [makeTask(1, { status: "failed" })] });
  const context = { ...state.context, injections: [injection(1, { audience: [taskId(1)] })] };
  expect(compactContext({ ...state, context }, makeWorld()).context.injections).toHaveLength(1);
});

test("a blocker expires after a day", () => {
  const day = 24 * 60 * 60_000;
  const blocker = discovery(1, { type: "blocker" });
  expect(compact({ discoveries: [blocker] }, {}, 1_000 + day - 1).discoveries[0]?.resolvedAtMs).toBeNull();
  expect(compact({ discoveries: [blocker] }, {}, 1_000 + day).discoveries[0]?.resolvedAtMs).toBe(1_000 + day);
});

test("a constraint that no longer holds goes first", () => {
  const constraint = (n: number, isActive: boolean): Constraint => ({
    ...kept,
    id: `k${n}`,
    content: `Limit ${n}`,
    type: "technical",
    isActive,
  });
  const constraints = [constraint(0, false), ...many(12, (n) => constraint(n + 1, true))];
  const after = compact({ constraints }, { contextCompactionThreshold: 12 });
  expect(ids(after.constraints)).not.toContain("k0");
});

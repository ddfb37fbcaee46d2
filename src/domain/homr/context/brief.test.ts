import { expect, test } from "vitest";
import { makeState, makeTask, taskId } from "../../../../test/helpers/make-outcome.ts";
import type { HomrConfig } from "../homr-config.ts";
import { taskOf } from "../state-changes.ts";
import type { OutcomeTask } from "../tasks/task.ts";
import { briefOf } from "./brief.ts";
import type { Constraint, Decision, Discovery, Injection, OutcomeContext } from "./context.ts";

const kept = { sourceTaskId: taskId(1), atMs: 1_000, isTainted: false };
const injection = (id: string, over: Partial<Injection> = {}): Injection => ({
  ...kept,
  id,
  type: "warning",
  content: `Words of ${id}`,
  priority: "should_know",
  audience: "every",
  reason: "",
  ...over,
});
const discovery = (id: string, over: Partial<Discovery> = {}): Discovery => ({
  ...kept,
  id,
  type: "constraint",
  content: `Words of ${id}`,
  audience: "every",
  resolvedAtMs: null,
  memoryId: null,
  ...over,
});
const decision = (id: string, over: Partial<Decision> = {}): Decision => ({
  ...kept,
  id,
  content: `Words of ${id}`,
  madeBy: "human",
  context: "",
  affectedAreas: [],
  ...over,
});
const constraint = (id: string, isActive: boolean): Constraint => ({
  ...kept,
  id,
  content: `Words of ${id}`,
  type: "technical",
  isActive,
});

function brief(context: Partial<OutcomeContext>, config: Partial<HomrConfig> = {}, number = 2) {
  const state = makeState({}, config);
  return briefOf({ ...state, context: { ...state.context, ...context } }, taskOf(state, taskId(number)));
}

test("it carries what is for this task or for every task", () => {
  const { items } = brief({
    injections: [injection("a", { audience: [taskId(2)] }), injection("b", { audience: [taskId(3)] }), injection("c")],
    discoveries: [discovery("d", { audience: [taskId(2)] }), discovery("e", { audience: [] }), discovery("f")],
  });
  expect([...items].sort()).toEqual(["a", "c", "d", "f"]);
});

test("what must be known comes first", () => {
  const priorities = ["nice_to_know", "must_know", "should_know"] as const;
  const injections = priorities.map((priority) => injection(priority, { priority }));
  expect(brief({ injections }).items).toEqual(["must_know", "should_know", "nice_to_know"]);
});

test("a blocker must be known, until it is resolved", () => {
  const blocker = discovery("a", { type: "blocker" });
  expect(brief({ discoveries: [blocker] }).context[0]?.priority).toBe("must_know");
  expect(brief({ discoveries: [{ ...blocker, resolvedAtMs: 1 }] }).items).toEqual([]);
});

test("constraints hold while they are active", () =>
  expect(brief({ constraints: [constraint("a", true), constraint("b", false)] }).items).toEqual(["a"]));

test("the same words stand there once, and count for all that said them", () => {
  const same = { content: "100 calls a minute" };
  const { context, items } = brief({
    injections: [injection("a", { ...same, priority: "must_know" })],
    discoveries: [discovery("b", { content: "100  calls a MINUTE" })],
  });
  expect(context).toHaveLength(1);
  expect([...items].sort()).toEqual(["a", "b"]);
});

test("words that may be a stranger's mark what repeats them", () => {
  const { context, isTainted } = brief({
    injections: [injection("a", { content: "x", priority: "must_know" })],
    discoveries: [discovery("b", { content: "x", isTainted: true })],
  });
  expect(context.map((item) => item.isTainted)).toEqual([true]);
  expect(isTainted).toBe(true);
});

test("it is no larger than is allowed, and says how much is missing", () => {
  const injections = [
    injection("long", { content: "x".repeat(5_000), priority: "must_know" }),
    injection("short", { priority: "nice_to_know" }),
  ];
  const { items, leftOut } = brief({ injections }, { maxContextSize: 1_000 });
  expect({ items, leftOut }).toEqual({ items: ["short"], leftOut: 1 });
});

test("without HOMЯ, only what people said is passed on", () => {
  const { items } = brief(
    {
      injections: [injection("a"), injection("said", { sourceTaskId: null })],
      decisions: [decision("decided"), decision("b", { madeBy: "worker" })],
      discoveries: [discovery("c")],
      constraints: [constraint("d", true)],
    },
    { enabled: false },
  );
  expect([...items].sort()).toEqual(["decided", "said"]);
});

test("the other tasks are named, those around it first where there are too many", () => {
  const tasks = [makeTask(1), ...Array.from({ length: 90 }, (_, n) => makeTask(n + 2))];
  const last = makeTask(100, { dependsOn: [taskId(90)] });
  const state = makeState({ tasks: [...tasks, last] });
  const { others } = briefOf(state, last);
  expect(others).toHaveLength(40);
  expect(others.map(({ number }) => number)).toContain(90);
});

test("words of earlier attempts may be a stranger's exactly if those had read any", () => {
  const isTainted = (over: Partial<OutcomeTask>) => {
    const state = makeState({ tasks: [makeTask(2, over)] });
    return briefOf(state, taskOf(state, taskId(2))).isTainted;
  };
  const failed = { attempt: 1, runId: "r", why: "w", tail: "t", isTainted: false };
  const reached = { summary: "half", remaining: [], isTainted: false };
  expect(isTainted({ failures: [failed], checkpoint: reached })).toBe(false);
  expect(isTainted({ failures: [{ ...failed, isTainted: true }, failed] })).toBe(true);
  expect(isTainted({ checkpoint: { ...reached, isTainted: true } })).toBe(true);
});

test("titles of what the tasks before it made may be a stranger's, too", () => {
  const state = makeState();
  const made = { number: 1, id: "document_1", title: "A page", isTainted: false };
  const isTainted = (of: boolean) => briefOf(state, taskOf(state, taskId(3)), [{ ...made, isTainted: of }]).isTainted;
  expect([isTainted(false), isTainted(true)]).toEqual([false, true]);
});

test("what people said stands before what work found, oldest first: the newer counts", () => {
  const { items } = brief({
    injections: [
      injection("said last", { sourceTaskId: null, atMs: 3_000, priority: "nice_to_know" }),
      injection("found", { priority: "must_know" }),
      injection("said first", { sourceTaskId: null, atMs: 1_000, priority: "should_know" }),
    ],
    decisions: [decision("decided between", { atMs: 2_000 })],
  });
  expect(items).toEqual(["said first", "decided between", "said last", "found"]);
});

import { expect, test } from "vitest";
import type { Fields } from "../backends/read-event.ts";
import { openUpdateTeller } from "./tell-update.ts";
import { readUsage } from "./turn-usage.ts";

function tellAll(updates: readonly object[], isResumed = false, before: readonly object[] = []) {
  const lines: Fields[] = [];
  const teller = openUpdateTeller(isResumed, (line) => lines.push(line));
  for (const update of before) teller.hear({ update });
  teller.begin();
  for (const update of updates) teller.hear({ update });
  return lines;
}
const cost = (amount: number, currency = "USD") => ({
  sessionUpdate: "usage_update",
  used: 1,
  size: 2,
  cost: { amount, currency },
});
const call = (status: string, over: object = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "t",
  status,
  ...over,
});

test("a tool call is told once when it begins and once when it ends", () => {
  const began = { ...call("pending", { title: "ls", rawInput: { command: "ls" } }), sessionUpdate: "tool_call" };
  const lines = tellAll([
    began,
    call("in_progress"),
    call("in_progress"),
    call("completed", { rawOutput: { ok: 1 } }),
    call("completed"),
  ]);
  expect(lines.map(({ status, text }) => [status, text])).toEqual([
    ["started", '{"command":"ls"}'],
    ["done", '{"ok":1}'],
  ]);
  expect(tellAll([call("failed")]).map(({ status }) => status)).toEqual(["started", "failed"]);
});

test("what costs before this run is not of this run", () => {
  expect(tellAll([cost(2)])).toMatchObject([{ costUsd: 2 }]);
  expect(tellAll([cost(2)], true, [cost(1.5)])).toMatchObject([{ costUsd: 0.5 }]);
  expect(tellAll([cost(2)], true)[0]).not.toHaveProperty("costUsd");
  expect(tellAll([cost(0)])[0]).not.toHaveProperty("costUsd");
  expect(tellAll([cost(2, "EUR")])[0]).not.toHaveProperty("costUsd");
});

test.each([
  null,
  7,
  {},
  { update: 7 },
  { update: { sessionUpdate: "tool_call" } },
  { update: { sessionUpdate: "plan", entries: "x" } },
  { update: { sessionUpdate: "later_kind" } },
])("%j breaks nothing", (params) => {
  const teller = openUpdateTeller(false, () => {});
  teller.begin();
  expect(() => teller.hear(params)).not.toThrow();
});

test("the output of a tool is kept in bounds", () => {
  const [, ended] = tellAll([call("completed", { rawOutput: "x".repeat(10_000_000) })]);
  expect(String(ended?.text).length).toBe(20_000);
});

test.each([
  ["nothing is told", {}, null],
  [
    "the cache is beside the input",
    { usage: { totalTokens: 150, inputTokens: 100, outputTokens: 10, cachedReadTokens: 40 } },
    [100, 40, 10],
  ],
  [
    "the cache is in the input",
    { usage: { totalTokens: 110, inputTokens: 100, outputTokens: 10, cachedReadTokens: 40 } },
    [60, 40, 10],
  ],
  [
    "thoughts are beside the output",
    { usage: { totalTokens: 115, inputTokens: 100, outputTokens: 10, thoughtTokens: 5 } },
    [100, 0, 15],
  ],
  [
    "thoughts are in the output",
    { usage: { totalTokens: 110, inputTokens: 100, outputTokens: 10, thoughtTokens: 5 } },
    [100, 0, 10],
  ],
  ["gemini's own field", { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } }, [7, 0, 3]],
])("usage where %s", (_, answer, expected) => {
  const used = readUsage(answer);
  expect(used === null ? null : [used.input, used.cacheRead, used.output]).toEqual(expected);
});

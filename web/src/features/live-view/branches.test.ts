import { expect, test } from "vitest";
import type { RunEntry } from "../../../../src/protocol/api.ts";
import { makeWireEntry } from "../../../../test/helpers/make-wire-entry.ts";
import { branchesOf } from "./branches.ts";

const of = (n: number, summary: string, over: Partial<RunEntry> = {}) =>
  makeWireEntry({ lane: `exec:${n}`, lane_title: `Branch ${n}`, summary, ...over });

test("each executor is a branch with the latest thing it did, by its number", () => {
  const branches = branchesOf([
    makeWireEntry(),
    of(2, "Asked for 1 tool call"),
    of(10, "Asked for 2 tool calls"),
    of(1, "Asked for 1 tool call"),
    of(2, "Opened “Prices”"),
  ]);
  expect(branches).toEqual([
    { lane: "exec:1", title: "Branch 1", latest: "Asked for 1 tool call", entryCount: 1, isDone: false },
    { lane: "exec:2", title: "Branch 2", latest: "Opened “Prices”", entryCount: 2, isDone: false },
    { lane: "exec:10", title: "Branch 10", latest: "Asked for 2 tool calls", entryCount: 1, isDone: false },
  ]);
});

test.for<[string, Partial<RunEntry>, boolean]>([
  ["an answer that calls no tool", { calls: 0 }, true],
  ["an answer that calls tools", { calls: 2 }, false],
  ["an answer that broke off", { calls: 0, is_error: true }, false],
  ["a call of a tool", { kind: "tool", calls: null }, false],
])("a branch whose last entry is %s is done or not", ([, over, isDone]) =>
  expect(branchesOf([of(1, "Asked for 1 tool call", { calls: 1 }), of(1, "The last", over)])[0]?.isDone).toBe(isDone),
);

test("what the planner, the judge and the platform do is no branch", () =>
  expect(branchesOf([makeWireEntry(), makeWireEntry({ lane: "platform" }), makeWireEntry({ lane: "judge" })])).toEqual(
    [],
  ));

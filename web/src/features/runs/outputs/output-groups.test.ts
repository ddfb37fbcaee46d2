import { expect, test } from "vitest";
import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { fieldWords, groupByKind, timesWords, titleWords } from "./output-groups.ts";

const output = (over: Partial<RunOutput>): RunOutput => ({
  id: over.title ?? "x",
  op: "created",
  kind: "document",
  project_id: "p",
  title: "x",
  first_iteration: 1,
  last_iteration: 1,
  writes: 1,
  is_there: true,
  is_gone: false,
  is_bookkeeping: false,
  at: "2026-01-01T00:00:00Z",
  ...over,
});
const titles = (outputs: readonly RunOutput[]) => outputs.map(({ title }) => title);

test("documents come first, links last, and a kind without anything is left out", () => {
  const groups = groupByKind([
    output({ title: "a", kind: "edge" }),
    output({ title: "b", kind: "task" }),
    output({ title: "c" }),
    output({ title: "d" }),
  ]);
  expect(groups.map(({ kind, outputs }) => [kind, titles(outputs)])).toEqual([
    ["document", ["c", "d"]],
    ["task", ["b"]],
    ["edge", ["a"]],
  ]);
});

test.each([
  [{ writes: 1 }, ""],
  [{ writes: 5 }, ", written 5 times"],
])("how often it was written: %o", (over, words) => expect(timesWords(output(over))).toBe(words));

test.each([
  [{ title: "A supports B", kind: "edge" }, "A supports B"],
  [{ title: "A document_has_document B", kind: "edge" }, "A contains B"],
  [{ title: "What document_has_document means" }, "What document_has_document means"],
  [{ title: " " }, "untitled"],
] as const)("how it is called: %o", (over, words) => expect(titleWords(output(over))).toBe(words));

test.each([
  ["content", "Content"],
  ["state_key", "State"],
  ["due_at", "Due"],
  ["parent_id", "Parent"],
  ["props", "Props"],
])("the field %s is called %s", (name, words) => expect(fieldWords(name)).toBe(words));

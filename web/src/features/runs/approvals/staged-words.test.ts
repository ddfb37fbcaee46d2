import { expect, test } from "vitest";
import {
  countChanges,
  housekeepingWords,
  isDetail,
  isHousekeeping,
  reviewWords,
  summaryWords,
} from "./staged-words.ts";

const field = (name: string, after: string) => ({ name, before: null, after, is_cut: false });
const change = (kind: "task" | "document" | "edge", type: string) => ({
  op: "created" as const,
  kind,
  project_id: "p",
  entity_id: "e",
  title: "t",
  fields: [field("type_key", type)],
});

test("links and working notes are housekeeping", () =>
  expect(isHousekeeping({ changes: [change("edge", ""), change("document", "document.homework.summary")] })).toBe(
    true,
  ));

test("a task with a link is not", () =>
  expect(isHousekeeping({ changes: [change("task", "task.default"), change("edge", "")] })).toBe(false));

test("a summary names no key", () =>
  expect(summaryWords({ summary: "create link A document_has_document B" })).toBe("Create link A contains B"));

test.each([
  ["type_key", true],
  ["dst_id", true],
  ["state_key", true],
  ["content", false],
])("of something new, %s is a detail: %s", (name, isOne) => expect(isDetail({ op: "created" }, { name })).toBe(isOne));

test("a new state of something that was there is no detail", () =>
  expect(isDetail({ op: "updated" }, { name: "state_key" })).toBe(false));

const kept = { changes: [change("document", "document.homework.root"), change("edge", "")] };

test("what is approved is counted by its cards, without the run's own notes where there is more", () => {
  const task = { changes: [change("task", "task.default"), change("edge", "")] };
  expect([countChanges([task, kept]), countChanges([kept])]).toEqual([1, 1]);
  expect([reviewWords([task, kept]), reviewWords([task, task])]).toEqual([
    "1 change and the run's own notes",
    "2 changes",
  ]);
});

test("the run's own notes are counted without their links", () => {
  expect(housekeepingWords([kept])).toBe("The run's own notes (1)");
  expect(housekeepingWords([{ changes: [change("edge", "")] }])).toBe("Links (1)");
});

import { expect, test } from "vitest";
import type { Entity } from "../../../../src/protocol/api.ts";
import { afterSave, afterTakingTheirs, type Draft, withEdit } from "./draft.ts";

const saved: Entity = {
  id: "0197a000-0000-7000-8000-000000000001",
  kind: "task",
  project_id: "0197a000-0000-7000-8000-000000000002",
  title: "Dig",
  description: "",
  content: "old words",
  type_key: "task.default",
  state_key: "todo",
  props: {},
  priority: null,
  due_at: null,
  parent_id: null,
  version: 4,
  created_by: null,
  created_by_run: null,
  updated_by_run: null,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  deleted_at: null,
};

const typed: Draft = { baseVersion: 4, edits: { content: "new words" } };

test("typing begins a draft on the version one read", () =>
  expect(withEdit(null, saved, "content", "new words")).toEqual(typed));

test("typing goes on from the version the draft began with", () =>
  expect(withEdit(typed, { ...saved, version: 9 }, "title", "Dig deep")?.baseVersion).toBe(4));

test("going back to what is saved ends the draft", () =>
  expect(withEdit(typed, saved, "content", "old words")).toBeNull());

test("a save of everything ends the draft", () =>
  expect(afterSave(typed, { content: "new words" }, { ...saved, version: 5 })).toBeNull());

test("what was typed while saving is left, on the saved version", () =>
  expect(
    afterSave(
      { baseVersion: 4, edits: { content: "newer words" } },
      { content: "new words" },
      { ...saved, version: 5 },
    ),
  ).toEqual({ baseVersion: 5, edits: { content: "newer words" } }));

test("saving a choice moves the draft along", () =>
  expect(afterSave(typed, { state_key: "done" }, { ...saved, version: 5 })?.baseVersion).toBe(5));

test("saving a choice over someone else's write leaves that write to be noticed", () =>
  expect(afterSave(typed, { state_key: "done" }, { ...saved, version: 6 })?.baseVersion).toBe(4));

test("taking theirs ends the draft of the refused fields", () =>
  expect(afterTakingTheirs(typed, { content: "new words" }, { ...saved, version: 5 })).toBeNull());

test("taking their choice keeps the texts one typed", () =>
  expect(afterTakingTheirs(typed, { state_key: "done" }, { ...saved, version: 5 })).toEqual(typed));

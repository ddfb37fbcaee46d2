import { expect, test } from "vitest";
import {
  noChoices,
  restoredWords,
  toUndoBody,
  type UndoConflict,
  withAll,
  withChoice,
  withSeen,
} from "./undo-choices.ts";

const conflict = (ref: string, change: Partial<UndoConflict> = {}): UndoConflict => ({
  thing: { ref, kind: "task", id: "i", project_id: "p", title: ref },
  reason: "changed_since",
  who: null,
  by: null,
  can_force: true,
  message: "It was changed since",
  ...change,
});
const two = withSeen(noChoices, [conflict("task:a"), conflict("task:b", { can_force: false })]);

test("a conflict that was decided about stays in the list though the dry run no longer has it", () =>
  expect(withSeen(withChoice(two, "task:a", "skip"), []).seen).toHaveLength(2));

test("the same conflict is listed once", () => expect(withSeen(two, [conflict("task:a")])).toBe(two));

test("choices are sent by name", () =>
  expect(toUndoBody(withChoice(withChoice(two, "task:a", "force"), "task:b", "skip"))).toEqual({
    skip: ["task:b"],
    force: ["task:a"],
  }));

test("what cannot be overwritten is left when all are", () =>
  expect(toUndoBody(withAll(two, "force"))).toEqual({ skip: ["task:b"], force: ["task:a"] }));

test("what was restored is said with what was left", () => {
  expect(restoredWords(1, 0)).toBe("1 thing restored");
  expect(restoredWords(3, 2)).toBe("3 things restored; 2 changed since or without a place, left as it is");
  expect(restoredWords(0, 0)).toBe("There is nothing left to restore");
});

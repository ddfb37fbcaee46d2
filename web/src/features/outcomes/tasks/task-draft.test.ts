import { expect, test } from "vitest";
import { makeWireTask } from "../../../../../test/helpers/cli-outcomes.ts";
import { emptyCheck } from "../../../ui/composer/homework-draft.ts";
import { draftOf, emptyTask, newTaskOf, patchOf, problemsOfTask, staleFieldsOf } from "./task-draft.ts";

const check = { id: "c1", kind: "judge", about: "A judge agrees: short", target: { rubric: "short" } };
const task = makeWireTask(1, { title: "Page", completion_criteria: [check] });
const draft = draftOf(task, "planner");

test("nothing is sent of what was not changed", () => expect(patchOf(draft, task)).toEqual({}));

test("a changed title and priority are sent alone", () => {
  expect(patchOf({ ...draft, title: " Pages ", priority: 50 }, task)).toEqual({ title: "Pages", priority: 50 });
});

test("a new check is sent together with those that stay", () => {
  const added = { ...emptyCheck("k"), kind: "judge" as const, rubric: "In brass" };
  expect(patchOf({ ...draft, checks: [added] }, task)).toEqual({
    completion_criteria: [
      { kind: "judge", rubric: "short" },
      { kind: "judge", rubric: "In brass" },
    ],
  });
});

test("the last check can go", () => {
  expect(patchOf({ ...draft, kept: [] }, task)).toEqual({ completion_criteria: [] });
});

test("a draft without a title, or with figures out of bounds, is not sent", () => {
  const gates = [{ key: "g", kind: "human_approval" as const, label: " " }];
  expect(problemsOfTask({ ...draft, title: " ", priority: 0, maxAttempts: 21, gates })).toEqual({
    title: "Give the task a title",
    priority: "A whole number from 1 to 1,000",
    maxAttempts: "A whole number from 1 to 20",
    "gates.0.label": "Say what is needed",
  });
  expect(problemsOfTask(draft)).toEqual({});
});

test("a new task has its gates and what it waits for", () => {
  const gates = [{ key: "g", kind: "human_approval" as const, label: " Go live " }];
  expect(newTaskOf({ ...emptyTask("planner"), title: "Ship", dependsOn: ["a"], gates })).toMatchObject({
    title: "Ship",
    priority: 100,
    max_attempts: 3,
    depends_on: ["a"],
    gates: [{ kind: "human_approval", label: "Go live" }],
  });
});

test("after a conflict only what one changed is shown", () => {
  expect(staleFieldsOf({ title: "Mine" }, makeWireTask(1, { title: "Theirs", priority: 7 }))).toEqual([
    { label: "Title", mine: "Mine", theirs: "Theirs" },
  ]);
});

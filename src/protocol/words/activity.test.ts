import { expect, test } from "vitest";
import { activityLabel } from "./activity.ts";

test("what a person did is told as theirs", () => {
  expect(activityLabel({ type: "steering", cause: { kind: "user" }, details: {} })).toBe("You");
  expect(activityLabel({ type: "steering", cause: { kind: "drift", drift: "scope_creep" }, details: {} })).toBe(
    "Correction",
  );
});

test("a checked result is named by its verdict", () => {
  const said = (details: Record<string, unknown>) =>
    activityLabel({ type: "observation", cause: { kind: "supervision" }, details });
  expect([said({ on_track: true }), said({ on_track: false }), said({})]).toEqual([
    "On course",
    "Off course",
    "Result checked",
  ]);
});

test("the end of an attempt is more than a note", () => {
  const said = (details: Record<string, unknown>) =>
    activityLabel({ type: "supervision", cause: { kind: "supervision" }, details });
  expect([said({ result: "completed" }), said({ result: "failed" }), said({})]).toEqual([
    "Task done",
    "Attempt failed",
    "Note",
  ]);
});

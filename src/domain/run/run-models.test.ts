import { expect, test } from "vitest";
import { changeModels } from "./run-models.ts";

test("a choice replaces what was chosen for that role, and nothing else", () =>
  expect(changeModels({ planner: "a", judge: "b" }, { planner: "c", executor: "d" })).toEqual({
    planner: "c",
    executor: "d",
    judge: "b",
  }));
test("no change leaves it, null takes it back, an empty choice is none", () => {
  expect(changeModels({ planner: "a" }, undefined)).toEqual({ planner: "a" });
  expect(changeModels({ planner: "a" }, null)).toBeNull();
  expect(changeModels(null, {})).toBeNull();
  expect(changeModels(null, { planner: undefined })).toBeNull();
});

import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { bodyOfAgain } from "./run-again.ts";

const check = (given_by: "user" | "planner", kind: string, target: Record<string, unknown>) => ({
  id: "c1",
  deliverable_id: null,
  kind,
  about: "",
  words: "",
  target,
  given_by,
  proof: null,
});

const run = {
  objective: "Find a hall",
  foreign_texts: [{ title: "Mail", text: "Free on Sundays" }],
  engine: "planner",
  scope: "project",
  project_ids: ["p1"],
  context_type: "project",
  entity_id: null,
  budgets: { max_iterations: 7 },
  models: null,
  permissions: { write_mode: "approve_plan", allowed_tools: null },
  completion_criteria: [
    check("user", "entity_count", { entity: "task", at_least: 2 }),
    check("planner", "judge", { rubric: "It reads well" }),
  ],
  judge: false,
  time_zone: "Europe/Vienna",
} as unknown as Run;

test("objective and settings are those of the run, and of its checks only the user's own", () =>
  expect(bodyOfAgain(run, null)).toEqual({
    objective: "Find a hall",
    foreign_texts: [{ title: "Mail", text: "Free on Sundays" }],
    engine: "planner",
    scope: "project",
    project_ids: ["p1"],
    context_type: "project",
    budgets: { max_iterations: 7 },
    permissions: { write_mode: "approve_plan" },
    completion_criteria: [{ kind: "entity_count", entity: "task", at_least: 2 }],
    judge: false,
    time_zone: "Europe/Vienna",
  }));

test("agents work in the same repository, with the same models and tools", () =>
  expect(
    bodyOfAgain(
      { ...run, models: { planner: "a/b" }, permissions: { write_mode: "autopilot", allowed_tools: ["search"] } },
      "/home/me/house",
    ),
  ).toMatchObject({
    work_folder: "/home/me/house",
    models: { planner: "a/b" },
    permissions: { write_mode: "autopilot", allowed_tools: ["search"] },
  }));

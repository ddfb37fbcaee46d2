import { expect, test } from "vitest";
import { makeCheck, makeProof, makeQuestion, makeRun, makeStep } from "../../../test/helpers/make-run.ts";
import { planCheck } from "./checks/adopt.ts";
import { followUp, type Wanted } from "./follow-up.ts";
import type { Run, RunId, RunState } from "./run.ts";

const completed: RunState = { status: "completed", iteration: 3, proofs: [makeProof()] };

const check = (over: Partial<Run> = {}, wanted: Partial<Wanted> = {}) =>
  followUp({ ...makeRun(), state: completed, ...over }, "run_2" as RunId, { objective: "Now in French", ...wanted });

const made = (over?: Partial<Run>, wanted?: Partial<Wanted>): Run => {
  const answer = check(over, wanted);
  if (!answer.isDone) throw new Error(answer.why);
  return answer.move;
};

test("a follow-up wants something new, in the same place and under the same rules", () => {
  const over = {
    scope: { kind: "project", projectId: "project_1" },
    permission: { writeMode: "per_write", allowedTools: ["create_task"] },
    models: { planner: "demo/rules" },
    timeZone: "Europe/Vienna",
  } as const;
  expect(made(over)).toMatchObject({
    ...over,
    id: "run_2",
    objective: "Now in French",
    engine: "planner",
    followsRunId: "run_1",
    forkedFrom: null,
    state: { status: "queued", iteration: 1 },
  });
});

test("a follow-up takes over neither plan nor promises nor checks", () => {
  expect(made({ plan: { steps: [makeStep()] } })).toMatchObject({
    plan: { steps: [] },
    deliverables: [],
    checks: [planCheck],
    guidance: null,
    closing: null,
  });
});

test("a follow-up of an attempt at a task stands by itself", () => {
  expect(made({ outcomeTaskId: "task_1" as Run["outcomeTaskId"] }).outcomeTaskId).toBeNull();
});

test("what is said about a follow-up counts, and the rest is as it was", () => {
  const run = made(
    { permission: { writeMode: "per_write", allowedTools: ["create_task"] } },
    {
      permission: { writeMode: "autopilot" },
      budget: { maxIterations: 3 },
      models: { judge: "demo/rules" },
      checks: [makeCheck({ id: "user_1" })],
    },
  );
  expect(run).toMatchObject({
    permission: { writeMode: "autopilot", allowedTools: ["create_task"] },
    budget: { ...makeRun().budget, maxIterations: 3 },
    models: { judge: "demo/rules" },
  });
  expect(run.checks.map(({ id }) => id)).toEqual(["user_1", planCheck.id]);
});

const ended: readonly RunState[] = [
  completed,
  { status: "failed", iteration: 1, detail: "The provider is gone" },
  { status: "canceled", iteration: 1 },
  { status: "stopped", iteration: 4, reason: "max_iterations", detail: "4 of 4 iterations" },
];
test.each(ended)("a run that is $status can be followed up", (state) => expect(check({ state }).isDone).toBe(true));

const going: readonly RunState[] = [
  { status: "queued", iteration: 1, hasSlot: true },
  { status: "running", iteration: 1, hold: null },
  { status: "waiting_on_user", iteration: 1, questions: [makeQuestion()] },
];
test.each(going)("a run that is $status wants guidance", (state) =>
  expect(check({ state })).toEqual({ isDone: false, why: "The run is still going. Add guidance instead." }),
);

test("a paused run is resumed or canceled first", () => {
  const state: RunState = { status: "stopped", iteration: 1, reason: "paused", detail: "You paused it" };
  expect(check({ state })).toMatchObject({ isDone: false, why: expect.stringContaining("Resume it") });
});

test("a follow-up knows the texts of others that the run before it was given, its own first, as far as there is room", () => {
  const [old, mail, long] = [
    { title: "Old", text: "old" },
    { title: "Mail", text: "new" },
    { title: "", text: "x".repeat(31_995) },
  ] as const;
  expect(made({ foreignTexts: [old] }, { foreignTexts: [mail] }).foreignTexts).toEqual([mail, old]);
  expect(made({ foreignTexts: [long, old] }, { foreignTexts: [mail] }).foreignTexts).toEqual([mail]);
  expect(made({ foreignTexts: [1, 2, 3, 4].map(() => old) }, { foreignTexts: [mail, mail] }).foreignTexts).toHaveLength(
    5,
  );
});

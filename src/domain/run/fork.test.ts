import { expect, test } from "vitest";
import { makeCheck, makeRun } from "../../../test/helpers/make-run.ts";
import { emptyPlan } from "../plan/plan.ts";
import { planCheck } from "./checks/adopt.ts";
import type { Promised } from "./effects.ts";
import { fork } from "./fork.ts";
import type { RunId } from "./run.ts";

const given = makeCheck({ id: "given", deliverableId: null });
const own = makeCheck({ id: "own", deliverableId: "page", givenBy: "planner" });
const page = { id: "page", title: "A page" };
const old = makeRun({
  deliverables: [page],
  checks: [given, own, planCheck],
  isJudged: true,
  state: { status: "running", iteration: 3, hold: null },
});

/** The fork's deliverables and checks. */
function check(iteration: number, promised: Promised | null, expected: readonly string[]): void {
  const { deliverables, checks } = fork(old, "new" as RunId, { iteration, plan: emptyPlan, promised }, {});
  expect([...deliverables, ...checks].map(({ id }) => id)).toEqual(expected);
}

test("a fork has what its parent promised by then, and nothing from later", () =>
  check(1, { deliverables: [], checks: [given, planCheck] }, ["given", "plan_complete", "judge:objective"]));
test("a fork of the iteration that promised more has that, too", () =>
  check(2, old, ["page", "given", "own", "plan_complete", "judge:page"]));
test("of an iteration before this was kept, a fork has the user's criteria alone", () =>
  check(1, null, ["given", "plan_complete", "judge:objective"]));
test("of the last iteration, a fork has all that the run has", () =>
  check(3, null, ["page", "given", "own", "plan_complete", "judge:page"]));

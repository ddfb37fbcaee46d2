// The plan in a session: what update_plan makes of it, and which steps count as done once something was written.

import type { Plan } from "../../domain/plan/plan.ts";
import type { WantedStep } from "../../domain/planner/answer.ts";
import { type StepWork, updatePlan } from "../../domain/planner/update-plan.ts";
import { asArtifacts, madeByRun } from "../../store/workspace/planner-store.ts";
import type { Iteration } from "./iteration.ts";
import type { SessionState } from "./session-state.ts";

/** In words for the model, with the plan as it is now. */
export async function changePlan(it: Iteration, session: SessionState, steps: readonly WantedStep[]) {
  const { run, db } = it;
  const named = steps.flatMap(({ evidence }) => evidence);
  const made = await db.asUser({ userId: run.userId }, (tx) => madeByRun(tx, run.id, named));
  const facts = {
    iteration: run.state.iteration,
    work: [...session.work, ...workOfSession(session, steps)],
    artifacts: asArtifacts(made),
  };
  const { plan, refused } = updatePlan(session.plan, steps, facts);
  const states = plan.steps.map(({ id, status }) => `${id} ${status}`).join(", ");
  const text = [`The plan now: ${states}.`, ...refused].join("\n");
  return { text, isError: false, value: plan };
}

/** To be called with what update_plan was asked for, and the plan that came of it. */
export function noteDone(session: SessionState, plan: Plan, steps: readonly WantedStep[]): void {
  session.plan = plan;
  const others = session.wantedDone.filter(({ id }) => !isNamed(steps, id));
  session.wantedDone = [...others, ...notYetDone(plan, steps)];
}

const isNamed = (steps: readonly WantedStep[], id: string): boolean => steps.some((step) => step.id === id);

/** What the planner calls done, and nothing shows yet. */
const notYetDone = (plan: Plan, steps: readonly WantedStep[]): readonly WantedStep[] =>
  steps.filter(
    ({ id, status, evidence }) =>
      status === "done" && evidence.length === 0 && plan.steps.some((step) => step.id === id && step.status !== "done"),
  );

/** A plan that says "done" may stand before the writing in one answer: at the end of the session it is looked at again. */
export function settleDone({ run }: Iteration, session: SessionState): void {
  const { wantedDone: wanted } = session;
  if (wanted.length === 0) return;
  const work = [...session.work, ...workOfSession(session, wanted)];
  session.plan = updatePlan(session.plan, wanted, { iteration: run.state.iteration, work, artifacts: new Map() }).plan;
}

/** A step that is done without naming anything is shown by what the session itself has written. */
function workOfSession({ made }: SessionState, steps: readonly WantedStep[]): readonly StepWork[] {
  if (made.length === 0) return [];
  return steps
    .filter(({ status, evidence }) => status === "done" && evidence.length === 0)
    .map(({ id }) => ({ stepId: id, artifacts: made }));
}

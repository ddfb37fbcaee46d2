// What a person may do to a run. Each command says yes, with the next run and its effects, or no, with a reason they can
// act on. Of a command and a commit that meet, the one that comes second sees what the first one did.

import type { Budget } from "./budget.ts";
import { append, type Effect, leaveSlot, type Step } from "./effects.ts";
import { isTerminal, type Run } from "./run.ts";

export type Answered<T> =
  | { readonly isDone: true; readonly step: T }
  | { readonly isDone: false; readonly why: string };

const yes = (step: Step): Answered<Step> => ({ isDone: true, step });
const no = (why: string): Answered<Step> => ({ isDone: false, why });

/** Takes the run away from its worker: whatever that still does is not committed. */
const fenceOff = (run: Run): Run => ({ ...run, fence: run.fence + 1 });

export function cancel(run: Run): Answered<Step> {
  const { status, iteration } = run.state;
  if (isTerminal(status)) return no(`The run is ${status} already`);
  const canceled: Run = { ...fenceOff(run), state: { status: "canceled", iteration } };
  const drop: Effect = { kind: "drop_jobs", runId: run.id };
  return yes({
    run: canceled,
    effects: [drop, append({ type: "run_canceled", iteration }), ...leaveSlot(canceled, "canceled")],
  });
}

/** The iteration in flight is given up; resuming does it again. */
export function pause(run: Run): Answered<Step> {
  const { status, iteration } = run.state;
  if (status !== "running" && status !== "queued")
    return no(`Only a run that is queued or running can be paused; this one is ${status}`);
  const why = "You paused it";
  const paused: Run = { ...fenceOff(run), state: { status: "stopped", iteration, reason: "paused", detail: why } };
  const drop: Effect = { kind: "drop_jobs", runId: run.id };
  const event = append({ type: "run_stopped", iteration, reason: "paused", why });
  return yes({ run: paused, effects: [drop, event, ...leaveSlot(paused, "stopped")] });
}

export type RaisedBudget = { readonly [K in keyof Budget]?: Budget[K] };

/** Goes on where it stopped, in line for a slot like any other run. Streaks begin anew: someone has looked at it. */
export function resume(run: Run, raised: RaisedBudget, fresh: Run["streaks"]): Answered<Step> {
  if (run.state.status !== "stopped") return no(`Only a stopped run can be resumed; this one is ${run.state.status}`);
  const budget = { ...run.budget, ...raised };
  const iteration = run.state.reason === "paused" ? run.state.iteration : run.state.iteration + 1;
  if (iteration > budget.maxIterations)
    return no(`It has used its ${run.budget.maxIterations} iterations: raise max_iterations`);
  if (run.spent.runningMs >= budget.maxRunningMs) return no("It has used its running time: raise max_wall_clock_ms");
  if (budget.maxCostMicroUsd !== null && run.spent.costMicroUsd >= budget.maxCostMicroUsd)
    return no("It has used its money: raise max_cost_usd");
  return yes(
    backInLine(
      { ...run, budget, streaks: fresh },
      iteration,
      append({ type: "run_resumed", iteration, hasSlot: false }),
    ),
  );
}

/** Answers to the questions it waits on; all of them, so that the planner is not asked to guess the rest. */
export function respond(run: Run, answeredIds: readonly string[]): Answered<Step> {
  if (run.state.status !== "waiting_on_user") return no(`The run asks nothing; it is ${run.state.status}`);
  const open = run.state.questions.filter(({ id }) => !answeredIds.includes(id));
  if (open.length > 0) return no(`Also answer: ${open.map(({ text }) => text).join(" / ")}`);
  const iteration = run.state.iteration + 1;
  return yes(backInLine(run, iteration, append({ type: "run_answered", iteration, questionIds: answeredIds })));
}

/** A message that the next iteration has to take up. */
export function steer(run: Run, message: string): Answered<Step> {
  const { status, iteration } = run.state;
  if (isTerminal(status)) return no(`The run is ${status}; fork it to go on from there`);
  return yes({ run, effects: [append({ type: "run_steered", iteration, message })] });
}

/** Whether there is a slot is not for the run to say: admission counts under a lock (`admit_next`). */
function backInLine(run: Run, iteration: number, event: Effect): Step {
  const queued: Run = { ...run, state: { status: "queued", iteration, hasSlot: false } };
  return { run: queued, effects: [event, { kind: "admit_next", runId: run.id }] };
}

/** It has a slot now: its job is enqueued in the same transaction. */
export function admit(run: Run): Answered<Step> {
  if (run.state.status !== "queued" || run.state.hasSlot)
    return no(`Only a run in line can be given a slot; this one is ${run.state.status}`);
  const { iteration } = run.state;
  const admitted: Run = { ...run, state: { status: "queued", iteration, hasSlot: true } };
  return yes({ run: admitted, effects: [{ kind: "enqueue_iteration", runId: run.id, iteration, notBeforeMs: null }] });
}

// Turns a decision into the next run and the effects to commit with it: events, and then exactly one of the next job, or
// a report and a notification. src/loop/ is the only code that carries them out.

import { unreachable } from "../../lib/assert.ts";
import { addSpent } from "./budget.ts";
import { append, type Effect, leaveSlot, type Step } from "./effects.ts";
import { type Decision, streaksAfter } from "./exit-gate.ts";
import type { IterationResult } from "./iteration-result.ts";
import type { Run, RunningRun, RunState } from "./run.ts";
import type { Streaks } from "./streaks.ts";

export function advance(run: RunningRun, result: IterationResult, decision: Decision, summary = ""): Step {
  const { iteration } = run.state;
  const next: Run = {
    ...run,
    state: nextState(iteration, decision),
    spent: addSpent(run.spent, result.spent),
    // A provider's fault leaves everything as it was: the same iteration will be done again.
    ...(result.kind === "worked"
      ? { streaks: nextStreaks(run, decision, streaksAfter(run, result)), plan: result.plan }
      : {}),
  };
  const ended: readonly Effect[] =
    decision.kind === "hold"
      ? []
      : [
          append({
            type: "iteration_completed",
            iteration,
            summary,
            decision: decision.kind,
            why: decision.why,
            spent: result.spent,
          }),
        ];
  return { run: next, effects: [...ended, ...effectsOf(next, iteration, decision)] };
}

function nextState(iteration: number, decision: Decision): RunState {
  switch (decision.kind) {
    case "continue":
      return { status: "running", iteration: iteration + 1, hold: null };
    case "hold":
      return { status: "running", iteration, hold: { untilMs: decision.untilMs, why: decision.why } };
    case "ask":
      return { status: "waiting_on_user", iteration, questions: decision.questions };
    case "complete":
      return { status: "completed", iteration, proofs: decision.proofs };
    case "stop":
      return { status: "stopped", iteration, reason: decision.reason, detail: decision.why };
    default:
      return unreachable(decision);
  }
}

/** The chance to recover is given once; `decide` saw the breaker trip. */
function nextStreaks({ state }: RunningRun, decision: Decision, streaks: Streaks): Streaks {
  if (decision.kind !== "continue" || decision.next !== "recover") return streaks;
  return { ...streaks, recovery: { iteration: state.iteration + 1, from: decision.why } };
}

function effectsOf(run: Run, iteration: number, decision: Decision): readonly Effect[] {
  const { why } = decision;
  const job = (due: number, notBeforeMs: number | null): Effect => ({
    kind: "enqueue_iteration",
    runId: run.id,
    iteration: due,
    notBeforeMs,
  });
  switch (decision.kind) {
    case "continue":
      return [job(iteration + 1, null)];
    case "hold":
      return [
        append({ type: "run_holding", iteration, untilMs: decision.untilMs, why }),
        job(iteration, decision.untilMs),
      ];
    case "ask":
      return [
        append({ type: "run_waiting_on_user", iteration, questions: decision.questions, why }),
        ...leaveSlot(run, "waiting_on_user"),
      ];
    case "complete":
      return [append({ type: "run_completed", iteration, why }), ...leaveSlot(run, "completed")];
    case "stop":
      return [append({ type: "run_stopped", iteration, reason: decision.reason, why }), ...leaveSlot(run, "stopped")];
    default:
      return unreachable(decision);
  }
}

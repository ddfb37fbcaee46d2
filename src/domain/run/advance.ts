// Turns a decision into the next run and the effects to commit with it: the iteration as it ended, events, and then exactly
// one of the next job, or a report and a notification. One function carries them out (src/runs/).

import { unreachable } from "../../lib/assert.ts";
import type { Adopted } from "./checks/adopt.ts";
import type { Proof } from "./checks/check.ts";
import { append, type Effect, type EndedIteration, leaveSlot, type Move } from "./effects.ts";
import { type Decision, streaksAfter } from "./gate/exit-gate.ts";
import { bestAfter } from "./gate/progress.ts";
import type { Streaks } from "./gate/streaks.ts";
import type { IterationResult, WorkedIteration } from "./iteration-result.ts";
import { holdAgain } from "./provider/holds.ts";
import type { Holds, Run, RunningRun, RunState } from "./run.ts";

export type Changed = Pick<Adopted, "changes" | "asked" | "why"> & {
  /** This iteration brought checks that the run did not have before. */
  readonly hasPromised: boolean;
};

const unchanged: Changed = { changes: [], asked: [], why: "", hasPromised: false };

export function advance(run: RunningRun, result: IterationResult, decision: Decision, changed = unchanged): Move {
  const { iteration } = run.state;
  const held = holdsAfter(run, result, decision);
  const next: Run = {
    ...run,
    state: nextState(iteration, decision),
    deaths: 0,
    holds: held.holds,
    guidance: decision.kind === "continue" ? { next: decision.next, why: decision.why } : run.guidance,
    // A provider's fault leaves everything as it was: the same iteration will be done again.
    ...(result.kind === "worked"
      ? {
          streaks: nextStreaks(run, decision, streaksAfter(run, result)),
          best: bestAfter(run, result),
          plan: result.plan,
          lastProofs: result.proofs,
          closing: result.closing ?? run.closing,
          heardIn: result.heard > 0 ? iteration : run.heardIn,
          remaining: result.claim?.remainingWork.length ?? run.remaining,
        }
      : {}),
  };
  return {
    run: next,
    effects: [
      ...tellChanges(run, changed),
      ...endOf(run, result, decision, changed.hasPromised),
      ...effectsOf(iteration, decision, narrativeOf(result), held.isToldNow),
    ],
  };
}

type Held = { readonly holds: Holds | null; readonly isToldNow: boolean };

/** Holds are counted as long as the same iteration meets one after the other. */
function holdsAfter({ holds, spent }: RunningRun, result: IterationResult, decision: Decision): Held {
  if (result.kind !== "provider_fault" || decision.kind !== "hold") return { holds: null, isToldNow: false };
  return holdAgain(holds, spent, decision.untilMs, result.atMs);
}

function tellChanges({ state: { iteration } }: RunningRun, { changes, asked, why }: Changed): readonly Effect[] {
  const said = { type: "checks_changed", iteration, why } as const;
  return [
    ...(changes.length > 0 ? [append({ ...said, changes: [...changes] })] : []),
    ...(asked.length > 0 ? [append({ ...said, changes: [...asked], is_awaiting: true })] : []),
  ];
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

/** The chance to recover is given once; `decide` saw the breaker trip. Waiting for the user is not standing still. */
function nextStreaks({ state, streaks: before }: RunningRun, decision: Decision, streaks: Streaks): Streaks {
  if (decision.kind === "ask") return { ...streaks, noProgress: Math.min(before.noProgress, streaks.noProgress) };
  if (decision.kind !== "continue" || decision.next !== "recover") return streaks;
  return { ...streaks, recovery: { iteration: state.iteration + 1, from: decision.why } };
}

/** What a provider did ends nothing: the same iteration goes on later, by itself (a hold) or when it is resumed. */
function endOf(run: RunningRun, result: IterationResult, decision: Decision, hasPromised: boolean): readonly Effect[] {
  const { iteration } = run.state;
  if (decision.kind === "hold") return [];
  if (result.kind === "provider_fault") return [{ kind: "interrupt_iteration", iteration }];
  const ended: EndedIteration = {
    iteration,
    status: statusOf(result, decision),
    summary: result.summary,
    decision: decision.kind,
    why: decision.why,
    error: result.error,
    artifacts: result.artifacts,
    plan: result.plan,
    deliverables: run.deliverables,
    checks: run.checks,
  };
  const { status, summary, why } = ended;
  const said = { type: "iteration_completed", iteration, status, summary, decision: decision.kind, why } as const;
  const completed = append(result.wasHeard ? said : { ...said, is_unheard: true });
  const proofs = result.proofs.length > 0 || hasPromised ? proven(run, result.proofs) : [];
  const unheard: readonly Effect[] = result.wasHeard ? [] : [{ kind: "unread_messages", iteration }];
  return [{ kind: "end_iteration", ...ended }, ...proofs, ...unheard, completed];
}

/** Counted by the run's checks: one that was not looked at is one of them, and not green. */
function proven({ state: { iteration }, checks }: RunningRun, proofs: readonly Proof[]): readonly Effect[] {
  const isGreen = (id: string) => proofs.some((proof) => proof.checkId === id && proof.isGreen);
  const green = checks.filter(({ id }) => isGreen(id)).length;
  return [{ kind: "keep_proofs", proofs }, append({ type: "checks_proven", iteration, green, of: checks.length })];
}

function statusOf({ error }: WorkedIteration, decision: Decision): EndedIteration["status"] {
  if (decision.kind === "ask") return "waiting_on_user";
  return error === null ? "success" : "failed";
}

const narrativeOf = (result: IterationResult) => (result.kind === "worked" ? result.narrative : null);

function effectsOf(
  iteration: number,
  decision: Decision,
  narrative: string | null,
  isToldNow: boolean,
): readonly Effect[] {
  const { why } = decision;
  const job = (due: number, notBeforeMs: number | null): Effect => ({
    kind: "enqueue_iteration",
    iteration: due,
    notBeforeMs,
  });
  switch (decision.kind) {
    case "continue":
      return [job(iteration + 1, null)];
    case "hold": {
      const said = { type: "run_holding", iteration, until_ms: decision.untilMs, why } as const;
      const told: readonly Effect[] = isToldNow ? [{ kind: "notify_user", about: "holding" }] : [];
      return [append(isToldNow ? { ...said, is_told: true } : said), ...told, job(iteration, decision.untilMs)];
    }
    case "ask":
      return [
        append({ type: "run_waiting_on_user", iteration, questions: decision.questions, reason: why }),
        ...leaveSlot("waiting_on_user"),
      ];
    case "complete":
      return [append({ type: "run_completed", iteration, why }), ...leaveSlot("completed", narrative)];
    case "stop":
      return [
        append({ type: "run_stopped", iteration, reason: decision.reason, why }),
        ...leaveSlot("stopped", narrative),
      ];
    default:
      return unreachable(decision);
  }
}

// Cases of peers about going in circles: breakers, the same error, the same actions, rules of the loop, and accounting.

import { allowsCall, defaultBudget, nothingSpent } from "../../src/domain/run/budget/budget.ts";
import type { Check } from "../../src/domain/run/checks/check.ts";
import { cancel, pause, resume } from "../../src/domain/run/commands.ts";
import { defaultBreakers, trippedBreaker } from "../../src/domain/run/gate/breakers.ts";
import { noStreaks } from "../../src/domain/run/gate/streaks.ts";
import type { RunState } from "../../src/domain/run/run.ts";
import { take } from "../../src/domain/run/take.ts";
import { failure, idle, makeCheck, makeClaim, makeProof, makeResult, makeRun, makeStep } from "../helpers/make-run.ts";
import {
  decisions,
  done,
  lastDecision,
  type Played,
  playRun,
  printing,
  type Row,
  readingOnly,
  runIn,
  stopped,
  times,
} from "./play.ts";

const green = [makeProof()];
const claim = makeClaim();

const changed = (...files: readonly number[]): readonly Played[] =>
  files.map((count) => ({ progress: { entitiesWritten: count, states: [] } }));
const recovering = { ...noStreaks, noProgress: 3, recovery: { iteration: 4, from: "no_progress" } };

const breakers: readonly Row[] = [
  {
    id: "edge-009",
    what: "streaks that are no numbers trip nothing",
    play: () => trippedBreaker({ ...noStreaks, noProgress: Number.NaN }, defaultBreakers, 1),
    ours: null,
  },
  {
    id: "breaker-001",
    what: "nothing changed in three iterations",
    play: () => lastDecision(changed(0, 0, 0)),
    ours: "continue: recover",
    why: "the peer stops now; ours gets one iteration to try something else",
  },
  {
    id: "breaker",
    what: "nothing changed in two",
    play: () => lastDecision(changed(0, 0)),
    ours: "continue: as_planned",
    why: "the peer is half open at two; ours has no middle state",
  },
  {
    id: "breaker-003",
    what: "something changed in the third",
    play: () => playRun(changed(0, 0, 5)).run.streaks.noProgress,
    ours: 0,
  },
  {
    id: "breaker",
    what: "nothing changed in four",
    play: () => lastDecision(changed(0, 0, 0, 0)),
    ours: "stop: no_progress",
  },
  {
    id: "breaker-recovery-001",
    what: "stopped, and half an hour has not passed",
    play: () => take(runIn(stopped), 5, 1).kind,
    ours: "stale",
  },
  {
    id: "breaker-recovery",
    what: "stopped, and half an hour has passed",
    play: () => take(runIn(stopped), 5, 1).kind,
    ours: "stale",
    why: "the peer tries again by itself; time mends nothing, so ours waits for a person",
  },
  {
    id: "breaker-recovery-003",
    what: "recovering, and progress",
    play: () => playRun([{}], { streaks: recovering }).run.streaks,
    ours: { ...noStreaks },
  },
  {
    id: "breaker-recovery",
    what: "recovering, and no progress",
    play: () => lastDecision([readingOnly], { streaks: recovering }),
    ours: "stop: no_progress",
  },
  {
    id: "breaker-recovery-005",
    what: "no time to cool down",
    play: () => playRun(changed(0, 0, 0)).run.state,
    ours: { status: "running", iteration: 4, hold: null },
    why: "the peer has a cooldown that may be 0; ours has none, the recovery is simply the next iteration",
  },
  {
    id: "breaker-recovery-007",
    what: "a stopped run is resumed: counts begin anew, its history stays",
    play: () => resumedFrom(stopped),
    ours: [noStreaks, ["append_event", "admit_next"]],
  },
  {
    id: "breaker-recovery-009",
    what: "what is stopped is not stopped again",
    play: () => pause(runIn(stopped)).isDone,
    ours: false,
  },
];

function resumedFrom(state: RunState): readonly unknown[] {
  const answer = resume(runIn(state, { streaks: recovering }), {});
  return answer.isDone ? [answer.move.run.streaks, answer.move.effects.map(({ kind }) => kind)] : [];
}

const compile = printing("Error: Failed to compile src/main.ts");
const module = (line: number) => printing(`Error: Cannot find module 'express' at line ${line}`);
const sameErrors = (results: readonly Played[]) => playRun(results).run.streaks.sameError;

const errors: readonly Row[] = [
  { id: "same-error-001", what: "no history", play: () => sameErrors([compile]), ours: 1 },
  {
    id: "same-error",
    what: "three times an event that is no error",
    play: () => sameErrors(times(3, printing('{"type":"result","is_error":false,"result":"ok"}'))),
    ours: 0,
  },
  {
    id: "same-error-003",
    what: "the same error four times",
    play: () => [sameErrors(times(4, compile)), lastDecision(times(4, compile))],
    ours: [4, "continue: as_planned"],
    why: "the peer is stuck after three past ones; our limit is five in a row, and these iterations also wrote something",
  },
  {
    id: "same-error",
    what: "other errors each time",
    play: () => sameErrors([compile, printing("Error: out of memory"), printing("fatal: no such branch")]),
    ours: 1,
  },
  {
    id: "same-error-005",
    what: "no line is an error",
    play: () => sameErrors(times(3, printing("compiled\n0 errors"))),
    ours: 0,
  },
  {
    id: "same-error",
    what: "the same error with other noise around it",
    play: () =>
      sameErrors([1, 2, 3].map((n) => printing(`{"id":"${n}"}\nstep ${n}\nError: Failed to compile src/main.ts\n`))),
    ours: 3,
  },
  {
    id: "same-error-007",
    what: "a diff about handlers of errors",
    play: () => sameErrors(times(4, printing("@@ -1 +1 @@\n-class ErrorHandler {\n+  handleError(error: Error) {"))),
    ours: 0,
  },
  {
    id: "same-error-009",
    what: "the same error at other lines",
    play: () => sameErrors([module(42), module(43), module(42)]),
    ours: 3,
  },
  {
    id: "same-error",
    what: "the same error five times, and once more",
    play: () => decisions(times(6, compile)).slice(3),
    ours: ["continue: as_planned", "continue: recover", "stop: same_error"],
  },
];

const acting = (actions: string): Played => ({ actions, progress: idle });
const working = (actions: string): Played => ({ actions });
const failing = (actions: string): Played => ({ actions, error: failure("e"), progress: idle });

const stuck: readonly Row[] = [
  {
    id: "stuck-001",
    what: "three times the same",
    play: () => lastDecision(times(3, acting("A"))),
    ours: "continue: recover",
  },
  {
    id: "stuck",
    what: "four times the same",
    play: () => lastDecision(times(4, acting("A"))),
    ours: "stop: same_action",
  },
  {
    id: "stuck-003",
    what: "twice the same, in an error",
    play: () => lastDecision(times(2, failing("A"))),
    ours: "continue: replan",
    why: "the peer says nothing yet; an iteration costs more than its single actions, so ours is told at the second",
  },
  {
    id: "stuck",
    what: "three times the same, in an error",
    play: () => lastDecision(times(3, failing("A"))),
    ours: "continue: recover",
  },
  {
    id: "stuck-005",
    what: "four times the same, in an error",
    play: () => lastDecision(times(4, failing("A"))),
    ours: "stop: same_action",
  },
  {
    id: "stuck",
    what: "there and back, six times",
    play: () => decisions([..."ABABAB"].map((each) => acting(each))).slice(1),
    ours: ["continue: as_planned", "continue: recover", "stop: no_progress"],
  },
  {
    id: "stuck-007",
    what: "other actions each time",
    play: () => lastDecision([..."ABCDE"].map((each) => working(each))),
    ours: "continue: as_planned",
  },
  {
    id: "stuck",
    what: "the same action each time, and each time something new comes of it",
    play: () => lastDecision(times(6, working("write the next chapter"))),
    ours: "continue: as_planned",
  },
  {
    id: "stuck",
    what: "a message of the user in between",
    play: () => lastDecision([readingOnly], { streaks: recovering, unreadMessages: 1 }),
    ours: "continue: replan",
  },
  {
    id: "stuck",
    what: "waiting for a provider is never stuck",
    play: () =>
      playRun(
        times(5, {
          kind: "provider_fault",
          fault: { kind: "hold", untilMs: 1, why: "busy" },
          atMs: 0,
          artifacts: [],
          wasHeard: true,
        } as const),
      ).run.streaks,
    ours: noStreaks,
  },
];

const openStep = { steps: [makeStep()] };
const planCheck: Check = makeCheck({ id: "plan", deliverableId: null, target: { kind: "plan_complete" } });
const redPlan = makeProof({ checkId: "plan", isGreen: false, seen: "1 step is open" });
const tried = (status: "failed" | "in_progress"): Played => ({
  progress: idle,
  plan: { steps: [makeStep({ status })] },
});

const rules: readonly Row[] = [
  {
    id: "loop-rules-001",
    what: "a claim while a step is open",
    play: () =>
      lastDecision([{ claim, plan: openStep, proofs: [...green, redPlan] }], { checks: [makeCheck(), planCheck] }),
    ours: "continue: mend_what_failed",
  },
  {
    id: "loop-rules",
    what: "a claim while a check was not run",
    play: () => lastDecision([{ claim, proofs: green }], { checks: [makeCheck(), planCheck] }),
    ours: "continue: mend_what_failed",
  },
  {
    id: "loop-rules-003",
    what: "a claim over an unread message",
    play: () => lastDecision([{ claim, proofs: green }], { unreadMessages: 1 }),
    ours: "continue: replan",
  },
  {
    id: "loop-rules-005",
    what: "canceled while it was finishing: the worker's fence is old",
    play: () => canceledMeanwhile(),
    ours: ["canceled", true],
  },
  {
    id: "loop-rules",
    what: "canceled after it had finished",
    play: () => cancel(playRun([done]).run).isDone,
    ours: false,
    why: "the peer lets cancel win; what is committed first stays, as the report is out",
  },
  {
    id: "loop-rules-007",
    what: "the same step fails again and again",
    play: () =>
      lastDecision([
        tried("in_progress"),
        tried("failed"),
        tried("in_progress"),
        tried("failed"),
        tried("in_progress"),
      ]),
    ours: "stop: no_progress",
    why: "the peer abandons the task; ours tries to recover, then stops and says so, and only the planner drops a step",
  },
  {
    id: "loop-rules-009",
    what: "three iterations with calls that are malformed",
    play: () => decisions(times(4, { hasToolMiss: true })).slice(2),
    ours: ["continue: recover", "stop: tool_missing"],
    why: "the peer stops at the third; ours has one iteration with wider tools",
  },
  {
    id: "loop-rules-011",
    what: "finished on the last allowed iteration",
    play: () => lastDecision([{}, done], { budget: { ...defaultBudget, maxIterations: 2 } }),
    ours: "complete",
  },
];

function canceledMeanwhile(): readonly unknown[] {
  const before = makeRun();
  const finished = playRun([done], before).run;
  const answer = cancel(before);
  return answer.isDone ? [answer.move.run.state.status, answer.move.run.fence > finished.fence] : [];
}

const accounting: readonly Row[] = [
  {
    id: "accounting-001",
    what: "concluding adds nothing to what the ledger counted",
    play: () => playRun(times(3, { actions: null }), { spent: { ...nothingSpent, tokens: 70 } }).run.spent.tokens,
    ours: 70,
  },
  {
    id: "accounting-003",
    what: "a job of an earlier iteration changes nothing",
    play: () => take(runIn({ status: "running", iteration: 3, hold: null }), 2, 1).kind,
    ours: "stale",
  },
  {
    id: "accounting-005",
    what: "a call beyond a hard limit",
    play: () =>
      allowsCall(
        { ...defaultBudget, maxCostMicroUsd: 100, isCostHard: true },
        { ...nothingSpent, costMicroUsd: 60 },
        41,
      ),
    ours: false,
  },
  {
    id: "accounting-007",
    what: "an iteration that ended in an error",
    play: () => lastDecision([makeResult({ error: failure("e") })]),
    ours: "continue: as_planned",
    why: "the peer blocks its goal; ours goes on until the same error has come five times",
  },
];

export const loopRows: readonly Row[] = [...breakers, ...errors, ...stuck, ...rules, ...accounting];

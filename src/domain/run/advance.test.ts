import { expect, test } from "vitest";
import {
  idle,
  makeCheck,
  makeClaim,
  makeProof,
  makeQuestion,
  makeResult,
  makeRun,
} from "../../../test/helpers/make-run.ts";
import { advance } from "./advance.ts";
import type { Effect } from "./effects.ts";
import { decide } from "./gate/exit-gate.ts";
import { noStreaks } from "./gate/streaks.ts";
import type { IterationResult } from "./iteration-result.ts";
import type { RunningRun } from "./run.ts";

/** Judges and advances, as the loop does. */
function play(run: Partial<RunningRun>, result: IterationResult) {
  const before = makeRun(run);
  return advance(before, result, decide(before, result));
}

const kinds = (effects: readonly Effect[]) =>
  effects.map((effect) => (effect.kind === "append_event" ? effect.event.type : effect.kind));
const hold: IterationResult = {
  kind: "provider_fault",
  fault: { kind: "hold", untilMs: 99, why: "busy" },
  atMs: 9,
  artifacts: [],
  wasHeard: true,
};

test("going on stays running and enqueues the next iteration", () => {
  const { run, effects } = play({}, makeResult());
  expect(run.state).toEqual({ status: "running", iteration: 2, hold: null });
  expect(kinds(effects)).toEqual([
    "end_iteration",
    "keep_proofs",
    "checks_proven",
    "iteration_completed",
    "enqueue_iteration",
  ]);
});

test("checks are counted by the run's own, also those that came with this iteration and were not looked at", () => {
  const told = (result: IterationResult, hasPromised: boolean) => {
    const run = makeRun({ checks: [makeCheck(), makeCheck({ id: "new" })] });
    const { effects } = advance(run, result, decide(run, result), { changes: [], asked: [], why: "", hasPromised });
    return effects.flatMap((effect) =>
      effect.kind === "append_event" && effect.event.type === "checks_proven" ? [effect.event] : [],
    );
  };
  const proofs = [makeProof(), makeProof({ checkId: "of another run" })];
  expect(told(makeResult({ proofs }), false)).toMatchObject([{ green: 1, of: 2 }]);
  expect(told(makeResult({ proofs: [] }), true)).toMatchObject([{ green: 0, of: 2 }]);
  expect(told(makeResult({ proofs: [] }), false)).toEqual([]);
});

test("what nobody heard is said to be unheard", () => {
  const { effects } = play({}, makeResult({ wasHeard: false }));
  expect(effects).toContainEqual({
    kind: "append_event",
    event: expect.objectContaining({ type: "iteration_completed", is_unheard: true }),
  });
});

test("a hold enqueues the same iteration for later and counts nothing", () => {
  const { run, effects } = play({}, hold);
  expect(run.state).toMatchObject({ status: "running", iteration: 1, hold: { untilMs: 99 } });
  expect(run.streaks).toEqual(noStreaks);
  expect(effects).toContainEqual({ kind: "enqueue_iteration", iteration: 1, notBeforeMs: 99 });
  expect(kinds(effects)).toEqual(["run_holding", "enqueue_iteration"]);
});

test.each([
  ["completed", makeResult({ claim: makeClaim(), proofs: [makeProof()] }), "run_completed"],
  ["stopped", makeResult({ wasRefused: true }), "run_stopped"],
] as const)("a run that is %s writes its report, tells the user once and frees its slot", (status, result, event) => {
  const { run, effects } = play({}, result);
  expect(run.state.status).toBe(status);
  expect(kinds(effects).filter((kind) => kind !== "keep_proofs" && kind !== "checks_proven")).toEqual([
    "end_iteration",
    "iteration_completed",
    event,
    "write_report",
    "notify_user",
    "admit_next",
  ]);
});

test("a run that waits tells the user and frees its slot, without a report", () => {
  const { run, effects } = play({}, makeResult({ questions: [makeQuestion()] }));
  expect(run.state.status).toBe("waiting_on_user");
  expect(kinds(effects).slice(4)).toEqual(["run_waiting_on_user", "notify_user", "admit_next"]);
});

test("the chance to recover is remembered, so it is given once", () => {
  const stuck = makeResult({ progress: idle });
  let run = makeRun();
  const went: string[] = [];
  for (let n = 0; n < 6 && run.state.status === "running"; n++) {
    const decision = decide(run, stuck);
    went.push(decision.kind === "continue" ? decision.next : decision.kind);
    run = advance(run, stuck, decision).run as RunningRun;
  }
  expect(went).toEqual(["as_planned", "as_planned", "recover", "stop"]);
});

test("what the user said and nobody heard is unread again, unless the same iteration goes on", () => {
  const after = (result: IterationResult) => kinds(play({}, result).effects).includes("unread_messages");
  expect([after(makeResult()), after(makeResult({ wasHeard: false })), after({ ...hold, wasHeard: false })]).toEqual([
    false,
    true,
    false,
  ]);
});

test("a provider that refuses us stops the run in the middle: nothing is ended", () => {
  const { run, effects } = play({}, { ...hold, fault: { kind: "auth", why: "no" } });
  expect(run.state).toMatchObject({ status: "stopped", iteration: 1, reason: "provider_auth" });
  expect(kinds(effects)).toEqual(["interrupt_iteration", "run_stopped", "write_report", "notify_user", "admit_next"]);
});

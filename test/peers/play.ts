// Plays what peers' tests describe through our own rules: whole runs through `conclude`, texts through the readers. A row
// names the peer's case, what we answer, and why where that is another answer than the peer's.

import { conclude } from "../../src/domain/run/conclude.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import { claimsDone } from "../../src/domain/run/gate/claim.ts";
import type { Decision } from "../../src/domain/run/gate/exit-gate.ts";
import type { IterationResult, WorkedIteration } from "../../src/domain/run/iteration-result.ts";
import { outputErrorFingerprint } from "../../src/domain/run/output/error-lines.ts";
import { parseStatusBlock } from "../../src/domain/run/output/status-block.ts";
import type { Run, RunningRun, RunState } from "../../src/domain/run/run.ts";
import { idle, makeProof, makeResult, makeRun } from "../helpers/make-run.ts";

/** An id without a number: a case of the same kind that is ours. */
export type Row = {
  readonly id: string;
  readonly what: string;
  readonly play: () => unknown;
  readonly ours: unknown;
  /** What the peer answers, and why we do not. */
  readonly why?: string;
};

export type Played = Partial<WorkedIteration> | Extract<IterationResult, { kind: "provider_fault" }>;

/** What is decided after each iteration, until the run no longer runs; and the run as it is then. */
export function playRun(
  results: readonly Played[],
  over: Partial<RunningRun> = {},
): { readonly decisions: readonly string[]; readonly run: Run } {
  let run: Run = makeRun(over);
  const decisions: string[] = [];
  for (const result of results) {
    if (run.state.status !== "running") break;
    const running = { ...run, state: run.state };
    const worked = "fault" in result ? result : makeResult(result);
    const { decision, move } = conclude(running, worked, defaultBreakers);
    decisions.push(shown(decision));
    run = move.run;
  }
  return { decisions, run };
}

export const decisions = (results: readonly Played[], over: Partial<RunningRun> = {}): readonly string[] =>
  playRun(results, over).decisions;

export const lastDecision = (results: readonly Played[], over: Partial<RunningRun> = {}): string | undefined =>
  decisions(results, over).at(-1);

function shown(decision: Decision): string {
  if (decision.kind === "stop") return `stop: ${decision.reason}`;
  return decision.kind === "continue" ? `continue: ${decision.next}` : decision.kind;
}

export const times = <T>(count: number, what: T): readonly T[] => Array.from({ length: count }, () => what);

/** Nothing was written: it read, or ran tests. */
export const readingOnly: Played = { progress: idle };

/** An iteration that ends with this text. */
export function saying(text: string, over: Partial<WorkedIteration> = {}): Partial<WorkedIteration> {
  const parsed = parseStatusBlock(text);
  return { claim: parsed.kind === "found" ? parsed.claim : null, ...over };
}

/** An iteration whose program printed this. */
export function printing(output: string): Partial<WorkedIteration> {
  const fingerprint = outputErrorFingerprint(output);
  return { error: fingerprint === null ? null : { fingerprint, text: output } };
}

/** Whether a text claims that all is done. */
export function saysDone(text: string): boolean {
  const parsed = parseStatusBlock(text);
  return parsed.kind === "found" && claimsDone(parsed.claim);
}

export const block = (...fields: readonly string[]): string =>
  ["BUILDOS_HOMEWORK_STATUS:", ...fields.map((field) => `  ${field}`)].join("\n");

/** It claims to be done, and its check is green. */
export const done = saying(block("exit_signal: true", "remaining_work: []"), { proofs: [makeProof()] });

export const stopped: RunState = { status: "stopped", iteration: 4, reason: "no_progress", detail: "" };
export const runIn = (state: RunState, over: Partial<Run> = {}): Run => ({ ...makeRun(), ...over, state });

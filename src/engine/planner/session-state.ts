// What a session has said and done so far. It is filled from what the journal answers, so another attempt fills it the same.

import type { ArtifactRef, Plan } from "../../domain/plan/plan.ts";
import type { AskedOfUser, EndedSession, WantedStep } from "../../domain/planner/answer.ts";
import type { SaidMessage } from "../../domain/planner/said-message.ts";
import type { StepWork } from "../../domain/planner/update-plan.ts";
import type { CallLine, ExecutorReport } from "../../domain/planner/view.ts";
import type { Action } from "../../domain/run/gate/fingerprint.ts";
import type { Proposal } from "../../domain/run/iteration-result.ts";
import type { CalledTool } from "../tools/call-tool.ts";

export type SessionState = {
  plan: Plan;
  proposed: Proposal | null;
  /** Steps that were called done before anything was written for them. */
  wantedDone: readonly WantedStep[];
  ended: EndedSession | null;
  /** What it last wanted to end with, where it was told why it may not. */
  refusedEnd: EndedSession | null;
  /** The document that keeps the answer to a question. */
  answer: { readonly id: string; readonly title: string } | null;
  hasMiss: boolean;
  /** An executor was told something by the user that the planner has not read yet. */
  hasNews: boolean;
  /** It said "done" and was told which checks did not pass. */
  isToldOfChecks: boolean;
  /** How many were sent out in this iteration. */
  executors: number;
  /** Messages of the user that came while it went on. */
  readonly heard: SaidMessage[];
  readonly questions: AskedOfUser[];
  readonly calls: CallLine[];
  readonly actions: Action[];
  readonly work: StepWork[];
  readonly reports: ExecutorReport[];
  /** What it and its executors made or changed. */
  readonly made: ArtifactRef[];
  /** What failed, with its reason. */
  readonly failures: string[];
};

export const newSession = (plan: Plan): SessionState => ({
  plan,
  proposed: null,
  wantedDone: [],
  ended: null,
  refusedEnd: null,
  answer: null,
  hasMiss: false,
  hasNews: false,
  isToldOfChecks: false,
  executors: 0,
  heard: [],
  questions: [],
  calls: [],
  actions: [],
  work: [],
  reports: [],
  made: [],
  failures: [],
});

/** Takes note of a call, the planner's own or, with its step, an executor's. */
export function noteCall(session: SessionState, called: CalledTool, stepId: string | null = null): void {
  const { outcome, line, isMiss, args, kind } = called;
  session.calls.push(line);
  // It does what was missing, perhaps.
  session.refusedEnd = null;
  session.hasMiss ||= isMiss;
  if (!outcome.ok) session.failures.push(`${line.tool}: ${outcome.text}`);
  if (kind === "write" || kind === "outside") session.actions.push({ tool: line.tool, args, stepId });
  if (!outcome.ok || outcome.artifacts.length === 0) return;
  session.made.push(...outcome.artifacts);
  if (stepId !== null) session.work.push({ stepId, artifacts: outcome.artifacts });
}

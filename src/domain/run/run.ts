// What a run is: a durable loop on one objective. The status carries exactly the facts that hold in it, so a run that is
// completed without proofs, or waits without a question, cannot be written down.

import type { Brand } from "../../lib/brand.ts";
import type { TaskId } from "../homr/tasks/task-id.ts";
import type { UserId } from "../identity/identity.ts";
import type { Plan } from "../plan/plan.ts";
import type { ForeignText } from "../policy/foreign-text.ts";
import type { Budget, Spent } from "./budget/budget.ts";
import type { Check, Deliverable, Proof } from "./checks/check.ts";
import type { Best } from "./gate/best.ts";
import type { Streaks } from "./gate/streaks.ts";
import type { Proposal } from "./iteration-result.ts";
import type { Question } from "./question.ts";
import type { Closing } from "./report/closing.ts";
import type { RunModels } from "./run-models.ts";
import type { StopReason } from "./stop-reason.ts";

export type RunId = Brand<string, "RunId">;
export type NonEmpty<T> = readonly [T, ...T[]];

export const engines = ["planner", "agent"] as const;
export type EngineName = (typeof engines)[number];

/** Where a run may look and write. */
export type RunScope =
  | { readonly kind: "global" }
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "multi_project"; readonly projectIds: NonEmpty<string> };

export const writeModes = ["autopilot", "approve_plan", "per_write"] as const;

export type Permission = {
  readonly writeMode: (typeof writeModes)[number];
  /** Null: every tool the engine has. */
  readonly allowedTools: readonly string[] | null;
};

/** What the person was looking at when they handed the objective over. */
export type RunContext = { readonly type: string; readonly entityId: string | null };

/** How the next iteration should go about it. */
export const nextHints = ["as_planned", "mend_what_failed", "replan", "recover", "confirm_done"] as const;
export type NextHint = (typeof nextHints)[number];

/** Its next iteration, and why. */
export type Guidance = { readonly next: NextHint; readonly why: string };

export type Run = {
  readonly id: RunId;
  readonly userId: UserId;
  readonly objective: string;
  /** What others wrote and the user handed over with it; never an instruction. */
  readonly foreignTexts: readonly ForeignText[];
  readonly scope: RunScope;
  readonly context: RunContext;
  readonly engine: EngineName;
  /** For an agent: the repository that it works on, on its host; null: a folder of its own. */
  readonly workFolder: string | null;
  readonly permission: Permission;
  /** Null: those of the installation. */
  readonly models: RunModels | null;
  /** IANA name: the user's, so that "tomorrow" means theirs. */
  readonly timeZone: string;
  /** The user's choice: whether a judge reads every deliverable before the run is done. */
  readonly isJudged: boolean;
  readonly budget: Budget;
  readonly spent: Spent;
  readonly streaks: Streaks;
  /** The furthest it has ever been; progress is measured against it. */
  readonly best: Best;
  readonly plan: Plan;
  /** Named by the planner and shown to the user; who may change them: `adopt.ts`. */
  readonly deliverables: readonly Deliverable[];
  readonly checks: readonly Check[];
  /** What the checks showed when the platform last ran them. */
  readonly lastProofs: readonly Proof[];
  /** A change of checks that waits for the user's approval. */
  readonly awaited: Proposal | null;
  /** The last one that was given. */
  readonly closing: Closing | null;
  /** From the last decision to go on; null before the first. */
  readonly guidance: Guidance | null;
  /** How much work remained according to the last claim; null where none was made yet. */
  readonly remaining: number | null;
  /** Messages and answers of the user that no iteration has seen yet. */
  readonly unreadMessages: number;
  /** The last iteration that messages of the user reached; null before the first. */
  readonly heardIn: number | null;
  /** Holds in a row of the iteration that is due, since when, and whether the user was told; null where it is not held. */
  readonly holds: Holds | null;
  /** Workers that ended in the middle of the iteration that is due, without a word. */
  readonly deaths: number;
  /** The run and iteration this one was forked from. */
  readonly forkedFrom: { readonly runId: RunId; readonly iteration: number } | null;
  /** The run that had ended and that this one follows up; null: it follows none. */
  readonly followsRunId: RunId | null;
  /** The task of an outcome that it is an attempt at; null: it stands by itself. */
  readonly outcomeTaskId: TaskId | null;
  /** Raised by every claim and by every command that takes the run away from its worker. */
  readonly fence: number;
  readonly state: RunState;
};

/** `iteration` is the one that is due or under way; in an end state, the last one that was committed. */
export type RunState =
  /** In line for a slot, or with a slot and its first job not taken yet. */
  | { readonly status: "queued"; readonly iteration: number; readonly hasSlot: boolean }
  /** Also between two iterations and while a provider makes it wait: people never see it flicker. */
  | { readonly status: "running"; readonly iteration: number; readonly hold: Hold | null }
  | { readonly status: "waiting_on_user"; readonly iteration: number; readonly questions: NonEmpty<Question> }
  | { readonly status: "completed"; readonly iteration: number; readonly proofs: NonEmpty<Proof> }
  | { readonly status: "stopped"; readonly iteration: number; readonly reason: StopReason; readonly detail: string }
  | { readonly status: "failed"; readonly iteration: number; readonly detail: string }
  | { readonly status: "canceled"; readonly iteration: number };

export const runStatuses = [
  "queued",
  "running",
  "waiting_on_user",
  "completed",
  "stopped",
  "failed",
  "canceled",
] as const satisfies readonly RunState["status"][];
export type RunStatus = RunState["status"];
export type InStatus<S extends RunStatus> = Run & { readonly state: Extract<RunState, { readonly status: S }> };
export type RunningRun = InStatus<"running">;

/** The same iteration again, later: a provider's limit is neither a failure nor progress. */
export type Hold = { readonly untilMs: number; readonly why: string };

export type Holds = {
  readonly count: number;
  readonly sinceMs: number;
  readonly isTold: boolean;
  /** What the run had spent when the first of them began; what comes on top was paid for the provider's faults. */
  readonly costMicroUsd: number;
  readonly tokens: number;
};

/** An attempt at a task is over: nothing more comes of it by itself. A paused run goes on when someone resumes it. */
export const isAttemptOver = (state: RunState): boolean =>
  isTerminal(state.status) || (state.status === "stopped" && state.reason !== "paused");

/** For a sentence, after "it is". */
export const tellStatus = (status: RunStatus): string =>
  status === "waiting_on_user" ? "waiting for an answer" : status;

/** Nothing moves a run out of these. A stopped one can be resumed. */
const terminalStatuses = ["completed", "failed", "canceled"] as const satisfies readonly RunStatus[];

export function isTerminal(status: RunStatus): boolean {
  return (terminalStatuses as readonly RunStatus[]).includes(status);
}

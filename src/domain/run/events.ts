// What happens to a run, as its history keeps it and its pages are made from. Names are nouns with verbs in the past.

import type { Spent } from "./budget.ts";
import type { UserAnswer } from "./commands.ts";
import type { EndedIteration } from "./effects.ts";
import type { Decision } from "./exit-gate.ts";
import type { PriceSource } from "./price.ts";
import type { Question, Run, StopReason } from "./run.ts";

/** What a run was handed over with. */
export type RunConfig = Pick<Run, "engine" | "scope" | "context" | "budget" | "permission" | "models">;

export const configOf = ({ engine, scope, context, budget, permission, models }: Run): RunConfig => ({
  engine,
  scope,
  context,
  budget,
  permission,
  models,
});

/** What the report says of the end, and where it is; added when the report is written. */
export type ReportedEnd = {
  readonly summary: string;
  readonly stopReason: { readonly type: string; readonly detail: string };
  readonly reportRef: string;
};

export type RunEvent =
  | {
      readonly type: "run_created";
      readonly objective: string;
      readonly maxIterations: number;
      /** How many it was handed over with. */
      readonly checks: number;
      /** What it goes on from; null for one that begins. */
      readonly why: string | null;
    }
  | { readonly type: "run_admitted"; readonly iteration: number }
  | { readonly type: "run_started"; readonly objective: string; readonly config: RunConfig }
  | { readonly type: "iteration_started"; readonly iteration: number; readonly attempt: number }
  | {
      readonly type: "iteration_completed";
      readonly iteration: number;
      readonly status: EndedIteration["status"];
      readonly summary: string;
      readonly decision: Decision["kind"];
      readonly why: string;
      /** What it took up nobody heard: the next one takes it up again. */
      readonly isUnheard?: true;
      /** What the iteration used; the store knows it when it commits. */
      readonly metrics?: Omit<Spent, "unpricedCalls">;
    }
  /** Its worker stopped in good order and let go of it; another one goes on. */
  | { readonly type: "iteration_released"; readonly iteration: number }
  /** One piece of work inside an iteration is done and will not be done again. */
  | {
      readonly type: "step_recorded";
      readonly iteration: number;
      readonly step: string;
      readonly summary: string;
      /** Who did it; left out: the planner. */
      readonly lane?: string;
      readonly isFailed?: true;
      /** The iteration has taken up all that the user said; left out: what is unread stays so. */
      readonly unread?: 0;
      /** The platform's own notes; pages show them only to who asks for everything. */
      readonly isBookkeeping?: true;
    }
  /** The platform has run the checks, or there are new ones. */
  | { readonly type: "checks_proven"; readonly iteration: number; readonly green: number; readonly of: number }
  /** Money and tokens after a model's answer, or after one was given up, for this run as a whole. */
  | {
      readonly type: "iteration_cost_update";
      readonly iteration: number;
      readonly model: string;
      readonly costMicroUsd: number;
      readonly pricedBy: PriceSource;
      readonly tokens: number;
      readonly totalCostMicroUsd: number;
      readonly totalTokens: number;
    }
  | {
      readonly type: "run_holding";
      readonly iteration: number;
      readonly untilMs: number;
      readonly why: string;
      /** The user was notified of the wait. */
      readonly isTold?: true;
    }
  /** What the run is measured by is different now, or will be once the user approves. */
  | {
      readonly type: "checks_changed";
      readonly iteration: number;
      /** One sentence each. */
      readonly changes: readonly string[];
      readonly why: string;
      readonly isAwaiting?: true;
    }
  | {
      readonly type: "run_waiting_on_user";
      readonly iteration: number;
      readonly questions: readonly Question[];
      readonly why: string;
    }
  | ({ readonly type: "run_completed"; readonly iteration: number; readonly why: string } & Partial<ReportedEnd>)
  | ({
      readonly type: "run_stopped";
      readonly iteration: number;
      readonly reason: StopReason;
      readonly why: string;
    } & Partial<ReportedEnd>)
  | { readonly type: "run_failed"; readonly iteration: number; readonly why: string }
  | { readonly type: "run_canceled"; readonly iteration: number }
  | { readonly type: "run_resumed"; readonly iteration: number; readonly maxIterations: number }
  | { readonly type: "run_answered"; readonly iteration: number; readonly answers: readonly UserAnswer[] }
  | { readonly type: "run_steered"; readonly iteration: number; readonly message: string }
  /** What it wrote was taken back; `left` is what stays because of others. */
  | {
      readonly type: "run_undone";
      readonly iteration: number;
      readonly removed: number;
      readonly restored: number;
      readonly left: number;
    };

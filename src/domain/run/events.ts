// What happens to a run, as its history keeps it and its pages are made from. Names are nouns with verbs in the past.

import type { UserAnswer } from "./commands.ts";
import type { EndedIteration } from "./effects.ts";
import type { Decision } from "./exit-gate.ts";
import type { PriceSource } from "./price.ts";
import type { Question, StopReason } from "./run.ts";

export type RunEvent =
  | { readonly type: "run_created"; readonly objective: string }
  | { readonly type: "run_admitted"; readonly iteration: number }
  | { readonly type: "run_started"; readonly objective: string }
  | { readonly type: "iteration_started"; readonly iteration: number; readonly attempt: number }
  | {
      readonly type: "iteration_completed";
      readonly iteration: number;
      readonly status: EndedIteration["status"];
      readonly summary: string;
      readonly decision: Decision["kind"];
      readonly why: string;
    }
  /** One piece of work inside an iteration is done and will not be done again. */
  | {
      readonly type: "step_recorded";
      readonly iteration: number;
      readonly step: string;
      readonly summary: string;
      /** The platform's own notes; pages show them only to who asks for everything. */
      readonly isBookkeeping?: true;
    }
  /** The platform has run the checks. */
  | { readonly type: "checks_proven"; readonly iteration: number; readonly green: number; readonly of: number }
  /** Money and tokens after a model's answer, for this run as a whole. */
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
  | { readonly type: "run_holding"; readonly iteration: number; readonly untilMs: number; readonly why: string }
  | {
      readonly type: "run_waiting_on_user";
      readonly iteration: number;
      readonly questions: readonly Question[];
      readonly why: string;
    }
  | { readonly type: "run_completed"; readonly iteration: number; readonly why: string }
  | { readonly type: "run_stopped"; readonly iteration: number; readonly reason: StopReason; readonly why: string }
  | { readonly type: "run_failed"; readonly iteration: number; readonly why: string }
  | { readonly type: "run_canceled"; readonly iteration: number }
  | { readonly type: "run_resumed"; readonly iteration: number }
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

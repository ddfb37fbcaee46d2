// What happens to a run, as its history keeps it and its pages are made from. Names are nouns with verbs in the past.

import type { Spent } from "./budget.ts";
import type { Decision } from "./exit-gate.ts";
import type { Question, StopReason } from "./run.ts";

export type RunEvent =
  | { readonly type: "run_started"; readonly objective: string }
  | { readonly type: "iteration_started"; readonly iteration: number; readonly attempt: number }
  | {
      readonly type: "iteration_completed";
      readonly iteration: number;
      readonly summary: string;
      readonly decision: Decision["kind"];
      readonly why: string;
      readonly spent: Spent;
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
  | { readonly type: "run_resumed"; readonly iteration: number; readonly hasSlot: boolean }
  | { readonly type: "run_answered"; readonly iteration: number; readonly questionIds: readonly string[] }
  | { readonly type: "run_steered"; readonly iteration: number; readonly message: string };

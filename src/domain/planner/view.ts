// Everything a planner or an executor is shown first, before it becomes words: bounded whatever the age of the run. Prompts
// render it, the demo model reads it as it is.

import { z } from "zod";
import type { PlanStep } from "../plan/plan.ts";
import type { ForeignText } from "../policy/foreign-text.ts";
import type { Deliverable } from "../run/checks/check.ts";
import type { Guidance, Permission, RunContext } from "../run/run.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RunBefore } from "./run-before.ts";
import type { SaidMessage } from "./said-message.ts";

/** What every prompt knows. */
export type CommonView = {
  readonly runId: string;
  readonly iteration: number;
  readonly objective: string;
  /** What others wrote and the user handed over with the objective. */
  readonly foreignTexts: readonly ForeignText[];
  /** Everything the user has said to the run, oldest first. */
  readonly messages: readonly SaidMessage[];
  /** The day with its weekday, the time and the user's time zone. */
  readonly now: string;
  readonly projects: readonly NamedProject[];
  readonly workspace: Workspace;
  readonly permission: Permission;
};

/** `text`: a short one is shown whole, so that it need not be opened. */
export type ShownDocument = {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  /** Made by this run: what stands in it is no fact of the user's. */
  readonly isOwn: boolean;
  readonly length: number;
  readonly text: string | null;
};

/** What a run wrote down for itself. */
export type ShownNote = Omit<ShownDocument, "isOwn">;

/** What a project holds, so that the first answer can open what it needs. */
export type ProjectContents = {
  readonly id: string;
  readonly name: string;
  readonly documents: readonly ShownDocument[];
  readonly tasks: readonly {
    readonly id: string;
    readonly version: number;
    readonly title: string;
    readonly isOwn: boolean;
    readonly state: string;
    /** The day, in the user's time zone; null: none. */
    readonly dueOn: string | null;
  }[];
  /** There is more of either than is listed. */
  readonly hasMore: boolean;
};

export type PlannerView = CommonView & {
  readonly kind: "planner";
  /** What is known of the outcome that its task is a part of, in words; null: the run stands by itself. */
  readonly brief: string | null;
  /** The run that this one follows up; null: none. */
  readonly before: RunBefore | null;
  readonly notes: readonly ShownNote[];
  /** Of the few projects it works in; empty where there are many. */
  readonly contents: readonly ProjectContents[];
  readonly budget: readonly BudgetLine[];
  readonly scope: "global" | "project" | "multi_project";
  /** What the user was looking at when they handed the objective over. */
  readonly context: RunContext;
  /** `plan_only`: the user wants to see plan and checks before anything else is written. */
  readonly phase: "plan_only" | "work";
  readonly limits: SessionLimits;
  readonly plan: readonly PlanStep[];
  readonly deliverables: readonly Deliverable[];
  readonly checks: readonly CheckLine[];
  readonly guidance: Guidance | null;
  /** Said when it repeats itself. */
  readonly hint: string | null;
  readonly lastIteration: LastIteration | null;
  readonly remainingWorkLast: readonly string[];
  /** What it said at the end of the last iteration to be open or unsure. */
  readonly unsureLast: readonly string[];
  /** The summary for the user that the run gave when it last said it was done; else empty. */
  readonly summaryLast: string;
  /** One line for each of the last iterations, newest last. */
  readonly history: readonly { readonly iteration: number; readonly summary: string }[];
  /** The newest entries of the scratchpad. */
  readonly scratchpad: string;
  /** Decisions of the user about staged writes since the last iteration. */
  readonly decidedWrites: readonly { readonly summary: string; readonly decision: string }[];
};

/** How much one session may do. They are told to the model. */
export type SessionLimits = { readonly answers: number; readonly calls: number; readonly callsAtOnce: number };

export type BudgetLine = { readonly of: string; readonly used: number; readonly limit: number };
export type NamedProject = { readonly id: string; readonly name: string };

export type CheckLine = {
  readonly id: string;
  readonly about: string;
  /** Null before it was first run. */
  readonly isGreen: boolean | null;
  readonly seen: string;
};

export type LastIteration = {
  readonly iteration: number;
  readonly calls: readonly CallLine[];
  readonly reports: readonly ExecutorReport[];
  readonly artifacts: readonly { readonly kind: string; readonly id: string; readonly title: string }[];
  /** What it said of itself at its end. */
  readonly summary: string;
  readonly hasProgressed: boolean;
  readonly decision: string;
};

/** A call of a tool, in short. */
export const callLine = z.object({
  /** What `read_result` opens. */
  ref: z.string(),
  tool: z.string(),
  /** The key fields of its arguments. */
  args: z.string(),
  ok: z.boolean(),
  /** What it did, or why it failed, in a line. */
  said: z.string(),
  /** Characters of its whole answer. */
  length: z.number(),
});
export type CallLine = Readonly<z.output<typeof callLine>>;

/** What an executor brought back. */
export const executorReport = z.object({
  branchId: z.string(),
  title: z.string(),
  stepId: z.string().nullable(),
  ok: z.boolean(),
  text: z.string(),
});
export type ExecutorReport = Readonly<z.output<typeof executorReport>>;

/** What an executor is shown first; its own results then come back to it as messages. */
export type ExecutorView = CommonView & {
  readonly kind: "executor";
  readonly branchId: string;
  readonly limits: SessionLimits;
  readonly task: { readonly title: string; readonly instructions: string; readonly output: string };
  /** What the others who were sent out with it do. */
  readonly others: readonly string[];
};

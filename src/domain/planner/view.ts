// Everything a planner is shown, before it becomes words: bounded whatever the age of the run. The prompt renders it, the
// demo model reads it as it is.

import type { PlanStep } from "../plan/plan.ts";
import type { Deliverable } from "../run/checks.ts";
import type { Guidance, Permission } from "../run/run.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type PlannerView = {
  readonly runId: string;
  readonly objective: string;
  readonly iteration: number;
  readonly budget: readonly BudgetLine[];
  readonly scope: { readonly kind: "global" | "project" | "multi_project"; readonly projects: readonly NamedProject[] };
  readonly workspace: Workspace;
  readonly permission: Permission & {
    /** `plan_only`: the user wants to see plan and checks before anything else is written. */
    readonly phase: "plan_only" | "work";
  };
  readonly plan: readonly PlanStep[];
  readonly deliverables: readonly Deliverable[];
  readonly checks: readonly CheckLine[];
  /** Whether deliverables and checks are still to be proposed. */
  readonly mayPropose: boolean;
  readonly guidance: Guidance | null;
  /** Said when it repeats itself. */
  readonly hint: string | null;
  readonly streaks: { readonly noProgress: number; readonly sameAction: number; readonly toolMisses: number };
  readonly lastIteration: LastIteration | null;
  /** Work that failed: to be mended, without repeating what succeeded. */
  readonly failures: readonly { readonly stepId: string; readonly title: string; readonly errors: readonly string[] }[];
  readonly remainingWorkLast: readonly string[];
  /** What the user said since: answers, and messages that have to be taken up. */
  readonly answers: readonly { readonly questionId: string; readonly question: string; readonly text: string }[];
  readonly steering: readonly string[];
  /** One line for each of the last iterations, newest last. */
  readonly history: readonly { readonly iteration: number; readonly summary: string }[];
  /** The last three entries. */
  readonly scratchpad: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: unknown }[];
  /** Decisions of the user about staged writes since the last iteration. */
  readonly decidedWrites: readonly { readonly summary: string; readonly decision: string }[];
};

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
  readonly toolResults: readonly ToolResultLine[];
  readonly executorResults: readonly ExecutorResult[];
  readonly artifacts: readonly { readonly kind: string; readonly id: string; readonly title: string }[];
  readonly hasProgressed: boolean;
  readonly decision: string;
};

export type ToolResultLine = {
  /** What `read_result` opens. */
  readonly ref: string;
  readonly tool: string;
  /** The key fields of its arguments. */
  readonly args: string;
  readonly ok: boolean;
  readonly snippet: string;
  readonly isUntrusted: boolean;
};

export type ExecutorResult = {
  readonly branchId: string;
  readonly title: string;
  readonly stepId: string | null;
  readonly ok: boolean;
  readonly summary: string;
  /** The first 300 characters of what it found. */
  readonly resultSnippet: string;
  readonly documentId: string | null;
  readonly toolResults: readonly ToolResultLine[];
};

/** What an executor is shown first; its own results then come back to it as messages. */
export type ExecutorView = {
  readonly runId: string;
  readonly iteration: number;
  readonly branchId: string;
  readonly objective: string;
  readonly task: {
    readonly title: string;
    readonly instructions: string;
    readonly success: string;
    readonly stepId: string | null;
  };
  readonly projects: readonly NamedProject[];
  readonly workspace: Workspace;
  /** Its page; findings go there. */
  readonly branchDocumentId: string;
  readonly permission: Permission;
  /** What earlier work on this branch or step left behind. */
  readonly background: readonly string[];
};

// An outcome: what someone wants (intent), how it is gone about (approach), and the tasks that lead there, watched by HOMЯ.

import { z } from "zod";
import type { Brand } from "../../lib/brand.ts";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";
import type { UserId } from "../identity/identity.ts";
import type { Budget, Spent } from "../run/budget/budget.ts";
import type { EngineName, Permission } from "../run/run.ts";
import type { RunModels } from "../run/run-models.ts";
import type { AutoResolve, HomrConfig } from "./homr-config.ts";

export type OutcomeId = Brand<string, "OutcomeId">;

export const intentPriorities = ["critical", "high", "medium", "low"] as const;
export const intentItemStates = ["pending", "in_progress", "done"] as const;

const intentItem = z.object({
  id: z.string().min(1).max(40),
  title: z.string().min(1).max(300),
  description: z.string().max(4_000),
  acceptanceCriteria: z.array(z.string().min(1).max(500)).max(20),
  priority: z.enum(intentPriorities),
  status: z.enum(intentItemStates),
});

export const intent = z.object({
  summary: z.string().max(4_000),
  items: z.array(intentItem).max(50),
  successCriteria: z.array(z.string().min(1).max(500)).max(30),
});
export type Intent = ReadonlyDeep<z.infer<typeof intent>>;
export const noIntent: Intent = { summary: "", items: [], successCriteria: [] };

/** A version of the design document. The newest holds; the others are kept. */
export type Approach = { readonly version: number; readonly text: string };

/** `dormant`: not started, or laid aside. `paused`: its workers rest until someone resumes it. */
export const outcomeStatuses = ["active", "paused", "dormant", "achieved", "archived"] as const;
export type OutcomeStatus = (typeof outcomeStatuses)[number];

export const workersMax = 3;

export type Outcome = {
  readonly id: OutcomeId;
  readonly userId: UserId;
  readonly name: string;
  /** What was asked for, as it was said. */
  readonly brief: string;
  readonly intent: Intent;
  /** Null before there is one. */
  readonly approach: Approach | null;
  readonly status: OutcomeStatus;
  /** Where its runs write; null: each run has its own place. */
  readonly projectId: string | null;
  readonly engine: EngineName;
  /** For agents: the repository that they work on. */
  readonly workFolder: string | null;
  /** Null: those of the installation. */
  readonly models: RunModels | null;
  readonly permission: Permission;
  readonly timeZone: string;
  /** Tasks that may be worked on at once. */
  readonly workers: number;
  /** Of each run on a task. */
  readonly runBudget: Budget;
  /** For the whole: runs, observations, reviews. No task is begun once it is reached. */
  readonly maxCostMicroUsd: number | null;
  /** What HOMЯ and the runs on its tasks have cost. */
  readonly spent: Pick<Spent, "costMicroUsd" | "tokens" | "unpricedCalls">;
  readonly config: HomrConfig;
  readonly autoResolve: AutoResolve;
  /** Reviews in a row that found nothing. */
  readonly cleanReviews: number;
  /** The number that the next task gets. */
  readonly nextNumber: number;
  /** Raised by every edit of a person: an edit names the one it was made against. */
  readonly version: number;
};

// A task of an outcome. A worker is a run on it; a failed attempt is followed by another run, within its attempts.

import { z } from "zod";
import type { ReadonlyDeep } from "../../../lib/readonly-deep.ts";
import type { Check } from "../../run/checks/check.ts";
import type { RunId } from "../../run/run.ts";
import type { TaskId } from "./task-id.ts";

/** `paused` exactly while an open escalation that pauses names it. */
export const taskStatuses = ["pending", "running", "paused", "completed", "failed", "obsolete"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const taskMakers = ["user", "planner", "homr", "reviewer"] as const;

/** Something a person has to give before the task may begin. */
export const gate = z.object({
  id: z.string().min(1).max(40),
  kind: z.enum(["document_required", "human_approval"]),
  label: z.string().min(1).max(300),
  /** What was given; null while it is open. */
  given: z.string().max(10_000).nullable(),
  /** Its question was put to a person once: one that was dismissed is not put again. */
  isAsked: z.boolean().optional(),
});
export type Gate = ReadonlyDeep<z.infer<typeof gate>>;

/** How an attempt that led to nothing ended, for the next one. */
export const failedAttempt = z.object({
  attempt: z.number().int(),
  runId: z.string(),
  why: z.string(),
  /** The end of what it said. */
  tail: z.string(),
  /** Its run had read words of strangers. One that was kept before this was known may have. */
  isTainted: z.boolean().default(true),
});
export type FailedAttempt = ReadonlyDeep<z.infer<typeof failedAttempt>>;

/** Where an attempt got to, so that the next one does not begin from nothing. */
export const checkpoint = z.object({
  summary: z.string(),
  remaining: z.array(z.string()),
  /** As of a failed attempt. */
  isTainted: z.boolean().default(true),
});
export type Checkpoint = ReadonlyDeep<z.infer<typeof checkpoint>>;

export type OutcomeTask = {
  readonly id: TaskId;
  /** #1, #2, …: what people call it. */
  readonly number: number;
  readonly title: string;
  readonly description: string;
  /** Lower comes first. */
  readonly priority: number;
  readonly status: TaskStatus;
  /** All of them have to be completed, or obsolete, before it begins. */
  readonly dependsOn: readonly TaskId[];
  readonly gates: readonly Gate[];
  /** What its run has to show; more than what the planner names by itself. */
  readonly checks: readonly Check[];
  /** Attempts that were begun. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** How often the platform may still try it again by itself once its attempts are used up and nothing else can go on. */
  readonly autoRetriesLeft: number;
  /** While it is open: the run of the attempt under way, null between attempts. Once it has ended: the run of its last attempt. */
  readonly runId: RunId | null;
  readonly madeBy: (typeof taskMakers)[number];
  /** Why it was made or made obsolete, where HOMЯ did it. */
  readonly why: string | null;
  /** The task whose work it puts right. */
  readonly corrects: TaskId | null;
  /** The task it is a part of. */
  readonly splitOf: TaskId | null;
  /** How many splits lie between it and a task that was not split off. */
  readonly splitDepth: number;
  /** Its title or description holds words that may be a stranger's: in prompts they stand between fences. */
  readonly isTainted: boolean;
  readonly failures: readonly FailedAttempt[];
  readonly checkpoint: Checkpoint | null;
  /** Raised by every edit: an edit names the one it was made against. */
  readonly version: number;
};

export const usualPriority = 100;
export const correctivePriority = 1;
export const usualMaxAttempts = 3;
export const autoRetriesMax = 2;
/** Tasks that are neither completed nor obsolete: a list that grows beyond it is running away. */
export const openTasksMax = 100;
export const splitDepthMax = 3;

const openStatuses: readonly TaskStatus[] = ["pending", "running", "paused"];
/** Something is still to come of it. */
export const isOpenTask = ({ status }: OutcomeTask): boolean => openStatuses.includes(status);

/** Nothing waits for it, and nothing moves it any more. A failed one can be tried again. */
export const isSettledTask = ({ status }: OutcomeTask): boolean => status === "completed" || status === "obsolete";

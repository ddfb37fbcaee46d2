// What the tasks of an outcome know of each other: discoveries, decisions, constraints, and what was injected for certain tasks.
// Bounded: `compact-context.ts` keeps what is most relevant.

import type { DriftItem } from "../observe/observation.ts";
import type { TaskId } from "../tasks/task-id.ts";

/** Tasks something is for: some, or all that come. */
export type Audience = readonly TaskId[] | "every";

type Kept = {
  readonly id: string;
  readonly content: string;
  /** The task whose work it comes from; null: a person, or HOMЯ itself. */
  readonly sourceTaskId: TaskId | null;
  readonly atMs: number;
  /** It holds words that may be a stranger's: in prompts it stands between fences. */
  readonly isTainted: boolean;
};

export type Discovery = Kept & {
  readonly type: "constraint" | "dependency" | "pattern" | "decision" | "blocker";
  readonly audience: Audience;
  /** For a blocker: when it was resolved or expired; null while it holds. */
  readonly resolvedAtMs: number | null;
  /** From the owner's memory, not from this outcome. */
  readonly memoryId: string | null;
};

export type Decision = Kept & {
  readonly madeBy: "human" | "worker" | "homr";
  readonly context: string;
  readonly affectedAreas: readonly string[];
};

export type Constraint = Kept & {
  readonly type: "technical" | "business" | "dependency" | "resource";
  readonly isActive: boolean;
};

export const injectionPriorities = ["must_know", "should_know", "nice_to_know"] as const;

export type Injection = Kept & {
  readonly type: "discovery" | "warning" | "constraint" | "pattern" | "decision";
  readonly priority: (typeof injectionPriorities)[number];
  readonly audience: Audience;
  /** Why it was injected, for the activity log. */
  readonly reason: string;
};

export type OutcomeContext = {
  readonly discoveries: readonly Discovery[];
  readonly decisions: readonly Decision[];
  readonly constraints: readonly Constraint[];
  readonly injections: readonly Injection[];
  readonly stats: HomrStats;
};

export type HomrStats = {
  readonly tasksObserved: number;
  readonly discoveriesExtracted: number;
  readonly escalationsCreated: number;
  readonly steeringActions: number;
};

export const emptyContext: OutcomeContext = {
  discoveries: [],
  decisions: [],
  constraints: [],
  injections: [],
  stats: { tasksObserved: 0, discoveriesExtracted: 0, escalationsCreated: 0, steeringActions: 0 },
};

/** What made HOMЯ do something: told with everything it does. */
export type Cause =
  | { readonly kind: "drift"; readonly drift: DriftItem["type"]; readonly observationId: string }
  | { readonly kind: "discovery" | "wish" | "pattern" | "ambiguity"; readonly observationId: string }
  | { readonly kind: "answer"; readonly escalationId: string }
  | { readonly kind: "review"; readonly cycle: number }
  | { readonly kind: "supervision" | "user" };

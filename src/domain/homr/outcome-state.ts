// An outcome with all that its rules look at: its open tasks, what they know of each other, its open questions and the last
// observations. Bounded whatever its age. Every rule takes it and answers with a move: how it is afterwards, and what has to be done
// together with that, as data. A transaction with the outcome's row locked carries it out (src/homr/carry-out.ts).

import type { NewRun } from "../run/new-run.ts";
import type { RunId } from "../run/run.ts";
import type { Cause, OutcomeContext } from "./context/context.ts";
import type { Observation, ObservationSummary } from "./observe/observation.ts";
import type { Outcome } from "./outcome.ts";
import type { Escalation } from "./questions/escalation.ts";
import type { OutcomeTask } from "./tasks/task.ts";
import type { TaskId } from "./tasks/task-id.ts";

/** So many of the completed and obsolete tasks, the newest, stand in prompts beside the open ones. */
export const overMax = 20;

export type OutcomeState = {
  readonly outcome: Outcome;
  /** Those that are open or failed, those they depend on, the last ones that are over, and the one that is spoken of. */
  readonly tasks: readonly OutcomeTask[];
  readonly context: OutcomeContext;
  /** The open ones. */
  readonly escalations: readonly Escalation[];
  /** The newest last; as many as any rule looks back at. */
  readonly history: readonly ObservationSummary[];
};

export type OutcomeEffect =
  /** The run is in line when the move is committed; its prompt is built from the state at each iteration. */
  | { readonly kind: "start_run"; readonly taskId: TaskId; readonly run: NewRun }
  | { readonly kind: "pause_run" | "resume_run" | "cancel_run"; readonly runId: RunId; readonly why: string }
  | { readonly kind: "keep_observation"; readonly observation: Observation }
  | { readonly kind: "log"; readonly activity: NewActivity }
  | { readonly kind: "keep_approach"; readonly text: string; readonly why: string; readonly madeBy: ApproachMaker }
  | { readonly kind: "keep_intervention"; readonly intervention: Intervention }
  /** Tells the owner of an escalation, an achieved outcome, or one that cannot go on. */
  | { readonly kind: "notify_owner"; readonly about: "escalation" | "achieved" | "stopped"; readonly id: string }
  /** Ask a model to answer an escalation, or to review the outcome: jobs of their own. */
  | { readonly kind: "resolve_escalation"; readonly escalationId: string }
  | { readonly kind: "review" }
  /** Deadlines and supervision: look again then. */
  | { readonly kind: "look_again"; readonly atMs: number }
  | { readonly kind: "promote"; readonly discoveryId: string }
  /** Memories that stood in the brief of an attempt, and whether it went well. */
  | { readonly kind: "weigh_memories"; readonly memoryIds: readonly string[]; readonly hasHelped: boolean };

export type ApproachMaker = "user" | "planner" | "homr";

export const interventionTypes = ["add_task", "redirect", "pause", "priority_change"] as const;

/** What a person said to the workers. `acknowledged`: it stands in the prompts from now on; `completed`: it was done at once. */
export type Intervention = {
  readonly id: string;
  readonly type: (typeof interventionTypes)[number];
  readonly taskId: TaskId | null;
  readonly message: string;
  readonly status: "acknowledged" | "completed";
};

export const activityTypes = ["observation", "steering", "escalation", "resolution", "review", "supervision"] as const;

/** A line of the log: what HOMЯ did, and why. */
export type NewActivity = {
  readonly type: (typeof activityTypes)[number];
  readonly taskId: TaskId | null;
  readonly cause: Cause;
  readonly summary: string;
  /** JSON, for programs and for the drawer. */
  readonly details: Readonly<Record<string, unknown>>;
};

export type OutcomeMove = { readonly state: OutcomeState; readonly effects: readonly OutcomeEffect[] };

/** What rules need of the world: the time, and new ids. */
export type HomrWorld = { readonly nowMs: number; readonly newId: () => string };

export type Refused = { readonly isDone: false; readonly why: string };
export type Moved = { readonly isDone: true; readonly move: OutcomeMove };

// The kinds of things a user keeps in a project, and what each kind may hold.
// One table: stores, routes, pages and tools are generated from it.

export const entityKinds = ["task", "goal", "plan", "milestone", "document"] as const;
export type EntityKind = (typeof entityKinds)[number];

type KindSpec = {
  readonly table: `onto_${string}`;
  /** The word in URLs and headings. */
  readonly plural: string;
  /** First one is the default for a new entity. */
  readonly states: readonly [string, ...string[]];
  readonly defaultType: string;
  readonly hasPriority: boolean;
  readonly hasDueDate: boolean;
};

export const kindSpecs = {
  task: {
    table: "onto_tasks",
    plural: "tasks",
    states: ["todo", "in_progress", "blocked", "paused", "done", "obsolete"],
    defaultType: "task.default",
    hasPriority: true,
    hasDueDate: true,
  },
  goal: {
    table: "onto_goals",
    plural: "goals",
    states: ["draft", "active", "achieved", "abandoned"],
    defaultType: "goal.outcome",
    hasPriority: false,
    hasDueDate: true,
  },
  plan: {
    table: "onto_plans",
    plural: "plans",
    states: ["draft", "active", "completed", "abandoned"],
    defaultType: "plan.default",
    hasPriority: false,
    hasDueDate: false,
  },
  milestone: {
    table: "onto_milestones",
    plural: "milestones",
    states: ["pending", "in_progress", "completed", "missed"],
    defaultType: "milestone.default",
    hasPriority: false,
    hasDueDate: true,
  },
  document: {
    table: "onto_documents",
    plural: "documents",
    states: ["draft", "review", "published", "workspace", "archived"],
    defaultType: "document.note",
    hasPriority: false,
    hasDueDate: false,
  },
} as const satisfies Record<EntityKind, KindSpec>;

/** The edge that makes the tree of documents: `src` is the parent, `dst` the child. */
export const documentTreeRel = "document_has_document";

export const projectStates = ["active", "paused", "completed", "archived"] as const;

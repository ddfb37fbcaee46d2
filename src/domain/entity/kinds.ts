// The kinds of things a user keeps in a project, and what each kind may hold.
// One table: stores, routes, pages and tools are generated from it.

export const entityKinds = ["task", "goal", "plan", "milestone", "document"] as const;
export type EntityKind = (typeof entityKinds)[number];

type KindSpec<Plural extends string, States extends readonly string[]> = {
  readonly table: `onto_${Plural}`;
  /** The word in URLs and headings. */
  readonly plural: Plural;
  /** First one is the default for a new entity. */
  readonly states: States;
  readonly defaultType: string;
  readonly hasPriority: boolean;
  readonly hasDueDate: boolean;
};

const spec = <Plural extends string, const States extends readonly [string, ...string[]]>(
  plural: Plural,
  defaultType: string,
  states: States,
  { hasPriority = false, hasDueDate = false } = {},
): KindSpec<Plural, States> => ({ table: `onto_${plural}`, plural, states, defaultType, hasPriority, hasDueDate });

const dated = { hasDueDate: true };
const taskStates = ["todo", "in_progress", "blocked", "paused", "done", "obsolete"] as const;

export const kindSpecs = {
  task: spec("tasks", "task.default", taskStates, { ...dated, hasPriority: true }),
  goal: spec("goals", "goal.outcome", ["draft", "active", "achieved", "abandoned"], dated),
  plan: spec("plans", "plan.default", ["draft", "active", "completed", "abandoned"]),
  milestone: spec("milestones", "milestone.default", ["pending", "in_progress", "completed", "missed"], dated),
  document: spec("documents", "document.note", ["draft", "review", "published", "workspace", "archived"]),
} as const satisfies Record<EntityKind, unknown>;

/** The orders of a list: the newest change or entity first, the first title, the nearest due date, the most urgent. */
export const entitySorts = ["updated", "created", "title", "due", "priority"] as const;
export type EntitySort = (typeof entitySorts)[number];

/** The orders that make sense for a kind. */
export function sortsOfKind(kind: EntityKind): readonly EntitySort[] {
  const { hasDueDate, hasPriority } = kindSpecs[kind];
  return entitySorts.filter((sort) => (sort !== "due" || hasDueDate) && (sort !== "priority" || hasPriority));
}

/** The edge that makes the tree of documents: `src` is the parent, `dst` the child. */
export const documentTreeRel = "document_has_document";

export const projectStates = ["active", "paused", "completed", "archived"] as const;

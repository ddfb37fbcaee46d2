// What a worker is told of its outcome, before it becomes words: intent, approach, the other tasks, earlier attempts, what people said,
// and what other tasks found, the most important first and no more than `maxContextSize`. The ids say what stood in which prompt.

import type { HomrConfig } from "../homr-config.ts";
import type { Outcome } from "../outcome.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { isSettledTask, type OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import type { Audience, Injection, OutcomeContext } from "./context.ts";
import { type Now, scoreConstraint, scoreDecision, scoreDiscovery, scoreInjection } from "./relevance.ts";

export type BriefItem = {
  /** Several where the same words were kept more than once. */
  readonly ids: readonly string[];
  readonly priority: Injection["priority"];
  /** `decision`: a question and what was chosen; `words`: said or decided by a person; `finding`: what work on the outcome found. */
  readonly kind: "decision" | "words" | "finding";
  readonly type: string;
  readonly content: string;
  /** The number of the task that it comes from; null: none that is known. */
  readonly source: number | null;
  /** When it was said last. */
  readonly atMs: number;
  readonly isTainted: boolean;
};

/** `isTainted`: its worker had read words of strangers, so they may stand in the title. */
export type MadeBefore = {
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly isTainted: boolean;
};

export type Brief = {
  readonly outcome: Pick<Outcome, "name" | "brief" | "intent" | "approach">;
  readonly task: OutcomeTask;
  readonly others: readonly Pick<OutcomeTask, "number" | "title" | "status" | "isTainted">[];
  /** Other tasks that are not among them. */
  readonly othersLeftOut: number;
  /** What those that it waits for have made. */
  readonly made: readonly MadeBefore[];
  readonly context: readonly BriefItem[];
  /** Items that had no room. */
  readonly leftOut: number;
  /** The ids of what stands in it. */
  readonly items: readonly string[];
  /** It holds words that may be a stranger's: of other work, or of earlier attempts. */
  readonly isTainted: boolean;
};

/** Of the other tasks; those that this one waits for or that wait for it come first. */
const othersMax = 40;
/** What one item costs beside its words. */
const overhead = 40;

export function briefOf(state: OutcomeState, task: OutcomeTask, made: readonly MadeBefore[] = []): Brief {
  const { name, brief, intent, approach, config } = state.outcome;
  const { shown, leftOut } = takeFitting(mergeSame(collect(state, task)), config.maxContextSize);
  const context = orderPeople(shown);
  const others = chooseOthers(state, task);
  return {
    outcome: { name, brief, intent, approach },
    task,
    others,
    othersLeftOut: Math.max(0, state.outcome.nextNumber - 2 - others.length),
    made,
    context,
    leftOut,
    items: context.flatMap(({ ids }) => ids),
    isTainted: hasForeignWords(task) || [...context, ...made].some((item) => item.isTainted),
  };
}

const isOfPeople = ({ kind }: BriefItem): boolean => kind !== "finding";

/** What people said stands first and oldest first: where two of it contradict each other, the newer counts. */
const orderPeople = (items: readonly BriefItem[]): readonly BriefItem[] => [
  ...items.filter(isOfPeople).toSorted((a, b) => a.atMs - b.atMs),
  ...items.filter((item) => !isOfPeople(item)),
];

const hasForeignWords = ({ isTainted, failures, checkpoint }: OutcomeTask): boolean =>
  isTainted || failures.some((each) => each.isTainted) || (checkpoint?.isTainted ?? false);

function chooseOthers({ tasks }: OutcomeState, task: OutcomeTask): Brief["others"] {
  const isNear = (other: OutcomeTask) => task.dependsOn.includes(other.id) || other.dependsOn.includes(task.id);
  const others = tasks.filter(({ id }) => id !== task.id);
  const chosen = others
    .toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)) || Number(isSettledTask(a)) - Number(isSettledTask(b)))
    .slice(0, othersMax)
    .toSorted((a, b) => a.number - b.number);
  return chosen.map(({ number, title, status, isTainted }) => ({ number, title, status, isTainted }));
}

type Candidate = Omit<BriefItem, "ids"> & { readonly id: string; readonly score: number };

const isFor = (audience: Audience, taskId: TaskId): boolean => audience === "every" || audience.includes(taskId);

/** Without HOMЯ, only what people said is passed on. */
function collect({ outcome, context, tasks }: OutcomeState, { id: taskId }: OutcomeTask): readonly Candidate[] {
  const numbers = new Map(tasks.map(({ id, number }) => [id, number]));
  const now: Now = { nowMs: newestOf(context), openTasks: new Set([taskId]) };
  const sourceOf = (id: TaskId | null) => (id === null ? null : (numbers.get(id) ?? null));
  const injections = context.injections
    .filter(
      ({ audience, sourceTaskId }) => isFor(audience, taskId) && (outcome.config.enabled || sourceTaskId === null),
    )
    .map(
      (each): Candidate => ({
        ...each,
        kind: kindOf(each),
        source: sourceOf(each.sourceTaskId),
        score: scoreInjection(each, now),
      }),
    );
  const decisions = context.decisions
    .filter(({ madeBy }) => outcome.config.enabled || madeBy === "human")
    .map(
      (each): Candidate => ({
        ...each,
        kind: each.madeBy === "worker" ? "finding" : "decision",
        type: "decision",
        priority: each.madeBy === "human" ? "must_know" : "should_know",
        source: sourceOf(each.sourceTaskId),
        score: scoreDecision(each, now),
      }),
    );
  return outcome.config.enabled
    ? [...injections, ...decisions, ...collectFindings(context, taskId, now, sourceOf)]
    : [...injections, ...decisions];
}

/** Injections without a source come from people. */
const kindOf = ({ sourceTaskId }: Injection): BriefItem["kind"] => (sourceTaskId === null ? "words" : "finding");

function collectFindings(
  { constraints, discoveries }: OutcomeContext,
  taskId: TaskId,
  now: Now,
  sourceOf: (id: TaskId | null) => number | null,
): readonly Candidate[] {
  const limits = constraints
    .filter(({ isActive }) => isActive)
    .map(
      (each): Candidate => ({
        ...each,
        kind: "finding",
        type: "constraint",
        priority: "should_know",
        source: sourceOf(each.sourceTaskId),
        score: scoreConstraint(each, now),
      }),
    );
  const found = discoveries
    .filter(({ audience, resolvedAtMs }) => isFor(audience, taskId) && resolvedAtMs === null)
    .map(
      (each): Candidate => ({
        ...each,
        kind: "finding",
        priority: each.type === "blocker" ? "must_know" : each.type === "pattern" ? "nice_to_know" : "should_know",
        source: sourceOf(each.sourceTaskId),
        score: scoreDiscovery(each, now),
      }),
    );
  return [...limits, ...found];
}

function newestOf({ injections, decisions, constraints, discoveries }: OutcomeContext): number {
  const all = [...injections, ...decisions, ...constraints, ...discoveries];
  return all.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
}

const ranks: Readonly<Record<BriefItem["priority"], number>> = { must_know: 0, should_know: 1, nice_to_know: 2 };

/** The same words once, with the highest priority that they have; marked if any of them is. */
function mergeSame(candidates: readonly Candidate[]): readonly BriefItem[] {
  const sorted = candidates.toSorted(
    (a, b) => ranks[a.priority] - ranks[b.priority] || b.score - a.score || (a.id < b.id ? -1 : 1),
  );
  const merged = new Map<string, BriefItem>();
  for (const { id, priority, kind, type, content, source, atMs, isTainted } of sorted) {
    const words = content.toLowerCase().replaceAll(/\s+/g, " ").trim();
    const same = merged.get(words);
    merged.set(
      words,
      same === undefined
        ? { ids: [id], priority, kind, type, content, source, atMs, isTainted }
        : {
            ...same,
            ids: [...same.ids, id],
            atMs: Math.max(same.atMs, atMs),
            isTainted: same.isTainted || isTainted,
          },
    );
  }
  return [...merged.values()];
}

/** One that has no room is passed over: a shorter one may still fit. */
function takeFitting(items: readonly BriefItem[], max: HomrConfig["maxContextSize"]) {
  let room = max;
  const shown = items.filter(({ content }) => {
    const size = content.length + overhead;
    if (size > room) return false;
    room -= size;
    return true;
  });
  return { shown, leftOut: items.length - shown.length };
}

// Keeps an outcome's context within its limits, however much is observed: blockers expire, what is for tasks that have ended goes, and of
// the rest the most relevant stay. One discovery says how much was left out; the observations keep it all.

import { clipLine } from "../../planner/clip.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { isSettledTask } from "../tasks/task.ts";
import type { Discovery, OutcomeContext } from "./context.ts";
import { type Now, scoreConstraint, scoreDecision, scoreDiscovery, scoreInjection } from "./relevance.ts";

/** A blocker that was not met again for a day is most likely gone. */
const blockerLifeMs = 24 * 60 * 60_000;

export function compactContext(state: OutcomeState, world: HomrWorld): OutcomeState {
  const openTasks = new Set(state.tasks.filter((task) => !isSettledTask(task)).map(({ id }) => id));
  const now: Now = { nowMs: world.nowMs, openTasks };
  const current = dropEnded(expireBlockers(state.context, now.nowMs), now);
  return { ...state, context: leaveOut(current, state.outcome.config, now, world) };
}

const expireBlockers = (context: OutcomeContext, nowMs: number): OutcomeContext => ({
  ...context,
  discoveries: context.discoveries.map((each) => {
    const isExpired = each.type === "blocker" && each.resolvedAtMs === null && nowMs - each.atMs >= blockerLifeMs;
    return isExpired ? { ...each, resolvedAtMs: nowMs } : each;
  }),
});

const dropEnded = (context: OutcomeContext, { openTasks }: Now): OutcomeContext => ({
  ...context,
  injections: context.injections.filter(
    ({ audience }) => audience === "every" || audience.some((id) => openTasks.has(id)),
  ),
});

type Limits = { readonly maxDiscoveries: number; readonly contextCompactionThreshold: number };
type Item = { readonly id: string; readonly content: string; readonly isTainted: boolean };
type Scored = { readonly item: Item; readonly atMs: number; readonly score: number };

function leaveOut(context: OutcomeContext, limits: Limits, now: Now, world: HomrWorld): OutcomeContext {
  const summary = context.discoveries.find(isSummary) ?? null;
  const discoveries = context.discoveries.filter((each) => each !== summary);
  const scored = discoveries.map((item) => ({ item, atMs: item.atMs, score: scoreDiscovery(item, now) }));
  const others: readonly Scored[] = [
    ...context.decisions.map((item) => ({ item, atMs: item.atMs, score: scoreDecision(item, now) })),
    ...context.constraints.map((item) => ({ item, atMs: item.atMs, score: scoreConstraint(item, now) })),
    ...context.injections.map((item) => ({ item, atMs: item.atMs, score: scoreInjection(item, now) })),
  ];
  const isOver = (withSummary: number) =>
    scored.length + withSummary > limits.maxDiscoveries ||
    scored.length + others.length + withSummary > limits.contextCompactionThreshold;
  if (!isOver(summary === null ? 0 : 1)) return context;
  // The summary takes a place of its own.
  const fitting = byRelevance(scored).slice(0, limits.maxDiscoveries - 1);
  const kept = byRelevance([...fitting, ...others]).slice(0, limits.contextCompactionThreshold - 1);
  const ids = new Set(kept.map(({ item }) => item.id));
  // A memory is kept by its owner: its words are not repeated here, because the owner could not take them out.
  const memories = new Set(discoveries.filter(({ memoryId }) => memoryId !== null).map(({ id }) => id));
  const isLeft = ({ item: { id } }: Scored) => !ids.has(id) && !memories.has(id);
  const left = byRelevance([...scored, ...others].filter(isLeft)).map(({ item }) => item);
  const isKept = ({ id }: Item) => ids.has(id);
  return {
    ...context,
    discoveries: [...discoveries.filter(isKept), summarize(left, summary, world)],
    decisions: context.decisions.filter(isKept),
    constraints: context.constraints.filter(isKept),
    injections: context.injections.filter(isKept),
  };
}

const byRelevance = (items: readonly Scored[]): readonly Scored[] =>
  items.toSorted((a, b) => b.score - a.score || b.atMs - a.atMs || (a.item.id < b.item.id ? -1 : 1));

/** Only the platform makes a pattern without a source, and it makes no other. */
const isSummary = ({ type, sourceTaskId, memoryId }: Discovery): boolean =>
  type === "pattern" && sourceTaskId === null && memoryId === null;

const countOf = (summary: Discovery | null): number => Number(/^\d+/.exec(summary?.content ?? "")?.[0] ?? 0);
const namedMax = 3;
const namedLength = 120;

function summarize(left: readonly Item[], before: Discovery | null, { newId, nowMs }: HomrWorld): Discovery {
  const named = left.slice(0, namedMax).map(({ content }) => clipLine(content, namedLength));
  const count = countOf(before) + left.length;
  return {
    id: before?.id ?? newId(),
    type: "pattern",
    content: `${count} earlier items were left out of the context${named.length === 0 ? "" : `, lastly: ${named.join("; ")}`}`,
    sourceTaskId: null,
    atMs: nowMs,
    isTainted: (before?.isTainted ?? false) || left.some(({ isTainted }) => isTainted),
    audience: "every",
    resolvedAtMs: null,
    memoryId: null,
  };
}

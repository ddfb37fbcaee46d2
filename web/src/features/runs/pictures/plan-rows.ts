// The plan as a picture: a row for each step, by who works on it, placed at the iteration that last touched it. Steps of a plan
// do not name what they depend on, so no arrows are drawn. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";

export type PlanStep = Run["plan"][number];

export type PlanLane = { readonly owner: string; readonly steps: readonly PlanStep[] };

const ownerWords: Readonly<Record<string, string>> = { planner: "Planner", executor: "Executors" };

/** The planner's own first, the others in the order of the plan. */
export function planLanes(plan: readonly PlanStep[]): readonly PlanLane[] {
  const byOwner = new Map<string, PlanStep[]>([["Planner", []]]);
  for (const step of plan) {
    const owner = step.owner === null ? "Planner" : (ownerWords[step.owner] ?? step.owner);
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), step]);
  }
  return [...byOwner].flatMap(([owner, steps]) => (steps.length === 0 ? [] : [{ owner, steps }]));
}

/** From 0 to 1 of the iterations so far; one that was never touched is at the beginning. */
export function placeOf(step: PlanStep, iteration: number): number {
  if (iteration <= 1) return step.last_iteration === 0 ? 0 : 1;
  return Math.min(1, Math.max(0, (step.last_iteration - 1) / (iteration - 1)));
}

export type PlanStatus = PlanStep["status"];

export const planStatusWords: Readonly<Record<PlanStatus, string>> = {
  pending: "To do",
  in_progress: "In progress",
  done: "Done",
  failed: "Failed",
  dropped: "Dropped",
};

/** `3 of 5 steps done, 1 in progress`. */
export function planSentence(plan: readonly PlanStep[]): string {
  const count = (status: PlanStatus) => plan.filter((step) => step.status === status).length;
  const rest = (["in_progress", "failed", "dropped", "pending"] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${planStatusWords[status].toLowerCase()}`);
  return [`${count("done")} of ${plan.length} ${plan.length === 1 ? "step" : "steps"} done`, ...rest].join(", ");
}

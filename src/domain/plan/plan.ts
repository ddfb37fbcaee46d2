// The living plan of a run: its steps, who works on each, and which artifact shows that it is done.

export const stepStatuses = ["pending", "in_progress", "done", "failed", "dropped"] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Something the run made or changed, by which a claim can be checked. */
export type ArtifactRef = { readonly kind: string; readonly id: string };

export type PlanStep = {
  readonly id: string;
  readonly title: string;
  readonly status: StepStatus;
  /** Optional steps do not keep a run from being complete. */
  readonly isOptional: boolean;
  /** The branch that works on it, or null for the planner itself. */
  readonly owner: string | null;
  readonly lastIteration: number;
  /** A step that is done points at what it made. */
  readonly evidence: readonly ArtifactRef[];
};

export type Plan = { readonly steps: readonly PlanStep[] };

export const emptyPlan: Plan = { steps: [] };

export type PlanVerdict =
  | { readonly isComplete: true }
  | { readonly isComplete: false; readonly open: readonly string[] };

/** How far it is, in words that count every step. */
export function describeProgress({ steps }: Plan): string {
  const count = (isCounted: (step: PlanStep) => boolean) => steps.filter(isCounted).length;
  const done = count(({ status }) => status === "done");
  const dropped = count(({ status }) => status === "dropped");
  const left = count(({ status, isOptional }) => isOptional && status !== "done" && status !== "dropped");
  const all = steps.length === 1 ? "its one step is done" : `all ${steps.length} steps are done`;
  const parts = [
    done === steps.length ? all : `${done} of ${steps.length} steps ${done === 1 ? "is" : "are"} done`,
    ...(dropped === 0 ? [] : [`${dropped} dropped`]),
    ...(left === 0 ? [] : [`${left} optional and not done`]),
  ];
  return parts.join(", ");
}

/** Complete: something is done, and each step that counts is done and points at an artifact, or was dropped. */
export function judgePlan({ steps }: Plan): PlanVerdict {
  const isDone = ({ status, evidence }: PlanStep) => status === "done" && evidence.length > 0;
  const counting = steps.filter((step) => !step.isOptional && step.status !== "dropped");
  const open = counting.filter((step) => !isDone(step));
  if (steps.some(isDone) && open.length === 0) return { isComplete: true };
  return { isComplete: false, open: open.map(({ title }) => title) };
}

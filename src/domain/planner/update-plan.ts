// The plan after an iteration: what the planner wants of it, as far as the platform saw it happen. A step is done only with
// an artifact this run made; what the planner leaves out stays as it was.

import type { ArtifactRef, Plan, PlanStep, StepStatus } from "../plan/plan.ts";
import { answerLimits, type PlannerAnswer } from "./answer.ts";

/** What the work of this iteration brought for one step. */
export type StepWork = {
  readonly stepId: string;
  readonly ok: boolean;
  /** An executor finished what it was given: the step is done, if there is something to show for it. */
  readonly isFinished: boolean;
  readonly artifacts: readonly ArtifactRef[];
};

export type PlanFacts = {
  readonly iteration: number;
  readonly work: readonly StepWork[];
  /** By id: everything this run has made or changed. Other ids are no evidence. */
  readonly artifacts: ReadonlyMap<string, ArtifactRef>;
};

type WantedStep = PlannerAnswer["plan"]["steps"][number];

export function updatePlan(before: Plan, wanted: readonly WantedStep[], facts: PlanFacts): Plan {
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const listed = new Set(wanted.map(({ id }) => id));
  const kept = before.steps.filter(({ id }) => !listed.has(id)).map((step) => afterWork(step, facts));
  const asked = unique(wanted).map((step) =>
    shown(known.get(step.id), afterWork(merge(known.get(step.id), step, facts), facts)),
  );
  const inOrder = [...asked, ...kept].sort((a, b) => place(before, wanted, a.id) - place(before, wanted, b.id));
  return { steps: inOrder.slice(0, answerLimits.steps) };
}

const unique = (steps: readonly WantedStep[]): readonly WantedStep[] => [
  ...new Map(steps.map((step) => [step.id, step])).values(),
];

/** Known steps keep their places; new ones follow in the planner's order. */
function place(before: Plan, wanted: readonly WantedStep[], id: string): number {
  const old = before.steps.findIndex((step) => step.id === id);
  return old >= 0 ? old : before.steps.length + wanted.findIndex((step) => step.id === id);
}

function merge(old: PlanStep | undefined, wanted: WantedStep, { iteration, artifacts }: PlanFacts): PlanStep {
  const named = wanted.evidence.flatMap((id) => artifacts.get(id) ?? []);
  const evidence = distinct([...(old?.evidence ?? []), ...named]);
  return {
    id: wanted.id,
    title: wanted.title,
    status: wanted.status,
    isOptional: old?.isOptional ?? wanted.optional,
    owner: wanted.owner === "executor" ? (old?.owner ?? "executor") : null,
    lastIteration: iteration,
    evidence,
  };
}

/** Done without anything to show for it is under way; what has not moved was last touched when it was. */
function shown(old: PlanStep | undefined, step: PlanStep): PlanStep {
  const status = step.status === "done" && step.evidence.length === 0 ? "in_progress" : step.status;
  const isSame = old !== undefined && old.status === status && old.evidence.length === step.evidence.length;
  return { ...step, status, lastIteration: isSame ? old.lastIteration : step.lastIteration };
}

function afterWork(step: PlanStep, { iteration, work }: PlanFacts): PlanStep {
  const own = work.filter(({ stepId }) => stepId === step.id);
  if (own.length === 0) return step;
  const evidence = distinct([...step.evidence, ...own.flatMap(({ artifacts }) => artifacts)]);
  return { ...step, evidence, lastIteration: iteration, status: statusAfter(step.status, own, evidence) };
}

function statusAfter(status: StepStatus, own: readonly StepWork[], evidence: readonly ArtifactRef[]): StepStatus {
  if (status === "dropped") return status;
  if (own.every(({ ok }) => !ok)) return "failed";
  const isFinished = status === "done" || own.some((work) => work.isFinished && work.ok);
  return isFinished && own.every(({ ok }) => ok) && evidence.length > 0 ? "done" : "in_progress";
}

const evidenceMax = 20;

function distinct(refs: readonly ArtifactRef[]): readonly ArtifactRef[] {
  return [...new Map(refs.map((ref) => [`${ref.kind}:${ref.id}`, ref])).values()].slice(-evidenceMax);
}

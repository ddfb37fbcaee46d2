// The plan after an iteration. A step's status is the planner's word, with one exception: `done` needs an artifact this run
// made. What the planner leaves out stays as it was, and what is refused comes back in words, so that the planner can mend it.

import type { ArtifactRef, Plan, PlanStep } from "../plan/plan.ts";
import { answerLimits, type WantedStep } from "./answer.ts";

/** What the work of this iteration brought for one step: evidence for it, and never its end. */
export type StepWork = { readonly stepId: string; readonly artifacts: readonly ArtifactRef[] };

export type PlanFacts = {
  readonly iteration: number;
  readonly work: readonly StepWork[];
  /** By id: everything this run has made or changed, without the pages that the platform keeps. Other ids are no evidence. */
  readonly artifacts: ReadonlyMap<string, ArtifactRef>;
};

export type UpdatedPlan = {
  readonly plan: Plan;
  /** What was not done as the planner wanted, one sentence each. */
  readonly refused: readonly string[];
};

export function updatePlan(before: Plan, wanted: readonly WantedStep[], facts: PlanFacts): UpdatedPlan {
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const asked = unique(wanted);
  const room = answerLimits.steps - before.steps.length;
  const added = asked.filter(({ id }) => !known.has(id));
  const tooMany = new Set(added.slice(Math.max(0, room)).map(({ id }) => id));
  const taken = asked.filter(({ id }) => !tooMany.has(id));
  const merged = new Map(taken.map((step) => [step.id, merge(known.get(step.id), step, facts)]));
  const kept = before.steps.map((step) => merged.get(step.id) ?? withWork(step, facts));
  const fresh = taken.filter(({ id }) => !known.has(id)).flatMap(({ id }) => merged.get(id) ?? []);
  return {
    plan: { steps: [...kept, ...fresh] },
    refused: [
      ...asked.filter(({ id }) => tooMany.has(id)).map(refuseStep),
      ...taken.flatMap((step) => refuseEvidence(step, merged.get(step.id), facts)),
    ],
  };
}

const unique = (steps: readonly WantedStep[]): readonly WantedStep[] => [
  ...new Map(steps.map((step) => [step.id, step])).values(),
];

function merge(old: PlanStep | undefined, wanted: WantedStep, facts: PlanFacts): PlanStep {
  const named = wanted.evidence.flatMap((id) => facts.artifacts.get(id) ?? []);
  const evidence = distinct([...(old?.evidence ?? []), ...named, ...workFor(wanted.id, facts)]);
  const status = wanted.status === "done" && evidence.length === 0 ? "in_progress" : wanted.status;
  const isSame = old !== undefined && old.status === status && old.evidence.length === evidence.length;
  return {
    id: wanted.id,
    title: wanted.title ?? old?.title ?? wanted.id,
    status,
    isOptional: old?.isOptional ?? wanted.optional,
    owner: old?.owner ?? null,
    lastIteration: isSame ? old.lastIteration : facts.iteration,
    evidence,
  };
}

/** A step that was worked on without being named has begun; more is the planner's to say. */
function withWork(step: PlanStep, facts: PlanFacts): PlanStep {
  const made = workFor(step.id, facts);
  if (made.length === 0) return step;
  const status = step.status === "pending" ? "in_progress" : step.status;
  return { ...step, status, evidence: distinct([...step.evidence, ...made]), lastIteration: facts.iteration };
}

const workFor = (stepId: string, { work }: PlanFacts): readonly ArtifactRef[] =>
  work.filter((each) => each.stepId === stepId).flatMap(({ artifacts }) => artifacts);

const refuseStep = ({ id }: WantedStep): string =>
  `Step "${id}" was not added: a plan has at most ${answerLimits.steps} steps. Merge or drop some first.`;

function refuseEvidence(wanted: WantedStep, step: PlanStep | undefined, { artifacts }: PlanFacts): readonly string[] {
  const unknown = wanted.evidence.filter((id) => !artifacts.has(id));
  return [
    ...(unknown.length === 0
      ? []
      : [`Step "${wanted.id}": ${unknown.join(", ")} cannot be evidence, because this run did not make or change it.`]),
    ...(wanted.status === "done" && step?.status !== "done"
      ? [
          `Step "${wanted.id}" is not done yet: nothing that this run made or changed stands for it. Once something is written in this session it counts as done, without being said again; or name in its evidence the id of something this run made before.`,
        ]
      : []),
  ];
}

const evidenceMax = 20;

function distinct(refs: readonly ArtifactRef[]): readonly ArtifactRef[] {
  return [...new Map(refs.map((ref) => [`${ref.kind}:${ref.id}`, ref])).values()].slice(-evidenceMax);
}

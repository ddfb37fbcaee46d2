// The steps of a plan of rules, and how far each has come: what the last iteration left behind becomes evidence, what the user
// turned down is dropped. Ids are the same in every iteration and for every objective.

import type { PlanStep } from "../../domain/plan/plan.ts";
import type { PlannerAnswer } from "../../domain/planner/answer.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { facetsOf, groupsOf } from "./choose-facets.ts";
import type { Facet } from "./facets/facet.ts";
import { shorten } from "./phrase.ts";
import { idsMade, type Means } from "./plan-means.ts";
import type { Reading } from "./read-objective.ts";
import { briefTitle, overviewTitle, taskListTitle } from "./write-pages.ts";

export type Step = PlannerAnswer["plan"]["steps"][number];

export const stepIds = { brief: "brief", research: "research", tasks: "tasks", overview: "overview" } as const;

export const isOpen = ({ status }: Step): boolean => status !== "done" && status !== "dropped";
/** It was worked on before, and nothing came of it. */
export const wasTried = ({ status, evidence }: Step): boolean =>
  (status === "in_progress" || status === "failed") && evidence.length === 0;

export const groupTitle = (group: readonly Facet[]): string => group.map(({ title }) => title).join(" · ");
export const researchId = (n: number): string => `${stepIds.research}-${n + 1}`;

const fresh = (id: string, title: string, owner: Step["owner"] = "planner"): Step => ({
  id,
  title,
  status: "pending",
  owner,
  optional: false,
  evidence: [],
});

function firstSteps(reading: Reading, means: Means): readonly Step[] {
  const { name } = reading;
  const opening = means.projectId === null ? `Write the brief and set up the project “${name}”` : "Write the brief";
  return [
    fresh(stepIds.brief, opening),
    ...groupsOf(facetsOf(reading)).map((group, n) =>
      fresh(researchId(n), `Look into: ${shorten(groupTitle(group), 200)}`, "executor"),
    ),
    means.may("create_task")
      ? fresh(stepIds.tasks, "Turn the findings into tasks in the project")
      : fresh(stepIds.tasks, "Write the list of tasks as a page"),
    fresh(stepIds.overview, `Write the page “${overviewTitle(reading)}”`),
  ];
}

/** The plan there is, as far as it has come; without one, a new one. */
export function stepsNow(view: PlannerView, reading: Reading, means: Means): readonly Step[] {
  if (view.plan.length === 0) return firstSteps(reading, means);
  return view.plan.map((step) => settle(asStep(step), view, reading));
}

const asStep = ({ id, title, status, isOptional, owner, evidence }: PlanStep): Step => ({
  id,
  title,
  status,
  owner: owner === null ? "planner" : "executor",
  optional: isOptional,
  evidence: evidence.map((ref) => ref.id).slice(0, 20),
});

function settle(step: Step, view: PlannerView, reading: Reading): Step {
  if (!isOpen(step) || step.status === "pending") return step;
  if (step.evidence.length === 0 && isTurnedDown(step, view, reading)) return { ...step, status: "dropped" };
  const evidence = [...new Set([...step.evidence, ...leftBehind(step, view, reading)])].slice(0, 20);
  return evidence.length === 0 ? step : { ...step, status: "done", evidence };
}

/** What the last iteration made for this step. */
function leftBehind({ id }: Step, { lastIteration }: PlannerView, reading: Reading): readonly string[] {
  if (lastIteration === null) return [];
  const { artifacts, toolResults, executorResults } = lastIteration;
  const titles = titlesOf(id, reading);
  const own = executorResults.filter((result) => result.stepId === id && result.ok);
  const written = own.flatMap((result) => [
    ...idsMade(result.toolResults, "append_document"),
    ...idsMade(result.toolResults, "write_note"),
    ...(result.documentId === null ? [] : [result.documentId]),
  ]);
  const made = artifacts.filter(
    ({ kind, title }) =>
      titles.includes(title) ||
      (id === stepIds.tasks && kind === "task") ||
      (id === stepIds.brief && kind === "project"),
  );
  const told = [
    ...(id === stepIds.tasks ? idsMade(toolResults, "create_task") : []),
    ...titles.flatMap((title) => [
      ...idsMade(toolResults, "write_note", title),
      ...idsMade(toolResults, "create_document", title),
    ]),
  ];
  return [...made.map((artifact) => artifact.id), ...written, ...told];
}

function titlesOf(id: string, reading: Reading): readonly string[] {
  if (id === stepIds.brief) return [briefTitle(reading)];
  if (id === stepIds.tasks) return [taskListTitle(reading)];
  if (id === stepIds.overview) return [overviewTitle(reading)];
  const group = groupsOf(facetsOf(reading)).find((_, n) => researchId(n) === id);
  return group ? [groupTitle(group)] : [];
}

/** The user said no to what was staged for it. */
function isTurnedDown({ id }: Step, { decidedWrites }: PlannerView, reading: Reading): boolean {
  const facets = groupsOf(facetsOf(reading)).find((_, n) => researchId(n) === id) ?? [];
  const names = [
    ...titlesOf(id, reading),
    ...facets.map(({ title }) => `“${title}”`),
    ...(id === stepIds.tasks ? ["create task"] : []),
  ];
  const about = decidedWrites.filter(({ summary }) => names.some((name) => summary.includes(name.slice(0, 40))));
  return about.length > 0 && about.every(({ decision }) => isRejection.test(decision));
}

/** How the platform tells that the user said no. */
export const isRejection = /^rejected/i;

// The plan of a run as a page of Markdown that people read: a box per step, with who works on it and what shows that it is
// done. Nothing is read back from it.

import type { Plan, PlanStep, StepStatus } from "../plan/plan.ts";
import { cut, oneLine } from "./pages.ts";

/** A planner may have 40 steps; what a run gathers beyond this is counted, not listed. */
const stepsMax = 200;
const titleMax = 300;
const evidenceMax = 20;

const boxes: Readonly<Record<StepStatus, string>> = {
  pending: "[ ]",
  in_progress: "[ ]",
  done: "[x]",
  failed: "[ ]",
  dropped: "[-]",
};

export function renderPlan({ steps }: Plan): string {
  if (steps.length === 0) return "No plan yet.\n";
  const done = steps.filter(({ status }) => status === "done").length;
  const more = steps.length - stepsMax;
  const lines = [...steps.slice(0, stepsMax).map(stepLine), ...(more > 0 ? [`\nAnd ${more} more.`] : [])];
  return `${done} of ${steps.length} steps are done.\n\n${lines.join("\n")}\n`;
}

function stepLine(step: PlanStep): string {
  const facts = [
    step.status.replace("_", " "),
    step.owner === null ? "planner" : oneLine(step.owner),
    ...(step.lastIteration > 0 ? [`iteration ${step.lastIteration}`] : []),
  ];
  const evidence = step.evidence.slice(0, evidenceMax).map(({ kind, id }) => `${oneLine(kind)} ${oneLine(id)}`);
  const title = `${cut(oneLine(step.title), titleMax)}${step.isOptional ? " (optional)" : ""}`;
  const shows = evidence.length === 0 ? "" : `\n  - evidence: ${evidence.join(", ")}`;
  return `- ${boxes[step.status]} ${title} — ${facts.join(", ")}${shows}`;
}

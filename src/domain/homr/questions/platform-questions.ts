// What the platform itself asks a person, with no model's help: a gate that has to be given, tasks that failed for good and hold up
// the rest, a worker that seems stuck, reviews that come to no end.

import { type OutcomeTask, splitDepthMax } from "../tasks/task.ts";
import { listNumbers, nameTask, shorten } from "../tasks/task-list.ts";
import type { EscalationOption } from "./escalation.ts";
import type { NewEscalation } from "./open-escalation.ts";

const nothingSpecial = {
  observationId: null,
  isWholeOutcome: false,
  defaultOption: null,
  deadlineMs: null,
} as const;

const pauseOutcome: EscalationOption = {
  id: "pause",
  label: "Pause the outcome",
  description: "All tasks rest until you resume the outcome.",
  implications: "Nothing is lost, and nothing goes on.",
  action: "pause_outcome",
};

const split: EscalationOption = {
  id: "split",
  label: "Split it",
  description: "The task is done in smaller parts, and a task at the end verifies them.",
  implications: "Its run is canceled; what it has written stays.",
  action: "split_tasks",
};

const skip = (what: string): EscalationOption => ({
  id: "skip",
  label: `Skip ${what}`,
  description: "It is marked obsolete and not worked on any more.",
  implications: "Tasks that wait for it go on without it.",
  action: "skip_tasks",
});

/** The task waits, so it is paused until the gate is given. */
export function askForGates(task: OutcomeTask): NewEscalation {
  const open = task.gates.filter(({ given }) => given === null);
  const needsDocument = open.some(({ kind }) => kind === "document_required");
  return {
    ...nothingSpecial,
    trigger: "gate",
    triggerTaskId: task.id,
    evidence: open.map(({ label }) => label),
    question: `${nameTask(task)} may begin only after: ${open.map(({ label }) => shorten(label, 200).replace(/\.$/, "")).join("; ")}.`,
    context: needsDocument ? "Put the document, or where it is, into the additional context of your answer." : "",
    options: [
      {
        id: "approve",
        label: needsDocument ? "Provide it" : "Approve",
        description: "What you write as additional context is given to the worker.",
        implications: `Task #${task.number} begins as soon as a worker is free.`,
        action: "satisfy_gate",
      },
      skip(`task #${task.number}`),
      pauseOutcome,
    ],
    affectedTasks: [task.id],
    pauses: true,
    isTainted: task.isTainted,
  };
}

/** Nothing else can go on, so there is nothing to pause. */
export const askAboutBlockers = (blockers: readonly OutcomeTask[]): NewEscalation => ({
  ...nothingSpecial,
  trigger: "blocked",
  triggerTaskId: null,
  evidence: blockers
    .map((task) => `${nameTask(task)}: ${shorten(task.failures.at(-1)?.why ?? "failed", 500)}`)
    .slice(0, 10),
  question: `${listNumbers(blockers)} failed and nothing else can go on. What should happen?`,
  context: "They are not tried again by themselves.",
  options: [
    {
      id: "retry",
      label: "Try again",
      description: "Each of them gets one more attempt.",
      implications: "It may fail for the same reason: say in the additional context what to do differently.",
      action: "retry_tasks",
    },
    skip(listNumbers(blockers)),
    pauseOutcome,
  ],
  affectedTasks: blockers.map(({ id }) => id),
  pauses: false,
  isTainted: true,
});

/** It works on meanwhile: a person may know that it needs the time. */
export const askAboutStuck = (task: OutcomeTask, evidence: string): NewEscalation => ({
  ...nothingSpecial,
  trigger: "stuck",
  triggerTaskId: task.id,
  evidence: [evidence],
  question: `${nameTask(task)} seems stuck: ${evidence}. What should happen?`,
  context: `Attempt ${task.attempts} of ${task.maxAttempts}.`,
  options: [
    {
      id: "wait",
      label: "Keep going",
      description: "The worker goes on as it is.",
      implications: "You are asked again if it takes as long once more.",
      action: "proceed",
    },
    {
      id: "retry",
      label: "Start over",
      description: "Its run is canceled and a new one begins.",
      implications: "What the run has written stays.",
      action: "retry_tasks",
    },
    ...(task.splitDepth < splitDepthMax ? [split] : []),
    skip(`task #${task.number}`),
  ],
  affectedTasks: [task.id],
  pauses: false,
  isTainted: task.isTainted,
});

/** Nothing begins before it is answered. Its words may come from a model that has read what workers wrote. */
const aboutReviews = {
  ...nothingSpecial,
  trigger: "stuck",
  triggerTaskId: null,
  affectedTasks: [],
  isWholeOutcome: true,
  pauses: true,
  isTainted: true,
} as const;

/** Without it the outcome would wait for a review that does not come, and say nothing. */
export const askAboutMissedReviews = ({
  tries,
  why,
}: {
  readonly tries: number;
  readonly why: string;
}): NewEscalation => ({
  ...aboutReviews,
  evidence: [shorten(why, 500)],
  question: `The review of the outcome failed ${tries} times. Should it be tried again?`,
  context: "All tasks are done. The outcome is achieved only after two clean reviews.",
  options: [
    {
      id: "continue",
      label: "Try again",
      description: "The review is made once more.",
      implications: "It may fail for the same reason: look at the model that judges first.",
      action: "proceed",
    },
    pauseOutcome,
  ],
});

/** Each review costs, and none was clean. */
export const askAboutReviews = (cycle: number, findings: readonly string[]): NewEscalation => ({
  ...aboutReviews,
  evidence: findings.slice(0, 10),
  question: `${cycle} reviews have been made and the last one still has findings. Should work go on?`,
  context: "What the last review found is a task already.",
  options: [
    {
      id: "continue",
      label: "Keep going",
      description: "The findings are worked on and reviewed again.",
      implications: "Each round costs time and money.",
      action: "proceed",
    },
    pauseOutcome,
  ],
});

// The outcome that is played under the chaos: twelve tasks around a village hall, with a discovery that three later tasks need, work
// that drifts, a doubt that only a person can settle, two failures in a row and later three. What models say follows from what
// they are asked and from nothing else, so that a question that is asked again has the same answer.

import { runModelRoles } from "../../src/domain/run/run-models.ts";
import { call, hallWords, inProject, step } from "../helpers/planner-scenario.ts";
import {
  doneStatus,
  praise,
  type RoleRequest,
  readRequest,
  type ScriptedIteration,
  toReply,
  working,
} from "../helpers/role-script.ts";
import type { LabReply, LabRequest } from "../lab/lab-protocol.ts";

/** For everything that is asked. */
export const storyModel = "anthropic/claude-sonnet-5-5";

/** What #1 finds out, and whom it concerns. */
export const discovery = { content: "The spare key hangs in the bakery next door", for: [5, 8, 12] } as const;

export const drift = {
  task: 3,
  description: "The prices are named without the deposit that the approach asks for",
} as const;
/** The first number after those of the story: nothing else makes a task. */
export const corrective = 13;
/** Waits for the task that drifted, and so for its correction. */
export const heldUp = 5;

export const doubt = { task: 6, affects: [7, 8], chosen: "pump", label: "A heat pump" } as const;
/** Neither the doubt nor its answer concerns it: it is done while the question is open. */
export const unconcerned = 9;

/** Fails so often and then succeeds: two in a row ask nobody. */
export const shortStretch = { task: 2, failures: 2 } as const;
export const longStretch = { task: 10, failures: 3, chosen: "retry", guidance: "Count the chairs by hand" } as const;
/** Could begin while #10 fails, has a lower priority, and is paused with all the others. */
export const standsBy = 11;

type StoryTask = { readonly title: string; readonly after: readonly number[]; readonly priority?: number };

export const storyTasks: readonly StoryTask[] = [
  { title: "Describe the hall", after: [] },
  { title: "List the furniture", after: [1] },
  { title: "Write the price list", after: [2] },
  { title: "Describe the kitchen", after: [2] },
  { title: "Write the contract for guests", after: [3] },
  { title: "Compare ways to heat the hall", after: [4] },
  { title: "Plan the heating", after: [6] },
  { title: "Write the instructions for guests", after: [6] },
  { title: "Write the invitation", after: [5] },
  { title: "Count the chairs", after: [7, 8, 9] },
  { title: "Draw up a calendar", after: [7, 8, 9], priority: 200 },
  { title: "Put the booklet together", after: [10, 11] },
];

/** It has no word in common with the discovery, which its owner remembers: no later outcome is offered what an earlier one learnt. */
export const storyBody = {
  name: "A booklet about the hall",
  intent: {
    summary: "Guests read everything about the hall in one booklet",
    items: [],
    success_criteria: ["There is a page for each of its parts"],
  },
  approach: "One page for each part. Every price is named with its deposit.",
  tasks: storyTasks.map(({ title, after, priority }) => ({ title, depends_on: [...after], priority })),
  models: Object.fromEntries(runModelRoles.map((role) => [role, storyModel])),
  homr: { observation_model: storyModel },
  workers: 2,
  /** One iteration is enough for a page; whoever does not get on has failed after two. */
  run_budgets: { max_iterations: 2 },
  start: true,
};

const openings: readonly (readonly [string, (prompt: string) => object])[] = [
  ["You observe the work on an outcome", observe],
  ["Work on an outcome has met something", () => question],
  ["You review an outcome", () => ({ findings: [], summary: "There is a page for each part" })],
];

export function tellStory(request: LabRequest): LabReply {
  const asked = readRequest(request);
  const ofHomr = openings.find(([words]) => request.system.startsWith(words));
  if (ofHomr !== undefined) return { text: JSON.stringify(ofHomr[1](asked.prompt)) };
  if (asked.role === "judge") return { text: praise(asked.prompt) };
  if (asked.role === "summary") return { text: "You get one more page of the booklet. ".repeat(5) };
  return toReply(workOn(asked), asked);
}

/** Which task a prompt is about, as its brief or the observer's prompt says it. */
const taskIn = (prompt: string): number =>
  Number(/^(?:#+ )?(?:Your task|The task that has ended): #(\d+)/m.exec(prompt)?.[1] ?? 0);

const attemptIn = (prompt: string): number =>
  Number(/(?:This is attempt|^Attempt) (\d+) of \d+/m.exec(prompt)?.[1] ?? 0);

function workOn({ prompt }: RoleRequest): ScriptedIteration | readonly ScriptedIteration[] {
  const task = taskIn(prompt);
  const attempt = attemptIn(prompt);
  const stretch = [shortStretch, longStretch].find((each) => each.task === task);
  if (attempt <= (stretch?.failures ?? 0)) return { status: working("nobody opened the door", ["the count"]) };
  const title = `Page ${task} of the booklet`;
  return [
    {
      plan: { steps: [step("s1", "in_progress")] },
      deliverables: [{ id: "d1", title }],
      checks: [{ ...pageCheck, title_like: title }],
      tool_calls: [call("create_document", { title, content: pageFor(prompt), ...inProject(prompt) })],
      status: null,
    },
    { plan: { steps: [step("s1", "done")] }, status: doneStatus },
  ];
}

const pageCheck = {
  id: "c1",
  deliverable_id: "d1",
  kind: "document_has" as const,
  headings: ["Goal"],
  words_at_least: 50,
  sources_at_least: 0,
};

/** It says what its writer was told of the other tasks; pages of theirs that the prompt shows are another matter. */
function pageFor(prompt: string): string {
  const parts = prompt.split(/^## /m).filter((part) => /^What (?:other tasks found|people said)/.test(part));
  const told = [discovery.content, doubt.label, longStretch.guidance].filter((words) => parts.join().includes(words));
  return [`# Goal\n\n${hallWords}`, ...told.map((words) => `I was told: ${words}.`)].join("\n\n");
}

const fine = {
  ...{ onTrack: true, alignmentScore: 95, quality: "good", summary: "The page is there" },
  ...{ drift: [], issues: [], discoveries: [], decisions: [], wishes: [], ambiguity: null },
};

function observe(prompt: string): object {
  const task = taskIn(prompt);
  if (/^Attempt \d+ of \d+ failed/m.test(prompt))
    return { ...fine, onTrack: false, alignmentScore: 60, quality: "needs_work", summary: "Nothing was written" };
  if (task === 1) {
    const found = { type: "dependency", content: discovery.content, relevantTasks: discovery.for, source: "the page" };
    return { ...fine, discoveries: [found] };
  }
  if (task === drift.task) {
    const { description } = drift;
    const seen = { type: "contradicts_design", description, severity: "high", evidence: "Its rent is paid" };
    return { ...fine, onTrack: false, alignmentScore: 70, quality: "needs_work", drift: [seen] };
  }
  return task === doubt.task ? { ...fine, ambiguity } : fine;
}

const ambiguity = {
  type: "multiple_approaches",
  description: "The hall can be heated with gas or with a heat pump",
  evidence: ["The hall is free on Saturdays"],
  affectedTasks: doubt.affects,
  suggestedQuestion: "How should the hall be heated?",
};

const question = {
  question: "How should the hall be heated?",
  options: [
    { id: "gas", label: "A gas boiler", description: "As before", implications: "Cheap to install" },
    { id: doubt.chosen, label: doubt.label, description: "With the sun on the roof", implications: "Cheap to run" },
  ],
  recommended: null,
};

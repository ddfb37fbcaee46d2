// How keys of the contract read on the screen.

import type { EntityKind } from "../../../src/protocol/kinds.ts";
import { tone } from "../lib/tones.ts";

/** Kinds, states and roles, written out so that a word can be chosen for each. */
export const keyWords: Readonly<Record<string, string>> = {
  project: "Project",
  task: "Task",
  tasks: "Tasks",
  goal: "Goal",
  goals: "Goals",
  plan: "Plan",
  plans: "Plans",
  milestone: "Milestone",
  milestones: "Milestones",
  document: "Document",
  documents: "Documents",
  todo: "Todo",
  in_progress: "In progress",
  blocked: "Blocked",
  paused: "Paused",
  done: "Done",
  obsolete: "Obsolete",
  draft: "Draft",
  active: "Active",
  achieved: "Achieved",
  abandoned: "Abandoned",
  completed: "Completed",
  pending: "Pending",
  missed: "Missed",
  review: "Review",
  published: "Published",
  workspace: "Workspace",
  dormant: "Not started",
  archived: "Archived",
  viewer: "Viewer",
  editor: "Editor",
  owner: "Owner",
  user: "User",
  admin: "Admin",
  planner: "Planner",
  executor: "Executor",
  judge: "Judge",
  agent: "Agent",
  part_of: "Part of",
  relates_to: "Related to",
  depends_on: "Depends on",
  supports: "Supports",
};

/** `in_progress` reads "In progress". Any other key, such as a link that a user named, is made readable. */
export function wordsOf(key: string): string {
  const known = keyWords[key];
  if (known !== undefined) return known;
  const words = key.replaceAll(/[_.]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A link as it reads from its other end; what a user named is told of the thing one looks at. */
const backwardWords: Readonly<Record<string, string>> = {
  part_of: "Contains",
  relates_to: "Related to",
  depends_on: "Needed by",
  supports: "Supported by",
  blocks: "Blocked by",
};

export function linkWords(rel: string, isOutgoing: boolean, kind: EntityKind): string {
  if (isOutgoing) return wordsOf(rel);
  return backwardWords[rel] ?? `${wordsOf(rel)} this ${kind}`;
}

/** Said under the heading of an empty list: what the kind is for. */
export const kindPurposes: Readonly<Record<EntityKind, string>> = {
  task: "Tasks are the things that have to be done.",
  goal: "Goals say what this project is for, so that work can be measured against them.",
  plan: "Plans say how something will be done, step by step.",
  milestone: "Milestones mark the dates by which something must be reached.",
  document: "Documents hold what you write down: notes, research, decisions.",
};

const stateColors: Readonly<Record<string, string>> = {
  in_progress: "blue",
  active: "blue",
  review: tone.atWork,
  workspace: tone.plain,
  blocked: tone.strong,
  missed: tone.failure,
  done: "green",
  achieved: "green",
  completed: "green",
  published: "green",
};

export function colorOfState(state: string): string {
  return stateColors[state] ?? "gray";
}

/** 1 is most urgent. */
export const priorityWords: readonly string[] = [
  "1 · Most urgent",
  "2 · High",
  "3 · Normal",
  "4 · Low",
  "5 · Some day",
];

// What the planner of rules has in front of it: the view, what the objective says, what the session has brought, what the user
// said, where it may write. Read from the request alone; ids that are not in it do not exist.

import type { CheckLine, PlannerView } from "../../domain/planner/view.ts";
import { readApproval } from "../../domain/run/approval-answer.ts";
import type { ModelRequest } from "../model.ts";
import { wordsFor } from "./compose.ts";
import { type Conversation, madeId, readConversation } from "./conversation.ts";
import { markOf, plainWords, shorten } from "./phrase.ts";
import { readWishes, type Wish } from "./read-checks.ts";
import { type Reading, readObjective } from "./read-objective.ts";
import { type Words, words } from "./words.ts";

/** Something to take up; `stepId` is the same in every iteration. */
export type Said = { readonly stepId: string; readonly words: string };

export type Desk = {
  readonly view: PlannerView;
  readonly reading: Reading;
  readonly text: Words;
  readonly session: Conversation;
  readonly said: readonly Said[];
  readonly wishes: readonly Wish[];
  readonly may: (tool: string) => boolean;
  /** Null: one has to be made first, or there is none. */
  readonly projectId: string | null;
  readonly mayMakeProject: boolean;
};

export function openDesk(view: PlannerView, { messages }: ModelRequest): Desk {
  const session = readConversation(messages);
  const wishes = readWishes(isFinished(view) ? view.checks : view.checks.map(asUnseen));
  const reading = fitReading(readObjective(view.objective), view, wishes);
  const { allowedTools } = view.permission;
  const may = (tool: string) => allowedTools === null || allowedTools.includes(tool);
  const isUnwanted = view.plan.some(({ id, status }) => id === "project" && status === "dropped");
  const mayMakeProject = view.scope === "global" && may("create_project") && !isUnwanted;
  return {
    view,
    reading,
    text: wordsFor(reading),
    session,
    said: readSaid(view, session, wordsFor(reading)),
    wishes,
    may,
    projectId: findProject(view, reading, session, mayMakeProject),
    mayMakeProject,
  };
}

/** What was seen before everything was made, or before approved writes were done, says nothing about what is missing. */
const isFinished = ({ plan, decidedWrites }: PlannerView): boolean =>
  plan.length > 0 &&
  plan.every(({ status }) => status === "done" || status === "dropped") &&
  !decidedWrites.some(({ decision }) => /^approved, and written/.test(decision));

const asUnseen = (check: CheckLine): CheckLine => (check.isGreen === false ? { ...check, isGreen: null } : check);

/** A plan can only be approved, and a check only be met, with something that is made: then a question gets a page, too. */
function fitReading(reading: Reading, view: PlannerView, wishes: readonly Wish[]): Reading {
  const isMore = view.permission.writeMode === "approve_plan" || (wishes.length > 0 && !hasAnswered(view));
  return reading.shape === "question" && isMore ? { ...reading, shape: "document" } : reading;
}

export const hasAnswered = ({ plan }: PlannerView): boolean => plan.some(({ id }) => id === "answer");

function findProject(view: PlannerView, { name }: Reading, { calls }: Conversation, mayMake: boolean): string | null {
  const { projects, plan, scope, workspace, iteration } = view;
  const given = projects.find(({ id }) => id !== workspace.projectId) ?? projects[0];
  if (scope !== "global") return given?.id ?? null;
  const made = calls.filter(({ tool }) => tool === "create_project").flatMap((call) => madeId(call) ?? []);
  const kept = plan.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === "project").map(({ id }) => id));
  const named = iteration > 1 ? projects.filter((project) => project.name === name).map(({ id }) => id) : [];
  const isThere = (id: string) => projects.some((project) => project.id === id);
  return made[0] ?? kept.find(isThere) ?? named[0] ?? (mayMake ? null : (given?.id ?? workspace.projectId));
}

export const isOwnStep = (id: string): boolean =>
  /^(?:answer|project|document|tasks|checks|(?:look|said|mend)-\w+)$/.test(id);

/** A plan has room for 40 steps. */
const saidMax = 20;

function readSaid(view: PlannerView, { heard }: Conversation, text: Words): readonly Said[] {
  // A step that another model has planned is taken up like a message.
  const others = view.plan
    .filter(({ id, status }) => !isOwnStep(id) && status !== "done" && status !== "dropped")
    .map(({ id, title }) => ({ stepId: id, words: shorten(plainWords(title), 200) }));
  const messages = [
    ...view.messages.filter((message) => !isFormal(message, text)).map((message) => message.text),
    ...heard,
  ];
  const said = messages
    .map((message) => shorten(plainWords(message), 300).replaceAll(/[“”„]/g, "'"))
    .filter((message) => message !== "")
    .map((message) => ({ stepId: `said-${markOf(message)}`, words: message }));
  return [...new Map([...others, ...said].map((each) => [each.stepId, each])).values()].slice(-saidMax);
}

/** An approval, or one of the answers we offered, says how to go on and is nothing to write about. */
function isFormal({ question, text: said }: PlannerView["messages"][number], { options }: Words): boolean {
  if (question === null) return false;
  return readApproval(said).kind !== "edited" || Object.values(options).includes(said.trim());
}

export type QuestionKey = keyof Words["questions"];

/** The newest answer to a question of ours; null where it was never asked. */
export function findAnswer({ view, text }: Desk, key: QuestionKey): string | null {
  const [opening = ""] = text.questions[key].split("{");
  return view.messages.findLast(({ question }) => question?.startsWith(opening))?.text ?? null;
}

export const isLeaveOut = (answer: string | null): boolean =>
  answer !== null && Object.values(words).some(({ options }) => answer.trim() === options.leave);

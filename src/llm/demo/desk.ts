// What the planner of rules has in front of it: the view, what the objective says, what the session has brought, what the user
// said, where it may write. Read from the request alone; ids that are not in it do not exist.

import { isDecidedInWords } from "../../domain/change-set/approval-question.ts";
import type { CheckLine, PlannerView } from "../../domain/planner/view.ts";
import { readApproval } from "../../domain/run/approval-answer.ts";
import type { ModelRequest } from "../model.ts";
import { type Conversation, madeId, readConversation } from "./conversation.ts";
import { markOf, plainWords, shorten } from "./phrase.ts";
import { type OutcomeFacts, readBrief } from "./read-brief.ts";
import { readWishes, type Wish } from "./read-checks.ts";
import { type Reading, readObjective } from "./read-objective.ts";
import { languages, phraseOf } from "./words.ts";

/** Something to take up; `stepId` is the same in every iteration. */
type Said = Readonly<Record<"stepId" | "words", string>>;

export type Desk = {
  readonly view: PlannerView;
  readonly reading: Reading;
  readonly session: Conversation;
  readonly said: readonly Said[];
  readonly wishes: readonly Wish[];
  readonly may: (tool: string) => boolean;
  /** Null: there is no project yet. */
  readonly projectId: string | null;
  readonly mayMakeProject: boolean;
  /** What it is a part of; null: the run stands by itself. */
  readonly outcome: OutcomeFacts | null;
};

export function openDesk(view: PlannerView, { messages }: ModelRequest): Desk {
  const session = readConversation(messages);
  const wishes = readWishes(isFinished(view) ? view.checks : view.checks.map(asUnseen));
  const reading = fitReading(readObjective(view.objective), view, wishes);
  const { allowedTools } = view.permission;
  const may = (tool: string) => allowedTools === null || allowedTools.includes(tool);
  const isUnwanted = view.plan.some(({ id, status }) => id === "project" && status === "dropped");
  const outcome = readBrief(view.brief);
  // The tasks of an outcome share a project that has its name.
  const shared = outcome === null ? undefined : view.projects.find(({ name }) => name === outcome.name);
  const isMissing = view.scope === "global" && shared === undefined;
  const mayMakeProject = isMissing && may("create_project") && !isUnwanted;
  const found = findProject(view, outcome?.name ?? reading.name, session, mayMakeProject);
  const projectId = view.scope === "global" ? (shared?.id ?? found) : found;
  const said = readSaid(view, session);
  return { view, reading, session, said, wishes, may, projectId, mayMakeProject, outcome };
}

export const projectName = ({ outcome, reading }: Desk): string => outcome?.name ?? reading.name;

/** What was seen before everything was made, or before approved writes were done, says nothing about what is missing. */
const isFinished = ({ plan, decidedWrites }: PlannerView): boolean =>
  plan.length > 0 &&
  plan.every(({ status }) => status === "done" || status === "dropped") &&
  !decidedWrites.some(({ decision }) => isWritten(decision));

const isWritten = (decision: string): boolean => /^approved, and written/.test(decision);
const asUnseen = (check: CheckLine): CheckLine => (check.isGreen === false ? { ...check, isGreen: null } : check);

/** A plan can only be approved, and a check only be met, with something that is made: then a question gets a page, too. */
function fitReading(reading: Reading, view: PlannerView, wishes: readonly Wish[]): Reading {
  const isMore = view.permission.writeMode === "approve_plan" || (wishes.length > 0 && !hasAnswered(view));
  return reading.shape === "question" && isMore ? { ...reading, shape: "document" } : reading;
}

export const hasAnswered = ({ plan }: PlannerView): boolean => plan.some(({ id }) => id === "answer");

function findProject(view: PlannerView, name: string, { calls }: Conversation, mayMake: boolean): string | null {
  const { projects, plan, scope, workspace, decidedWrites } = view;
  const given = projects.find(({ id }) => id !== workspace.projectId) ?? projects[0];
  if (scope !== "global") return given?.id ?? null;
  const made = calls.filter(({ tool }) => tool === "create_project").flatMap((call) => madeId(call) ?? []);
  const kept = plan.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === "project"));
  // Just approved: the newest of that name is the run's own.
  const isNew = decidedWrites.some((each) => isWritten(each.decision) && each.summary.includes(name.slice(0, 40)));
  const found =
    projects.find(({ id }) => kept.some((ref) => ref.id === id)) ??
    projects.find((project) => isNew && project.name === name);
  return made[0] ?? found?.id ?? (mayMake ? null : (given?.id ?? workspace.projectId));
}

export const isOwnStep = (id: string): boolean =>
  /^(?:answer|project|document|tasks|checks|(?:look|said|mend)-\w+)$/.test(id);
export const isOpen = ({ status }: { readonly status: string }): boolean => status !== "done" && status !== "dropped";

/** A plan has room for 40 steps. */
const saidMax = 20;

function readSaid({ plan, messages }: PlannerView, { heard }: Conversation): readonly Said[] {
  // A step that another model has planned is taken up like a message.
  const others = plan
    .filter((step) => !isOwnStep(step.id) && isOpen(step))
    .map(({ id, title }) => ({ stepId: id, words: shorten(plainWords(title), 200) }));
  const said = [...messages.filter((message) => !isFormal(message)).map(({ text }) => text), ...heard]
    .map((text) => shorten(plainWords(text), 300).replaceAll(/[“”„]/g, "'"))
    .filter((words) => words !== "")
    .map((words) => ({ stepId: `said-${markOf(words)}`, words }));
  return [...new Map([...others, ...said].map((each) => [each.stepId, each])).values()].slice(-saidMax);
}

const isOption = (said: string, ...names: readonly string[]): boolean =>
  names.some((name) => languages.some((language) => phraseOf(language, name) === said.trim()));

/** An approval, or one of the answers we offered, says how to go on and is nothing to write about. */
const isFormal = ({ question, text }: PlannerView["messages"][number]): boolean =>
  question !== null &&
  (readApproval(text).kind !== "edited" || isDecidedInWords(text) || isOption(text, "again", "leave", "stop"));

/** The newest answer to a question of ours; null where it was never asked. */
export function findAnswer({ view, reading }: Desk, name: string): string | null {
  const [opening = ""] = phraseOf(reading.language, name).split("{");
  return view.messages.findLast(({ question }) => question?.startsWith(opening))?.text ?? null;
}

export const isLeaveOut = (answer: string | null): boolean => answer !== null && isOption(answer, "leave");

// What the planner of rules has in front of it: what the run should make, thing by thing, and which of it is there. Read from the
// request alone; ids that are not in it do not exist.

import { isDecidedInWords } from "../../domain/change-set/approval-question.ts";
import type { SaidMessage } from "../../domain/planner/said-message.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { readApproval } from "../../domain/run/checks/approval-answer.ts";
import type { ModelRequest } from "../model.ts";
import { composePage, composeTasks, findStrands, pageTitle, saidSection } from "./compose.ts";
import { type Conversation, type DoneCall, madeId, readConversation, unfence, type Wanted } from "./conversation.ts";
import { type Reading, readObjective } from "./read-objective.ts";
import { labelLine, plainWords, shorten } from "./text.ts";

/** Something to be made, for a step that has the same id in every iteration. */
export type Thing = Wanted & { readonly stepId: string };

export type Desk = {
  readonly view: PlannerView;
  readonly reading: Reading;
  readonly session: Conversation;
  /** By the user, each with the step that takes it up. */
  readonly said: readonly { readonly stepId: string; readonly words: string }[];
  readonly may: (tool: string) => boolean;
  /** Null: there is no project yet. */
  readonly projectId: string | null;
  readonly things: readonly Thing[];
  /** What executors look into before the page is written. */
  readonly strands: readonly (readonly string[])[];
};

export function openDesk(view: PlannerView, { messages }: ModelRequest): Desk {
  const session = readConversation(messages);
  const said = readSaid(view);
  const may = (tool: string) => view.permission.allowedTools?.includes(tool) ?? true;
  const reading = readWanted(view, said);
  const outcome = readOutcome(view.brief);
  const name = outcome?.name ?? reading.name;
  const own = findProject(view, session, name, outcome !== null);
  const projectId = own ?? (may("create_project") ? null : view.workspace.projectId);
  const desk = { view, reading, session, said, may, projectId, things: [], strands: [] };
  if (reading.isQuestion || !reading.isWorkable) return desk;
  const words = said.map((each) => each.words);
  const page = { title: pageTitle(reading), content: composePage(reading, words, outcome?.known ?? []) };
  const project = { name, description: labelLine(reading.quote) };
  const wasNew =
    session.calls.some(({ tool }) => tool === "create_project") || view.plan.some(({ id }) => id === "project");
  const isNew = view.scope === "global" && (outcome === null || projectId === null || wasNew);
  const things: readonly Thing[] = [
    ...(isNew ? [{ stepId: "project", tool: "create_project", args: project }] : []),
    { stepId: "document", tool: "create_document", args: page },
    ...composeTasks(reading).map((args) => ({ stepId: "tasks", tool: "create_task", args })),
    ...said.map((each) => takeUp(desk, each, page)),
  ];
  // One question about all writes is enough: where each is asked for, it works alone.
  const isAlone = view.permission.writeMode === "per_write" || !may("create_document");
  return { ...desk, things: things.filter(({ tool }) => may(tool)), strands: isAlone ? [] : findStrands(reading) };
}

/** The objective, or what the user said since where it names nothing. A plan, and checks of the user, need a page. */
function readWanted(view: PlannerView, said: Desk["said"]): Reading {
  const readings = [view.objective, ...said.map(({ words }) => words)].map(readObjective);
  const reading = readings.find(({ isWorkable }) => isWorkable) ?? readObjective(view.objective);
  const hasWishes = view.checks.some(({ about }) => about.startsWith("asked for by the user"));
  return { ...reading, isQuestion: reading.isQuestion && !hasWishes && view.permission.writeMode !== "approve_plan" };
}

/** Of the outcome that the run is a part of: its name, what other tasks found and what people decided. */
export function readOutcome(brief: string | null) {
  if (brief === null) return null;
  const [, name = ""] = /^Outcome: (.+)$/m.exec(brief) ?? [];
  const lines = unfence(brief).matchAll(/^(?:> )?Chosen by [^:]+: (.+)$|^- \w+ \(from #\d+\): (.+)$/gm);
  const known = [...lines].map(([, chosen, found]) => shorten(plainWords(chosen ?? found ?? ""), 300));
  return { name: shorten(plainWords(name), 60), known: [...new Set(known)].slice(0, 12) };
}

function findProject(view: PlannerView, { calls }: Conversation, name: string, isShared: boolean): string | null {
  const { scope, projects, plan, workspace, decidedWrites } = view;
  const given = projects.find(({ id }) => id !== workspace.projectId) ?? projects[0];
  if (scope !== "global") return given?.id ?? null;
  const made = calls.flatMap((call) => (call.tool === "create_project" ? (madeId(call) ?? []) : []));
  const kept = plan.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === "project").map(({ id }) => id));
  // The tasks of an outcome share one; of those that were just approved, the newest of that name is the run's own.
  const isNamed = isShared || decidedWrites.some(({ decision }) => decision.startsWith("approved, and written"));
  const found = projects.find(({ id }) => kept.includes(id)) ?? projects.find((each) => isNamed && each.name === name);
  return made[0] ?? found?.id ?? null;
}

export const options = { again: "Try again", stop: "Stop here" } as const;

/** An approval, or one of the answers that the demo offered, says how to go on and is nothing to write about. */
const isFormal = ({ question, text }: SaidMessage): boolean =>
  question !== null &&
  (readApproval(text).kind !== "edited" ||
    isDecidedInWords(text) ||
    Object.values<string>(options).includes(text.trim()));

/** A plan has room for 40 steps. */
const saidMax = 20;

const readSaid = ({ messages }: PlannerView): Desk["said"] =>
  messages
    .filter((message) => !isFormal(message))
    .map(({ id, text }) => ({ id, words: shorten(plainWords(text), 300).replaceAll(/[“”„]/g, "'") }))
    .filter(({ words }) => words !== "")
    .map(({ id, words }) => ({ stepId: `said-${id.slice(-12)}`, words }))
    .slice(-saidMax);

/** Words of the user stand on the page, from its beginning or added to one of an earlier iteration. */
function takeUp(desk: Desk, { stepId, words }: Desk["said"][number], page: Wanted["args"]): Thing {
  const thing = { stepId, tool: "create_document", args: page };
  const id = findOlder(desk, { ...thing, stepId: "document" });
  const text = saidSection(desk.reading, [words]).join("");
  return id === null ? thing : { stepId, tool: "append_document", args: { id, text } };
}

/** From an earlier iteration: what the platform lists, or what its step has to show where nothing was listed. */
function findOlder({ session, view }: Desk, { tool, args, stepId }: Thing): string | null {
  const kind = tool.replace("create_", "");
  const list = session.calls.find((call) => call.tool === `list_${kind}s`)?.reply?.text;
  const step = view.plan.find(({ id, status }) => id === stepId && status === "done");
  if (list === undefined) return step?.evidence.find((each) => each.kind === kind)?.id ?? null;
  // A line is `- id [state] "title"`, and the title may be cut.
  const line = list.split("\n").find((each) => each.includes(`] "${String(args.title).slice(0, 50)}`));
  return line?.slice(2, 38) ?? null;
}

/** What was tried for it in this session. */
export const callsFor = ({ session }: Desk, { tool, args }: Thing): readonly DoneCall[] =>
  session.calls.filter((call) => call.tool === tool && call.args.title === args.title && call.args.text === args.text);

/** The id of a thing that is there, or of the page that a section stands on. */
export function findThing(desk: Desk, thing: Thing): string | null {
  if (thing.tool === "create_project") return desk.projectId;
  const made = callsFor(desk, thing).flatMap((call) => madeId(call) ?? [])[0];
  if (made !== undefined) return made;
  const isTakenUp = desk.view.plan.some(({ id, status }) => id === thing.stepId && status === "done");
  if (thing.tool === "append_document") return isTakenUp ? String(thing.args.id) : null;
  return findOlder(desk, thing);
}

// The planner's part of the demo model: from a request to its next answer, by rules. It opens a session with plan, checks and a
// look at what is there, makes what is missing, and ends it. It says that it is done only if every step has something to show.

import type { PlannerView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { documentTitle, hasTasks, promisedHeadings, promisedWords } from "./compose.ts";
import { callAll, type Wanted } from "./conversation.ts";
import { type Desk, findAnswer, hasAnswered, openDesk } from "./desk.ts";
import { ask, conclude, endAnswered, endOpen } from "./end-session.ts";
import { callsFor, isDropped, isRejected, progress, setPlan } from "./progress.ts";
import { findThing, hasPage, listThings, type Thing, tasksFor } from "./things.ts";

/** Below what a session may call at once and in all. */
const batchMax = 12;
const callsMax = 32;

export function planByRules(view: PlannerView, request: ModelRequest): PlainAnswer {
  return callAll(request.messages, nextCalls(openDesk(view, request)));
}

function nextCalls(desk: Desk): readonly Wanted[] {
  const { session, view, reading } = desk;
  // It was told why it cannot say that it is done: then it says that it is not.
  if (session.calls.some(({ tool }) => tool === "end_iteration")) return [endOpen(desk, progress(desk))];
  const isAnswer = reading.shape === "question" && !hasAnswered(view);
  const opening = session.calls.length > 0 ? [] : isAnswer ? lookAround(desk) : open(desk);
  if (opening.length > 0) return opening;
  if (isAnswer) return [endAnswered(desk)];
  const missing = listThings(desk).filter((thing) => isMissing(desk, thing));
  const strands = missing.filter((thing) => thing.strand && !wasSentOut(desk, thing.strand.title));
  const isOver = session.mustEnd || session.calls.length >= callsMax;
  if (strands.length > 0 && !isOver) return [delegate(desk, strands)];
  // What the executors brought is read first: the page comes in the next iteration.
  if (isOver || session.calls.some(({ tool }) => tool === "delegate")) return conclude(desk);
  const writes = missing.flatMap((thing) => toWrite(desk, thing)).slice(0, batchMax);
  return writes.length > 0 ? writes : conclude(desk);
}

function open(desk: Desk): readonly Wanted[] {
  const { view, reading } = desk;
  const steps = progress(desk);
  const opening = [...setPlan(desk, steps), ...promise(desk)];
  const question = firstQuestion(desk);
  if (question !== null) return [...opening, ask(desk, question), endOpen(desk, steps, reading.say("asked"))];
  const planned = reading.say("planned", { n: steps.length });
  if (view.phase === "plan_only") return [...opening, endOpen(desk, steps, planned)];
  const project = listThings(desk).filter((thing) => thing.kind === "project" && isMissing(desk, thing));
  return [...opening, ...lookAround(desk), ...project.flatMap((thing) => toWrite(desk, thing))];
}

/** At first a search, later what this run has made: ids are not remembered. */
function lookAround({ view, reading, may, projectId, wishes }: Desk): readonly Wanted[] {
  const { workspace, plan, iteration } = view;
  const search = { tool: "search", args: { query: reading.name, limit: 5 } };
  const isSettled = wishes.length === 0 && plan.every(({ status }) => status === "done" || status === "dropped");
  if (iteration === 1) return [search].filter(({ tool }) => may(tool));
  const own = { made_by_this_run: true, limit: 50 };
  const list = (kind: string, id: string) => ({ tool: `list_${kind}s`, args: { project_id: id, ...own } });
  const kinds = new Set(["document", "task", ...wishes.map(({ entity }) => entity)]);
  const wanted = isSettled ? [] : [...kinds];
  return wanted.map((kind) => list(kind, projectId ?? workspace.projectId)).filter(({ tool }) => may(tool));
}

/** What it asks before it does anything; null where nothing stands in the way. */
function firstQuestion(desk: Desk): string | null {
  const { view, reading, projectId, mayMakeProject } = desk;
  if (view.decidedWrites.some(isRejected)) return "ask-rejected";
  const cannotWrite = reading.shape !== "question" && !hasPage(desk) && tasksFor(desk).length === 0;
  const isNowhere = cannotWrite || (projectId === null && !mayMakeProject);
  if (isNowhere && findAnswer(desk, "ask-nowhere") === null) return "ask-nowhere";
  return reading.wantsAsking && view.iteration === 1 ? "ask-first" : null;
}

/** What is delivered, and how it can be seen. Only once: what was promised stays. */
function promise(desk: Desk): readonly Wanted[] {
  const { view, reading } = desk;
  if (view.deliverables.length > 0 || reading.shape === "question") return [];
  const title = documentTitle(reading);
  const headings = promisedHeadings(reading);
  const page = { kind: "document_has", title_like: title, headings, words_at_least: promisedWords(reading) };
  const n = hasTasks(reading) ? tasksFor(desk).length : 0;
  const tasks = { kind: "entity_count", entity: "task", at_least: n };
  const promised = [
    { id: "document", isMade: hasPage(desk), title: reading.say("deliver-document", { title }), check: page },
    { id: "tasks", isMade: n > 0, title: reading.say("deliver-tasks", { n }), check: tasks },
  ].filter(({ isMade }) => isMade);
  const deliverables = promised.map(({ id, title: named }) => ({ id, title: named }));
  const checks = promised.map(({ id, check }) => ({ id: `${id}-as-promised`, deliverable_id: id, ...check }));
  return promised.length === 0 ? [] : [{ tool: "propose_checks", args: { deliverables, checks } }];
}

const isMissing = (desk: Desk, thing: Thing): boolean =>
  findThing(desk, thing) === null && !isDropped(desk, thing.stepId) && callsFor(desk, thing).length < 2;

const wasSentOut = ({ session, view }: Desk, title: string): boolean =>
  session.calls.some(({ tool }) => tool === "delegate") ||
  (view.lastIteration?.reports ?? []).some((report) => report.title === title);

function delegate({ reading }: Desk, things: readonly Thing[]): Wanted {
  const tasks = things.map(({ stepId, strand, title }) => {
    const lines = (strand?.titles ?? []).map((each) => `- ${each}`);
    const instructions = [reading.say("instructions"), ...lines].join("\n");
    return { title: strand?.title ?? title, step_id: stepId, instructions };
  });
  return { tool: "delegate", args: { tasks } };
}

/** The second try leaves out what is not needed. */
function toWrite(desk: Desk, thing: Thing): readonly Wanted[] {
  const { may, projectId, mayMakeProject, session } = desk;
  const { kind } = thing;
  const isSecond = callsFor(desk, thing).length > 0;
  const { priority, description, ...least } = thing.args;
  const args = isSecond ? least : thing.args;
  const isWaiting = projectId === null && mayMakeProject && kind !== "project";
  if (isWaiting && session.calls.filter(({ tool }) => tool === "create_project").length < 2) return [];
  const isNote = kind === "note" && may("write_note") && !isSecond;
  const create = `create_${kind === "note" ? "document" : kind}`;
  const tool = kind === "append" ? "append_document" : isNote ? "write_note" : create;
  const place = tool === create && kind !== "project" && projectId !== null ? { project_id: projectId } : {};
  return may(tool) ? [{ tool, args: { ...args, ...place } }] : [];
}

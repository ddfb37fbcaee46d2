// The planner's part of the demo model: from a request to its next answer, by rules. It opens a session with plan, checks and a
// look at what is there, makes what is missing, and ends it. It says that it is done only if every step has something to show.

import type { PlannerView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import {
  aspectsFor,
  composeAnswer,
  documentTitle,
  hasTasks,
  labelLine,
  promisedHeadings,
  wordsMax,
} from "./compose.ts";
import { isStaged } from "./conversation.ts";
import { type Desk, findAnswer, hasAnswered, isLeaveOut, isOwnStep, openDesk, type QuestionKey } from "./desk.ts";
import { fill, listed, shorten } from "./phrase.ts";
import { findPage, findThing, hasPage, listThings, type Thing, tasksFor } from "./things.ts";

type Wanted = { readonly tool: string; readonly args: object };

/** Below what a session may call at once and in all. */
const batchMax = 12;
const callsMax = 32;
/** Below what the page has, above what a stub would have. */
const wordsPromised = 200;

export function planByRules(view: PlannerView, request: ModelRequest): PlainAnswer {
  const desk = openDesk(view, request);
  const wanted = nextCalls(desk);
  return {
    text: "",
    toolCalls: wanted.map(({ tool, args }, n) => ({ callId: `demo-${request.messages.length}-${n + 1}`, tool, args })),
  };
}

function nextCalls(desk: Desk): readonly Wanted[] {
  const { session, view, reading } = desk;
  const ended = session.calls.filter(({ tool }) => tool === "end_iteration");
  // It was told why it cannot say so: then it says that it is not done.
  if (ended.length > 0) return [endOpen(desk, progress(desk), fill(desk.text.summaries.partly, facts(desk)))];
  const isAnswer = reading.shape === "question" && !hasAnswered(view);
  const opening = session.calls.length > 0 ? [] : isAnswer ? lookAround(desk, true) : open(desk);
  if (opening.length > 0) return opening;
  if (isAnswer) return [endAnswered(desk)];
  if (session.mustEnd || session.calls.length >= callsMax) return conclude(desk);
  const missing = listThings(desk).filter((thing) => isMissing(desk, thing));
  const strands = missing.filter((thing) => thing.strand && !wasSentOut(desk, thing.strand.title));
  if (strands.length > 0) return [delegate(desk, strands)];
  // What the executors brought is read first: the page comes in the next iteration.
  if (session.calls.some(({ tool }) => tool === "delegate")) return conclude(desk);
  const writes = missing.flatMap((thing) => toWrite(desk, thing)).slice(0, batchMax);
  return writes.length > 0 ? writes : conclude(desk);
}

const facts = ({ reading }: Desk, more: Readonly<Record<string, string>> = {}) => ({
  topic: reading.topic,
  name: reading.name,
  ...more,
});

// Opening

function open(desk: Desk): readonly Wanted[] {
  const { view, mayMakeProject, projectId } = desk;
  const opening = [...setPlan(desk, progress(desk)), ...promise(desk)];
  const question = firstQuestion(desk);
  if (question !== null)
    return [
      ...opening,
      ask(desk, question),
      endOpen(desk, progress(desk), fill(desk.text.summaries.asked, facts(desk))),
    ];
  if (view.phase === "plan_only") {
    const steps = progress(desk);
    return [
      ...opening,
      endOpen(desk, steps, fill(desk.text.summaries.planned, facts(desk, { n: String(steps.length) }))),
    ];
  }
  const project = listThings(desk).filter(({ kind }) => kind === "project" && projectId === null && mayMakeProject);
  return [...opening, ...lookAround(desk, view.iteration === 1), ...project.flatMap((thing) => toWrite(desk, thing))];
}

/** At first a search, later what this run has made: ids are not remembered. */
function lookAround({ view, reading, may, projectId, wishes }: Desk, isFirst: boolean): readonly Wanted[] {
  if (isFirst) return may("search") ? [{ tool: "search", args: { query: reading.name, limit: 5 } }] : [];
  const isOpen = view.plan.some(({ status }) => status === "pending" || status === "in_progress");
  const projects = [...new Set([projectId ?? view.workspace.projectId, view.workspace.projectId])];
  const lists = (tool: string, ids: readonly string[]) =>
    ids.map((id) => ({ tool, args: { project_id: id, made_by_this_run: true, limit: 50 } }));
  if (!isOpen && wishes.length === 0) return [];
  const kinds = new Set([
    "task",
    ...wishes.flatMap((wish) => ("entity" in wish && wish.entity !== "document" ? [wish.entity] : [])),
  ]);
  const others = [...kinds].flatMap((kind) => lists(`list_${kind}s`, projects.slice(0, 1)));
  return [...lists("list_documents", projects), ...others].filter(({ tool }) => may(tool));
}

/** What it asks before it does anything; null where nothing stands in the way. */
function firstQuestion(desk: Desk): QuestionKey | null {
  const { view, reading, projectId, mayMakeProject } = desk;
  if (view.decidedWrites.some(isRejected)) return "rejected";
  const cannotWrite = !hasPage(desk) && !(desk.may("create_task") && tasksFor(desk).length > 0);
  const isNowhere = (projectId === null && !mayMakeProject) || (cannotWrite && reading.shape !== "question");
  if (isNowhere && findAnswer(desk, "nowhere") === null) return "nowhere";
  return reading.wantsAsking && view.iteration === 1 ? "first" : null;
}

const isRejected = ({ decision }: { readonly decision: string }): boolean => /^rejected/i.test(decision);

function ask(desk: Desk, key: QuestionKey, more: Readonly<Record<string, string>> = {}): Wanted {
  const { text, view } = desk;
  const { again, leave, stop } = text.options;
  const options = {
    first: aspectsFor(desk.reading)
      .slice(0, 3)
      .map(({ title }) => title),
    blocked: [again, leave],
    rejected: [leave, stop],
    beyond: [leave, stop],
    nowhere: [again, stop],
  };
  const n = String(view.decidedWrites.filter(isRejected).length);
  const question = {
    text: shorten(fill(text.questions[key], facts(desk, { n, ...more })), 1_500),
    options: options[key],
  };
  return { tool: "ask_user", args: { questions: [question] } };
}

/** What is delivered, and how it can be seen. Only once: what was promised stays. */
function promise(desk: Desk): readonly Wanted[] {
  const { view, reading, text, may } = desk;
  if (view.deliverables.length > 0 || reading.shape === "question") return [];
  const title = documentTitle(reading);
  const tasks = may("create_task") && hasTasks(reading) ? tasksFor(desk).length : 0;
  const deliverables = [
    ...(hasPage(desk) ? [{ id: "document", title: fill(text.deliverables.document, { title }) }] : []),
    ...(tasks > 0 ? [{ id: "tasks", title: fill(text.deliverables.tasks, { n: String(tasks) }) }] : []),
  ];
  const page = {
    kind: "document_has",
    title_like: title,
    headings: promisedHeadings(reading),
    words_at_least: wordsPromised,
  };
  const checks = [
    ...(hasPage(desk) ? [{ id: "document-has-its-parts", deliverable_id: "document", ...page }] : []),
    ...(tasks > 0
      ? [{ id: "tasks-are-there", deliverable_id: "tasks", kind: "entity_count", entity: "task", at_least: tasks }]
      : []),
  ];
  return deliverables.length === 0 ? [] : [{ tool: "propose_checks", args: { deliverables, checks } }];
}

// Working

const callsFor = ({ session }: Desk, { kind, title, args }: Thing) =>
  session.calls.filter((call) =>
    kind === "append"
      ? call.args.text === args.text
      : call.tool !== "delegate" && (call.args.title ?? call.args.name) === title,
  );

const isDropped = ({ view }: Desk, stepId: string): boolean =>
  view.plan.some(({ id, status }) => id === stepId && status === "dropped");

const isMissing = (desk: Desk, thing: Thing): boolean =>
  findThing(desk, thing) === null && !isDropped(desk, thing.stepId) && callsFor(desk, thing).length < 2;

const wasSentOut = ({ session, view }: Desk, title: string): boolean =>
  session.calls.some(({ tool }) => tool === "delegate") ||
  (view.lastIteration?.reports ?? []).some((report) => report.title === title);

function delegate({ reading, text }: Desk, things: readonly Thing[]): Wanted {
  const tasks = things.flatMap(({ stepId, strand }) =>
    strand === undefined
      ? []
      : [
          {
            title: strand.title,
            step_id: stepId,
            instructions: fill(text.instructions, {
              topic: reading.topic,
              lines: strand.titles.map((each) => `- ${each}`).join("\n"),
            }),
          },
        ],
  );
  return { tool: "delegate", args: { tasks } };
}

/** The second try leaves out what is not needed. */
function toWrite(desk: Desk, thing: Thing): readonly Wanted[] {
  const { may, projectId, mayMakeProject } = desk;
  const { kind, args } = thing;
  const isSecond = callsFor(desk, thing).length > 0;
  if (kind === "project") return [{ tool: "create_project", args: isSecond ? { name: thing.title } : args }];
  if (projectId === null && mayMakeProject && callsFor(desk, { ...thing, title: desk.reading.name }).length < 2)
    return [];
  const tool =
    kind === "append"
      ? "append_document"
      : kind === "note" && may("write_note") && !isSecond
        ? "write_note"
        : `create_${kind === "note" ? "document" : kind}`;
  if (!may(tool)) return [];
  const { priority: _, ...fewer } = args;
  const place = tool.startsWith("create_") && projectId !== null ? { project_id: projectId } : {};
  return [{ tool, args: isSecond ? { ...fewer, ...place } : { ...args, ...place } }];
}

// The plan

type Step = {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly evidence: readonly string[];
};

/** Every step with how far it has come, as far as can be seen now. */
function progress(desk: Desk): readonly Step[] {
  const { view, session, said, text } = desk;
  const things = listThings(desk);
  const ids = [...new Set([...things.map(({ stepId }) => stepId), ...said.map(({ stepId }) => stepId)])];
  const waits = session.calls.some(isStaged);
  return ids.map((id) => {
    const known = view.plan.find((step) => step.id === id);
    const own = things.filter(({ stepId }) => stepId === id);
    const found = own.flatMap((thing) => findThing(desk, thing) ?? []);
    const title = known?.title ?? stepTitle(desk, id, own);
    const isAll = own.length > 0 && found.length === own.length;
    const isOff =
      known?.status === "dropped" || (!isAll && isTurnedDown(desk, own)) || (!isAll && isGivenUp(desk, own));
    const isBegun = found.length > 0 || own.some((thing) => callsFor(desk, thing).length > 0);
    const began = isBegun || known?.status === "in_progress";
    const status = isOff ? "dropped" : isAll && !waits ? "done" : began ? "in_progress" : "pending";
    return {
      id,
      title: shorten(title || text.steps.checks, 300),
      status,
      evidence: waits ? [] : [...new Set(found)].slice(0, 20),
    };
  });
}

function stepTitle({ text, reading, view, said }: Desk, id: string, own: readonly Thing[]): string {
  const [first] = own;
  if (first?.strand) return first.strand.title;
  const words = said.find(({ stepId }) => stepId === id)?.words ?? "";
  const key = /^[a-z]+/.exec(id)?.[0] ?? "";
  const titles: Readonly<Record<string, string>> = text.steps;
  const filled = {
    name: reading.name,
    title: documentTitle(reading),
    words,
    n: String(key === "mend" ? view.iteration - 1 : own.length),
  };
  return fill(titles[key] ?? id, filled);
}

const isTurnedDown = ({ view }: Desk, own: readonly Thing[]): boolean =>
  view.decidedWrites.some(
    (write) =>
      isRejected(write) && own.some(({ title }) => write.summary.includes(title.replace(/^## /, "").slice(0, 40))),
  );

/** It failed twice, and the user said to go on without it. */
const isGivenUp = (desk: Desk, own: readonly Thing[]): boolean =>
  isLeaveOut(findAnswer(desk, "blocked")) &&
  own.some((thing) => callsFor(desk, thing).length > 1 && findThing(desk, thing) === null);

/** Steps of an earlier iteration that nothing is wanted for any more are dropped. */
function setPlan({ view }: Desk, steps: readonly Step[]): readonly Wanted[] {
  const stale = view.plan
    .filter(
      ({ id, status }) =>
        isOwnStep(id) && status !== "done" && status !== "dropped" && !steps.some((step) => step.id === id),
    )
    .map(({ id, title }) => ({ id, title, status: "dropped", evidence: [] }));
  return steps.length + stale.length === 0 ? [] : [{ tool: "update_plan", args: { steps: [...steps, ...stale] } }];
}

// Ending

function conclude(desk: Desk): readonly Wanted[] {
  const { text, session, reading } = desk;
  const steps = progress(desk);
  const plan = setPlan(desk, steps);
  const staged = session.calls.filter(isStaged).length;
  if (staged > 0)
    return [...plan, endOpen(desk, steps, fill(text.summaries.staged, facts(desk, { n: String(staged) })))];
  const blocked = listThings(desk).filter(
    (thing) => findThing(desk, thing) === null && callsFor(desk, thing).length > 1,
  );
  const asked = fill(text.summaries.asked, facts(desk));
  if (blocked.length > 0 && findAnswer(desk, "blocked") === null) {
    const why = blocked.flatMap((thing) => callsFor(desk, thing)).at(-1)?.reply?.text ?? "";
    const titles = shorten(blocked.map(({ title }) => title).join("; "), 300);
    return [...plan, ask(desk, "blocked", { titles, why: unfenced(why) }), endOpen(desk, steps, asked)];
  }
  if (steps.some(isOpen)) return [...plan, endOpen(desk, steps, sayOpen(desk, steps))];
  const beyond = findBeyond(desk);
  if (beyond.length > 0 && findAnswer(desk, "beyond") === null)
    return [...plan, ask(desk, "beyond", { titles: shorten(beyond.join("; "), 600) }), endOpen(desk, steps, asked)];
  if (beyond.length > 0 || steps.some(({ status }) => status === "dropped"))
    return [...plan, endOpen(desk, steps, fill(text.summaries.partly, facts(desk, { n: String(beyond.length) })))];
  const made = listed(
    [...new Set(steps.filter(({ id }) => !/^(?:look|project)/.test(id)).map(({ title }) => title))].slice(0, 4),
    text.and,
  );
  return [...plan, end(desk, true, fill(text.summaries.done, facts(desk, { made: made || reading.name })), [])];
}

const isOpen = ({ status }: Step): boolean => status !== "done" && status !== "dropped";
const unfenced = (text: string): string => shorten(text.replaceAll(/<<<[^\n]*>>>/g, " "), 300);

function sayOpen(desk: Desk, steps: readonly Step[]): string {
  const { text, session } = desk;
  const open = String(steps.filter(isOpen).length);
  if (!session.calls.some(({ tool }) => tool === "delegate"))
    return fill(text.summaries.partly, facts(desk, { n: open }));
  const titles = listThings(desk).flatMap(({ strand }) => strand?.titles ?? []);
  return fill(text.summaries.researched, facts(desk, { titles: listed(titles, text.and) }));
}

/** What rules cannot do: files, commands, sources, more words than the tables have. */
const findBeyond = ({ wishes, reading }: Desk): readonly string[] =>
  wishes
    .filter(
      (wish) =>
        wish.kind === "beyond" ||
        (wish.kind === "document" && (wish.sources > reading.links.length || wish.words > wordsMax(reading))),
    )
    .map(({ about }) => about);

function endOpen(desk: Desk, steps: readonly Step[], summary: string): Wanted {
  const { text } = desk;
  const open = steps.filter(isOpen).map(({ title }) => title);
  const dropped = steps
    .filter(({ status }) => status === "dropped")
    .map(({ title }) => fill(text.turnedDown, { title }));
  const beyond = findBeyond(desk).map((about) => fill(text.beyond, { about }));
  const remaining = [...open, ...dropped, ...beyond].map((line) => shorten(line, 400)).slice(0, 40);
  return end(desk, false, summary, remaining.length > 0 ? remaining : [text.steps.checks]);
}

function end(desk: Desk, isDone: boolean, summary: string, remaining: readonly string[]): Wanted {
  const { reading, text, said, projectId } = desk;
  const page = findPage(desk);
  const ids = isDone ? listThings(desk).flatMap((thing) => findThing(desk, thing) ?? []) : [];
  const title = page === null ? (tasksFor(desk)[0]?.title ?? reading.name) : documentTitle(reading);
  return {
    tool: "end_iteration",
    args: {
      exit_signal: isDone,
      progress_summary: labelLine(reading, shorten(summary, 800)),
      remaining_work: remaining,
      completion_evidence: [...new Set(ids)].slice(0, 40),
      primary_output: page ?? (isDone ? (ids[0] ?? projectId) : null),
      open_questions: isDone
        ? aspectsFor(reading)
            .slice(0, 3)
            .flatMap(({ points }) => points.slice(0, 1))
        : [],
      unsure: isDone ? [text.unsure] : [],
      honoured: said.map(({ words }) => ({ message: words, how: fill(text.how, { title: `“${title}”` }) })),
      confidence: isDone ? "medium" : "low",
    },
  };
}

function endAnswered(desk: Desk): Wanted {
  const { reading, text, said } = desk;
  const answer = composeAnswer(
    reading,
    said.map(({ words }) => words),
  );
  const { args } = end(desk, true, text.summaries.answered, []);
  return { tool: "end_iteration", args: { ...args, primary_output: null, answer } };
}

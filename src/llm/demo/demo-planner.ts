// The planner's part of the demo model: from a request to its next answer, by rules. It opens a session with plan and checks, makes
// what is missing, and ends it. It says that it is done only if every step has something to show, and asks where it cannot get on.

import type { PlannerView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { composeAnswer, pageTitle, promiseOfPage } from "./compose.ts";
import { callAll, isStaged, unfence, type Wanted } from "./conversation.ts";
import { callsFor, type Desk, findThing, openDesk, options, type Thing } from "./desk.ts";
import { aspectsFor } from "./read-objective.ts";
import { labelLine, shorten } from "./text.ts";

/** Below what a session may call at once. */
const batchMax = 12;

export function planByRules(view: PlannerView, request: ModelRequest): PlainAnswer {
  return callAll(request.messages, nextCalls(openDesk(view, request)));
}

const wasCalled = ({ session }: Desk, tool: string): boolean => session.calls.some((call) => call.tool === tool);

function nextCalls(desk: Desk): readonly Wanted[] {
  const { session, reading, view, strands } = desk;
  // It was told why it cannot say that it is done: then it says that it is not.
  if (wasCalled(desk, "end_iteration")) return [endOpen(desk)];
  const opening = session.calls.length > 0 ? [] : open(desk);
  if (opening.length > 0) return opening;
  if (reading.isQuestion) return [endAnswered(desk)];
  // What the executors brought is read first: the page comes in the next iteration.
  if (session.mustEnd || wasCalled(desk, "delegate")) return conclude(desk);
  const wasSentOut = view.plan.some(({ id, status }) => id === "look" && status !== "pending");
  if (strands.length > 0 && !wasSentOut && desk.projectId !== null) return [delegate(strands, reading.topic)];
  const writes = toWrite(desk);
  return writes.length > 0 ? writes : conclude(desk);
}

function open(desk: Desk): readonly Wanted[] {
  const { view, reading, may, projectId } = desk;
  const answer = view.messages.findLast(({ question }) => question !== null)?.text.trim();
  if (answer === options.stop) return [endOpen(desk)];
  const question = firstQuestion(desk);
  const offered = reading.isWorkable ? Object.values(options) : [options.stop];
  if (question !== null) return [ask(question, offered), endOpen(desk, `Has a question about ${reading.topic}.`)];
  const isFirst = view.plan.length === 0 || view.phase === "plan_only";
  const planned = isFirst && !reading.isQuestion ? [setPlan(desk), ...promise(desk)] : [];
  if (view.phase === "plan_only") return [...planned, endOpen(desk, "Nothing is written before you approve the plan.")];
  if (projectId === null) return [...planned, ...toWrite(desk)];
  const list = { project_id: projectId, made_by_this_run: true, limit: 50 };
  const lists = ["list_documents", "list_tasks"].filter(may).map((tool) => ({ tool, args: list }));
  return [...planned, ...(view.iteration > 1 && !reading.isQuestion ? lists : [])];
}

/** What it asks before it does anything; null where nothing stands in the way. */
function firstQuestion({ view, reading, things, projectId }: Desk): string | null {
  const { topic, quote } = reading;
  if (!reading.isWorkable)
    return `The demo model (rules, no AI) finds nothing in “${quote}” that it could work on. Say in a sentence what you want done. For real work, save a key under Settings → Models, or set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY.`;
  if (view.decidedWrites.some(({ decision }) => /^rejected/i.test(decision)))
    return `You turned down changes for ${topic}. What should the run do instead?`;
  const isHomeless = projectId === null && !things.some(({ tool }) => tool === "create_project");
  if (reading.isQuestion || !(isHomeless || things.every(({ tool }) => tool === "create_project"))) return null;
  return `The run may not write anywhere for ${topic}: it has no project, or the tools for it are not allowed. Where should it write?`;
}

/** What is delivered, and how it can be seen. Only once: what was promised stays. */
function promise({ view, reading, things }: Desk): readonly Wanted[] {
  const n = things.filter(({ stepId }) => stepId === "tasks").length;
  const page = { id: "page", deliverable_id: "document", kind: "document_has", ...promiseOfPage(reading) };
  const tasks = { id: "tasks", deliverable_id: "tasks", kind: "entity_count", entity: "task", at_least: n };
  const deliverables = [{ id: "document", title: `The page “${pageTitle(reading)}”` }];
  if (n > 0) deliverables.push({ id: "tasks", title: `${n} tasks` });
  const checks = n > 0 ? [page, tasks] : [page];
  return view.deliverables.length > 0 ? [] : [{ tool: "propose_checks", args: { deliverables, checks } }];
}

function delegate(strands: Desk["strands"], topic: string): Wanted {
  const order = `For ${topic}, write down what has to be settled about each of these, in a note of its own, and report it:`;
  const tasks = strands.map((titles) => ({
    title: shorten(`Look into: ${titles.join("; ")}`, 200),
    step_id: "look",
    instructions: [order, ...titles.map((each) => `- ${each}`)].join("\n"),
  }));
  return { tool: "delegate", args: { tasks } };
}

/** What is missing and was not tried yet; the project before what goes into it, and the page only once. */
function toWrite(desk: Desk): readonly Wanted[] {
  const { things, projectId } = desk;
  const missing = things.filter((thing) => findThing(desk, thing) === null && callsFor(desk, thing).length === 0);
  const isDue = ({ tool, stepId }: Thing) =>
    tool === "create_project" || (projectId !== null && (tool !== "create_document" || stepId === "document"));
  return missing
    .filter(isDue)
    .slice(0, batchMax)
    .map(({ tool, args }) => {
      const isPlaced = tool === "create_document" || tool === "create_task";
      return { tool, args: isPlaced ? { ...args, project_id: projectId } : args };
    });
}

/** The steps of the plan, each with how far it has come. What waits for approval is not done yet. */
function progress(desk: Desk) {
  const { things, strands, session, reading, said, view } = desk;
  const titles: Readonly<Record<string, string>> = {
    project: `Set up the project “${reading.name}”`,
    document: `Write “${pageTitle(reading)}”`,
    tasks: "Make the tasks",
  };
  const steps = [...new Set(things.map(({ stepId }) => stepId))].map((id) => {
    const own = things.filter(({ stepId }) => stepId === id);
    const found = session.calls.some(isStaged) ? [] : own.flatMap((thing) => findThing(desk, thing) ?? []);
    const title = titles[id] ?? `Take up “${said.find(({ stepId }) => stepId === id)?.words}”`;
    const isBegun = found.length > 0 || own.some((thing) => callsFor(desk, thing).length > 0);
    const status = found.length === own.length ? "done" : isBegun ? "in_progress" : "pending";
    return { id, title, status, optional: false, evidence: [...new Set(found)].slice(0, 20) };
  });
  const evidence = view.plan.find(({ id }) => id === "look")?.evidence.map(({ id }) => id) ?? [];
  const status = evidence.length > 0 ? "done" : wasCalled(desk, "delegate") ? "in_progress" : "pending";
  const look = { id: "look", title: `Look into ${reading.topic}`, status, optional: true, evidence };
  return strands.length > 0 ? [look, ...steps] : steps;
}

const setPlan = (desk: Desk): Wanted => ({ tool: "update_plan", args: { steps: progress(desk) } });

function conclude(desk: Desk): readonly Wanted[] {
  const { session, reading, view } = desk;
  const staged = session.calls.filter(isStaged).length;
  if (staged > 0) return [setPlan(desk), endOpen(desk, `Prepared ${staged} changes; they wait for your approval.`)];
  const question = findTrouble(desk);
  const wasAsked = view.messages.some((message) => message.question === question);
  if (question !== null) return [setPlan(desk), ...(wasAsked ? [] : [ask(question)]), endOpen(desk)];
  if (findOpen(desk).length > 0 || session.wasInterrupted) return [setPlan(desk), endOpen(desk)];
  return [setPlan(desk), end(desk, true, `Finished ${reading.topic}: “${pageTitle(reading)}”.`, [])];
}

/** What it cannot do alone: calls that failed, and checks that are red though everything was made. */
function findTrouble(desk: Desk): string | null {
  const isBlocked = (thing: Thing) => findThing(desk, thing) === null && callsFor(desk, thing).length > 0;
  const blocked = desk.things.filter(isBlocked);
  const why = shorten(unfence(blocked.flatMap((thing) => callsFor(desk, thing)).at(-1)?.reply?.text ?? ""), 300);
  const names = shorten(blocked.map(({ args }) => String(args.title ?? args.name ?? "")).join("; "), 300);
  if (blocked.length > 0) return `The run cannot make this: ${names}. The reason given: ${why} What should it do?`;
  const beyond = shorten(findBeyond(desk).join("; "), 600);
  if (beyond === "") return null;
  return `The demo model (rules, no AI) cannot do what these checks ask for: ${beyond}. Connect a real model and resume, or say what the run should do instead.`;
}

function findBeyond({ view: { plan, checks, decidedWrites } }: Desk): readonly string[] {
  const isOver = plan.length > 0 && plan.every(({ status, isOptional }) => isOptional || status === "done");
  const red = checks.filter(({ id, isGreen }) => isGreen === false && id !== "plan_complete");
  return isOver && decidedWrites.length === 0 ? red.map(({ about }) => about) : [];
}

const ask = (text: string, offered: readonly string[] = Object.values(options)): Wanted => ({
  tool: "ask_user",
  args: { questions: [{ text: shorten(text, 1_500), options: offered }] },
});

/** Steps that are open, also those that another model planned. */
function findOpen(desk: Desk): readonly string[] {
  const steps = progress(desk);
  const others = desk.view.plan.filter(({ id }) => !steps.some((step) => step.id === id));
  const isOpen = ({ status }: { readonly status: string }) => status !== "done" && status !== "dropped";
  return [...steps.filter(({ optional }) => !optional), ...others].filter(isOpen).map(({ title }) => title);
}

function endOpen(desk: Desk, summary = `Worked on ${desk.reading.topic}; it is not finished.`): Wanted {
  const remaining = [...findOpen(desk), ...findBeyond(desk)].map((line) => shorten(line, 400)).slice(0, 40);
  return end(desk, false, summary, remaining.length > 0 ? remaining : [`Settle with the user: ${desk.reading.topic}`]);
}

const questionsMax = 3;

function end(desk: Desk, isDone: boolean, summary: string, remaining: readonly string[]): Wanted {
  const { reading, said, things } = desk;
  const ids = things.flatMap((thing) => findThing(desk, thing) ?? []);
  const page = things.find(({ stepId }) => stepId === "document");
  const aspects = aspectsFor(reading);
  const questions = aspects.flatMap(({ points }) => points.slice(0, aspects.length < 3 ? questionsMax : 1));
  return {
    tool: "end_iteration",
    args: {
      exit_signal: isDone,
      progress_summary: labelLine(shorten(summary, 800)),
      remaining_work: remaining,
      completion_evidence: isDone ? [...new Set(ids)].slice(0, 40) : [],
      primary_output: (page && findThing(desk, page)) ?? null,
      open_questions: isDone ? questions.slice(0, questionsMax) : [],
      unsure: isDone ? ["Written by rules: nothing was looked up, and your situation is not known."] : [],
      honoured: said.map(({ words }) => ({ message: words, how: `Taken up in “${pageTitle(reading)}”` })),
    },
  };
}

function endAnswered(desk: Desk): Wanted {
  const words = desk.said.map((each) => each.words);
  const { tool, args } = end(desk, true, "Answered the question, as far as rules can.", []);
  return { tool, args: { ...args, answer: composeAnswer(desk.reading, words) } };
}

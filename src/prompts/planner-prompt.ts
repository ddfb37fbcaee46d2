// What a planner's session opens with: the rules as its instructions, the state of its run as the first message. What stays the
// same in a run comes first and what changes comes last, for the caches of providers. Text of strangers is fenced.

import { clip, clipLine, clipStart } from "../domain/planner/clip.ts";
import type { CallLine, CommonView, ExecutorReport, PlannerView, ShownDocument } from "../domain/planner/view.ts";
import { fenced, quoted } from "../domain/policy/fence-text.ts";
import { judgeIdOf } from "../domain/run/checks/evidence.ts";
import { missesWords } from "../domain/run/checks/judge-answer.ts";
import { foreignTextsPart } from "./foreign-texts.ts";
import { plannerRules } from "./planner-rules.ts";
import { runBeforePart } from "./run-before.ts";
import { renderMessage } from "./session-notes.ts";

export type Prompt = { readonly system: string; readonly message: string };

/** How long each part may get. Together they are the size of the prompt, however old the run is. */
const limits = {
  objective: 32_000,
  /** Of everything the user said together; the oldest are shortened first. */
  said: 40_000,
  shortened: 300,
  planTitle: 300,
  /** A judge's points are worth nothing when they are cut. */
  seen: 4_000,
  report: 4_000,
  history: 200,
  scratchpad: 4_000,
} as const;

/** `nonce` makes the fences of this session unguessable. */
export function plannerPrompt(view: PlannerView, nonce: string): Prompt {
  const parts = [
    view.brief === null ? objectivePart(view) : objectivePart(view, "Your task, as it was planned for the user"),
    foreignTextsPart(view.foreignTexts, nonce),
    view.brief ?? "",
    view.before === null ? "" : runBeforePart(view.before, nonce, "planner"),
    placePart(view, nonce),
    contentsPart(view, nonce),
    saidPart(view, nonce),
    decidedPart(view, nonce),
    ...(hasBegun(view)
      ? [planPart(view, nonce), checksPart(view, nonce)]
      : [section("Plan, deliverables and checks", ["None yet."])]),
    lastPart(view, nonce),
    historyPart(view, nonce),
    notesPart(view, nonce),
    scratchpadPart(view, nonce),
    nowPart(view),
  ];
  return { system: plannerRules, message: parts.filter((part) => part !== "").join("\n\n") };
}

export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`## ${title}`, ...lines].join("\n");

/** The user's own words are what the run is for: quoted, and not fenced as data. */
export const objectivePart = ({ objective }: CommonView, title = "The user's objective"): string =>
  section(title, [quoted(clip(objective, limits.objective))]);

function placePart(view: PlannerView, nonce: string): string {
  const { scope, permission, phase } = view;
  const modes = {
    autopilot: "You may write inside the scope without asking.",
    approve_plan:
      phase === "plan_only"
        ? "The user approves plan and checks before anything is written."
        : "The user has approved the plan: you may write inside the scope.",
    per_write: "Every write is staged and done only once the user has approved it; you see staged writes as if done.",
  } as const;
  const now =
    phase === "plan_only"
      ? [
          "Now: plan only. Read, make the plan and propose the checks, or change both as the user asks for it; then end the iteration with exit_signal false, and the user is asked for approval. Writes, notes too, are refused until then.",
        ]
      : [];
  const only =
    permission.allowedTools === null ? [] : [`Only these tools are allowed: ${permission.allowedTools.join(", ")}.`];
  return section("Where you work", [
    `Scope: ${scopeWords[scope]}`,
    ...projectLines(view, nonce),
    ...contextLines(view),
    modes[permission.writeMode],
    ...now,
    ...only,
  ]);
}

/** Titles and texts are fenced as data, because other members may have written them. */
function contentsPart({ contents }: PlannerView, nonce: string): string {
  const lines = contents.flatMap(({ name, documents, tasks, hasMore }) => [
    `project "${clipLine(name, 100)}": ${manyOf(documents.length, "document")}, ${manyOf(tasks.length, "open task")}${hasMore ? " and more" : ""}`,
    ...documents.map(documentLine),
    ...tasks.map(taskLine),
  ]);
  return lines.length === 0
    ? ""
    : section("What is there", [fenced("what the user has there", lines.join("\n"), nonce)]);
}

const documentLine = ({ id, title, isOwn, length, text }: ShownDocument): string => {
  const facts = [`${length} characters`, ...(text === null ? [] : ["in full"]), ...ownWords(isOwn)];
  return `- document ${id} "${clipLine(title, 100)}" (${facts.join(", ")})${wholeText(text, "document")}`;
};

const manyOf = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const wholeText = (text: string | null, what: string): string =>
  text === null ? "" : `:\n${text.trim()}\n(end of this ${what})`;

const taskLine = ({ id, title, isOwn, state, dueOn }: PlannerView["contents"][number]["tasks"][number]): string => {
  const facts = [state, ...(dueOn === null ? [] : [`due ${dueOn}`]), ...ownWords(isOwn)];
  return `- task ${id} "${clipLine(title, 100)}" (${facts.join(", ")})`;
};

const ownWords = (isOwn: boolean): readonly string[] => (isOwn ? ["made by this run"] : []);

const scopeWords = {
  global: "everything the user has.",
  project: "one project.",
  multi_project: "these projects.",
} as const;

/** By id alone: others may have written its title. */
function contextLines({ context: { type, entityId } }: PlannerView): readonly string[] {
  if (type === "project_create")
    return ["The objective is a new project of the user's: create_project makes it first."];
  return entityId === null ? [] : [`The user was looking at the ${type} ${entityId}; the objective may mean it.`];
}

/** Other members may have given them their names. */
export const projectLines = ({ projects }: CommonView, nonce: string): readonly string[] =>
  projects.length === 0
    ? ["There is no project yet; create_project makes one."]
    : fencedLines(
        "projects",
        projects.map(({ id, name }) => `- project "${clipLine(name, 100)}": ${id}`),
        nonce,
      );

/** Nothing where there are no lines. */
export const fencedLines = (label: string, lines: readonly string[], nonce: string): readonly string[] =>
  lines.length === 0 ? [] : [fenced(label, lines.join("\n"), nonce)];

/** Everything, the newest last. If it is more than fits, the oldest are shortened. */
export function saidPart({ messages }: CommonView, nonce: string): string {
  let room: number = limits.said;
  const lines = messages.toReversed().map((message) => {
    const whole = renderMessage(message, nonce);
    room -= whole.length;
    return room >= 0 ? whole : quoted(clip(message.text, limits.shortened));
  });
  const said = lines.toReversed().join("\n\n");
  return said === "" ? "" : section("What the user said to this run (all of it holds)", [said]);
}

const decidedPart = ({ decidedWrites }: PlannerView, nonce: string): string =>
  section(
    "Staged writes the user has decided on",
    fencedLines(
      "staged writes",
      decidedWrites.map(({ summary, decision }) => `- ${decision}: ${clipLine(summary, 200)}`),
      nonce,
    ),
  );

const hasBegun = ({ plan, deliverables, checks, remainingWorkLast, unsureLast }: PlannerView): boolean =>
  [plan, deliverables, checks.filter(isShown), remainingWorkLast, unsureLast].some((each) => each.length > 0);

/** The plan stands above its checks: that its steps have to be done need not be said twice. */
const isShown = ({ id }: PlannerView["checks"][number]): boolean => id !== "plan_complete";

/** Its own words may repeat what it read. */
function planPart({ plan, remainingWorkLast, unsureLast }: PlannerView, nonce: string): string {
  const steps = plan.map(({ id, title, status, isOptional, evidence }) => {
    const shown = evidence.length === 0 ? "" : ` (${evidence.map((ref) => `${ref.kind} ${ref.id}`).join(", ")})`;
    return `- [${id}] ${clipLine(title, limits.planTitle)}: ${status}${isOptional ? ", optional" : ""}${shown}`;
  });
  const remaining = remainingWorkLast.map((line) => `- ${clipLine(line, limits.planTitle)}`);
  const left =
    remaining.length === 0 ? [] : ["You said at the end of the last iteration that this remains:", ...remaining];
  const doubts = unsureLast.map((line) => `- ${clipLine(line, limits.planTitle)}`);
  const unsure = doubts.length === 0 ? [] : ["You were unsure of, or left open:", ...doubts];
  const none = steps.length === 0 ? ["None yet."] : [];
  return section("Plan", [...none, ...fencedLines("your plan", [...steps, ...left, ...unsure], nonce)]);
}

/** A judge reads all deliverables at once, so that its words may stand with several of them. */
const judged = judgeIdOf("");

function checksPart({ deliverables, checks }: PlannerView, nonce: string): string {
  const promised = deliverables.map(({ id, title }) => `- deliverable [${id}] ${clipLine(title, 200)}`);
  const state = (isGreen: boolean | null) => (isGreen === null ? "not run yet" : isGreen ? "passed" : "not passed");
  const shown = checks.filter(isShown);
  const lines = shown.map(({ id, about, isGreen, seen }) => {
    const first = shown.find((check) => check.seen === seen && check.id.startsWith(judged))?.id ?? id;
    const isSaid = first !== id && id.startsWith(judged);
    const found = seen === "" ? "" : isSaid ? `. Seen: as for [${first}]` : `. Seen: ${clip(seen, limits.seen)}`;
    return `- check [${id}] ${clipLine(about, 300)}: ${state(isGreen)}${found}`;
  });
  const ask = deliverables.length === 0 ? ["None of yours yet."] : [];
  return section("Deliverables and checks (run by the platform)", [
    ...fencedLines("deliverables and checks", [...promised, ...lines], nonce),
    ...ask,
  ]);
}

/** What a judge misses stands with its check, in full. */
const isToldAbove = (decision: string, { checks }: PlannerView): boolean =>
  checks.some(({ isGreen, seen }) => isGreen === false && seen.includes(missesWords) && decision.includes(missesWords));

function lastPart(view: PlannerView, nonce: string): string {
  if (view.lastIteration === null) return "";
  const { iteration, calls, reports, artifacts, summary, decision: said } = view.lastIteration;
  const decision = isToldAbove(said, view) ? "you said that it is done, and the judge misses something (above)" : said;
  const record = [
    ...(summary === "" ? [] : [`You said of it: ${clipLine(summary, 2_100)}`]),
    ...(view.summaryLast === "" ? [] : [`Your summary for the user: ${clipLine(view.summaryLast, 2_100)}`]),
    ...(decision === "" ? [] : [`Why the run goes on: ${clipLine(decision, 1_200)}`]),
    ...(artifacts.length === 0
      ? ["It made and changed nothing besides the plan and its checks."]
      : ["It made or changed:"]),
    ...artifacts.map(({ kind, id, title }) => {
      const what = view.notes.some((note) => note.id === id) ? "note" : kind;
      return `- ${what} "${clipLine(title, 120)}": ${id}`;
    }),
    // Why a call failed may be the words of a stranger's server.
    ...(calls.length === 0 ? [] : ["Its calls (read_result opens one again):", ...calls.map(callLine)]),
  ];
  return section(`Iteration ${iteration}, the one before this`, [
    ...fencedLines("your record of it", record, nonce),
    ...reports.map((report) => reportLines(report, nonce)),
  ]);
}

const callLine = ({ ref, tool, args, ok, said }: CallLine): string =>
  `- [${ref}] ${tool}(${args})${ok ? "" : ` FAILED: ${clipLine(said, 300)}`}`;

function reportLines({ branchId, title, stepId, ok, text }: ExecutorReport, nonce: string): string {
  const step = stepId === null ? "" : ` for step [${stepId}]`;
  return [
    `Executor ${branchId}${step} ${ok ? "reported" : "FAILED"}:`,
    fenced(`report of executor ${branchId}, ${clipLine(title, 120)}`, clip(text.trim(), limits.report), nonce),
  ].join("\n");
}

/** Those that do not stand in the scratchpad below. */
const historyPart = ({ history, scratchpad }: PlannerView, nonce: string): string =>
  section(
    "Earlier iterations",
    fencedLines(
      "what you said of them",
      history
        .filter(({ iteration }) => !scratchpad.includes(`## Iteration ${iteration}\n`))
        .map(({ iteration, summary }) => `- ${iteration}: ${clipLine(summary, limits.history)}`),
      nonce,
    ),
  );

/** What it wrote down for later; the newest first. */
const notesPart = ({ notes }: PlannerView, nonce: string): string =>
  section(
    "Your notes (get_document opens those that are not in full)",
    fencedLines(
      "your notes",
      notes.map(
        ({ id, title, length, text }) =>
          `- note ${id} "${clipLine(title, 100)}" (${length} characters${text === null ? "" : ", in full"})${wholeText(text, "note")}`,
      ),
      nonce,
    ),
  );

function scratchpadPart({ scratchpad }: PlannerView, nonce: string): string {
  if (scratchpad.trim() === "") return "";
  return section("Scratchpad, before the last iteration", [
    fenced("the run's scratchpad", clipStart(scratchpad.trim(), limits.scratchpad), nonce),
  ]);
}

/** What differs from one iteration to the next, and so stands at the end. */
function nowPart(view: PlannerView): string {
  const { iteration, now, guidance, hint, budget, limits: session } = view;
  const next = {
    as_planned: null,
    mend_what_failed:
      "You said the work was done, and it was turned down. Mend exactly what was found before you say it again.",
    replan: "Look at the plan again before you go on, and change it where something else is to be made.",
    recover:
      "The run has not got anywhere lately. Use other tools, a simpler way, or ask the user; otherwise it stops.",
    confirm_done:
      "Every check has passed. Is anything missing? If not, end this iteration with exit_signal true; if something is, say what and do it.",
  } as const;
  const lines = [
    `It is ${now}.`,
    guidance === null ? null : next[guidance.next],
    hint,
    `Used so far: ${budget.map(({ of, used, limit }) => `${used} of ${limit} ${of}`).join(", ")}.`,
    `This session: at most ${session.answers} answers and ${session.calls} tool calls, ${session.callsAtOnce} in one answer.`,
  ];
  return section(
    `Iteration ${iteration} begins`,
    lines.filter((line) => line !== null),
  );
}

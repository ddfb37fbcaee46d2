// What a run that follows up another one is told of it: a part of its opening in every iteration, and of what its judge reads. What the
// user said is quoted; what that run wrote stands between fences, and is there to be used, not obeyed.

import { clip, clipLine } from "../domain/planner/clip.ts";
import type { AskedBefore, RunBefore, ThingBefore } from "../domain/planner/run-before.ts";
import { fenced, quoted } from "../domain/policy/fence-text.ts";

/** How long each part may get: characters of a text, lines of a list. */
const limits = {
  objective: 6_000,
  earlier: 3,
  earlierObjective: 600,
  /** Of everything the user said together; the oldest are shortened first. */
  said: 8_000,
  shortened: 200,
  messages: 30,
  question: 300,
  summary: 3_000,
  why: 600,
  things: 30,
  title: 120,
  listed: 10,
  line: 300,
  notes: 15,
} as const;

/** A planner opens things with its tools; an agent has files and branches. */
type Reader = "planner" | "agent";

/** `isInBranch`: the agent's branch begins from that of the run before. */
export function runBeforePart(before: RunBefore, nonce: string, reader: Reader, isInBranch = false): string {
  return [
    "## The run before this one",
    "Your objective follows up a run that has ended. That run was asked for:",
    objectiveText(before, nonce),
    ...earlierLines(before, nonce),
    "How that was to be done (sources, length, language and the like) holds for you, too, unless your objective or something newer says otherwise.",
    ...saidLines(before, nonce),
    endWords(before),
    ...howToUse(before, reader, isInBranch),
    "What it left behind:",
    fenced("the run before this one", recordLines(before, reader).join("\n"), nonce),
  ].join("\n");
}

/** An objective such as "the same in French" means nothing to a judge who does not know what was asked for before. */
export function runBeforeOfJudge(before: RunBefore, nonce: string): string {
  const summary = before.summary.trim();
  return [
    "This follows up work that was done before. So that you understand what is asked for now, this was asked for then:",
    objectiveText(before, nonce),
    ...saidLines(before, nonce),
    ...(summary === "" ? [] : [fenced("summary of the work before", clip(summary, limits.summary), nonce)]),
    "Judge what is asked for now: what was delivered before need not be delivered again. How it was to be done then (sources, length, language and the like) holds now, too, unless something newer says otherwise.",
  ].join("\n");
}

function objectiveText({ objective, isOwnObjective }: AskedBefore, nonce: string, max: number = limits.objective) {
  const text = clip(objective, max);
  return isOwnObjective ? quoted(text) : fenced("an objective that a model wrote", text, nonce);
}

function earlierLines({ earlier }: RunBefore, nonce: string): readonly string[] {
  const lines = earlier.slice(0, limits.earlier).map((each) => objectiveText(each, nonce, limits.earlierObjective));
  return lines.length === 0
    ? []
    : ["It followed up earlier runs itself, which were asked for, newest first:", ...lines];
}

/** What the run asked is a model's text; what the user answered is not. */
function saidLines({ messages }: RunBefore, nonce: string): readonly string[] {
  let room: number = limits.said;
  const newestFirst = messages.slice(-limits.messages).toReversed();
  const lines = newestFirst.map(({ question, text }) => {
    const asked =
      question === null ? "" : fenced("a question that was asked", clipLine(question, limits.question), nonce);
    const whole = asked === "" ? quoted(text) : `${asked}\nThe user answered:\n${quoted(text)}`;
    room -= whole.length;
    return room >= 0 ? whole : quoted(clip(text, limits.shortened));
  });
  return lines.length === 0
    ? []
    : [
        "The user also said this then. It still holds where nothing newer says otherwise:",
        lines.toReversed().join("\n\n"),
      ];
}

const endings: Readonly<Record<RunBefore["status"], string>> = {
  completed: "It was completed.",
  stopped: "It was stopped before it was done.",
  failed: "It failed before it was done.",
  canceled: "The user canceled it before it was done.",
  queued: "The user has resumed it since, so it may still change what it made.",
  running: "The user has resumed it since, so it may still change what it made.",
  waiting_on_user: "The user has resumed it since, so it may still change what it made.",
};

const endWords = ({ status, isUndone }: RunBefore): string =>
  isUndone
    ? `${endings[status]} After that the user took back everything that it wrote: none of it is there any more.`
    : endings[status];

function howToUse(
  { isUndone, things, notes, branch }: RunBefore,
  reader: Reader,
  isInBranch: boolean,
): readonly string[] {
  if (isUndone) return ["Do not count on its results, and bring back only what your objective asks for."];
  const now = "Do what your objective asks for, on top of it, and do not do its work again.";
  if (reader === "agent" && isInBranch) return [now, "Its files are in your folder: your work begins where it ended."];
  if (reader === "agent")
    return branch?.state === "open"
      ? [now, `Its branch is not merged: if you build on its files, begin with: git merge ${branch.name}`]
      : [now];
  return [
    now,
    ...(things.some(({ isGone }) => !isGone)
      ? [
          "Open what you build on (get_document, get_task and so on), unless it is shown in full. If something that it made has to be different now, change that one; do not make a second one beside it.",
        ]
      : []),
    ...(notes.length === 0
      ? []
      : [
          "Its working notes are a log, a plan and pages that it kept for itself, and rarely needed; get_document opens them by their ids, too.",
        ]),
  ];
}

function recordLines(before: RunBefore, reader: Reader): readonly string[] {
  const { summary, why, things, hasMoreThings, branch, notes } = before;
  const shown = things.slice(0, limits.things).map(thingLine);
  const more = hasMoreThings || things.length > shown.length ? ["- and more"] : [];
  const pages = notes
    .slice(-limits.notes)
    .map(({ id, title }) => `- document ${id} "${clipLine(title, limits.title)}"`);
  const lines = [
    ...(why.trim() === "" ? [] : [`Why it ended: ${clipLine(why, limits.why)}`]),
    ...(summary.trim() === "" ? [] : ["Its summary for the user:", clip(summary.trim(), limits.summary)]),
    ...(branch === null ? [] : [`Its files are on the branch ${branch.name} (${branchStates[branch.state]}).`]),
    ...headed("It made or changed:", [...shown, ...more]),
    ...headed("Questions that it left open:", listed(before.openQuestions)),
    ...headed("It was unsure of:", listed(before.unsure)),
    ...headed("It had not got to:", listed(before.unfinished)),
    ...headed("Its working notes:", reader === "planner" ? pages : []),
  ];
  return lines.length === 0 ? ["It left nothing."] : lines;
}

const branchStates = { open: "not merged", merged: "merged", discarded: "discarded" } as const;

const headed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];

const listed = (texts: readonly string[]): readonly string[] =>
  texts.slice(0, limits.listed).map((text) => `- ${clipLine(text, limits.line)}`);

function thingLine({ kind, id, title, change, isMain, isGone }: ThingBefore): string {
  const facts = [change, ...(isMain ? ["the main result"] : []), ...(isGone ? ["not there any more"] : [])];
  return `- ${kind} ${id} "${clipLine(title, limits.title)}" (${facts.join(", ")})`;
}

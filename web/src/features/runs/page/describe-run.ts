// What a run is doing, in words: now, why, what happens next, and whether it goes on by itself. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { counted, duration } from "../../../../../src/protocol/figures.ts";
import { isTakenOver, type Question, type RunView, type ViewState } from "../../../../../src/protocol/run-view.ts";
import { tellPassed } from "../../../../../src/protocol/words/check-count.ts";
import { longestSilence } from "../../../../../src/protocol/words/silence.ts";
import { stopWords } from "../../../../../src/protocol/words/stop.ts";
import { stopAdvice } from "../../../../../src/protocol/words/stop-advice.ts";
import { goesOnByItself } from "../../../ui/run-words.ts";

export type RunInWords = {
  readonly now: string;
  /** More about it; null where the first sentence says all. */
  readonly detail: string | null;
  /** Why it went on, or ended; null before the platform has said anything. */
  readonly why: { readonly label: string; readonly text: string } | null;
  readonly next: string;
  readonly byItself: string;
};

type Facts = { readonly run: Run; readonly view: RunView; readonly nowMs: number };
type Told = Pick<RunInWords, "now" | "detail" | "next">;
type In<S extends ViewState["status"]> = Extract<ViewState, { readonly status: S }>;

export function describeRun(run: Run, view: RunView, nowMs: number): RunInWords {
  const told = tell({ run, view, nowMs });
  return { ...told, why: whyOf(view, told.detail), byItself: byItselfWords(view.state) };
}

function tell(facts: Facts): Told {
  const { state } = facts.view;
  switch (state.status) {
    case "queued":
      return tellQueued(facts);
    case "running":
      return tellRunning(facts, state);
    case "waiting_on_user":
      return tellWaiting(state.questions);
    case "stopped":
      return tellStopped(state);
    case "completed":
      return {
        now: doneWords(facts.view),
        detail: null,
        next: "Read the result, or follow up.",
      };
    case "failed":
      return {
        now: "The run failed.",
        detail: state.why === "" ? null : state.why,
        next: whatStays(facts.run),
      };
    case "canceled":
      return {
        now: `The run was canceled in iteration ${facts.view.iteration}.`,
        detail: null,
        next: whatStays(facts.run),
      };
  }
}

const whatStays = ({ made }: Run): string =>
  made.length === 0
    ? "Nothing was written."
    : "What the run wrote stays. To take it back, choose Undo in the menu of the run.";

function tellQueued({ run, view }: Facts): Told {
  if (run.place_in_line === null)
    return {
      now: `Iteration ${view.iteration} is about to start.`,
      detail: null,
      next: "A worker picks it up in a moment.",
    };
  return {
    now: `The run is queued, at place ${run.place_in_line}.`,
    detail: null,
    next: `Iteration ${view.iteration} starts as soon as another run makes room.`,
  };
}

function tellRunning({ view, nowMs }: Facts, { since, hold }: In<"running">): Told {
  const place = `iteration ${view.iteration} of ${view.maxIterations}`;
  if (hold !== null)
    return {
      now: `The run is on hold in ${place}${leftOf(hold.until, nowMs)}.`,
      detail: hold.why,
      next: "Then the same iteration is tried again.",
    };
  if (since === null)
    return {
      now: `The run is between two iterations (${place}).`,
      detail: null,
      next: "The next iteration starts in a moment.",
    };
  const silence = longestSilence(view, nowMs);
  if (silence !== null)
    return {
      now: `${silence}.`,
      detail: `The run is waiting in ${place}. This time does not count as active.`,
      next: nextTry(view),
    };
  return {
    now: `The run is working on ${place}.`,
    detail: view.attempt > 1 ? tellAttempt(view) : null,
    next: "The checks are run when the iteration ends.",
  };
}

function nextTry({ silences }: RunView): string {
  const isLast = silences.every(({ tries, tries_most: most }) => tries >= most);
  return isLast
    ? "If it stays silent, the run is put on hold and tried again later."
    : "If it stays silent, it is asked again, or the next model is.";
}

function tellAttempt(view: RunView): string {
  if (isTakenOver(view)) return `The agent was taken over and works on: nothing was lost (attempt ${view.attempt}).`;
  return `This is attempt ${view.attempt}: the one before was cut off. What it had already done is not done again.`;
}

function leftOf(until: string, nowMs: number): string {
  const leftMs = Date.parse(until) - nowMs;
  return leftMs > 0 ? ` for another ${duration(leftMs)}` : "";
}

function tellWaiting(questions: readonly Question[]): Told {
  return {
    now: `The run is waiting for you: ${asksFor(questions)}.`,
    detail: null,
    next: "Your answer starts the next iteration.",
  };
}

function asksFor(questions: readonly Question[]): string {
  const plain = questions.filter(({ kind }) => kind === "question").length;
  const parts = [
    ...(questions.some(({ kind }) => kind === "approve_plan") ? ["approve its plan"] : []),
    ...(questions.some(({ kind }) => kind === "approve_checks") ? ["approve a change of your criteria"] : []),
    ...(questions.some(({ kind }) => kind === "approve_writes") ? ["approve its changes"] : []),
    ...(plain > 0 ? [`answer ${counted(plain, "question")}`] : []),
  ];
  return parts.length === 0 ? "answer it" : parts.join(" and ");
}

/** Said by the heading already. */
const pausedByUser = "You paused it";
/** So were limits told until version 0.4.0; the heading says which one. */
const inUnitsOfOurs = / (?:micro-dollars|ms of running time) used/;

function tellStopped({ reason, why }: In<"stopped">): Told {
  return {
    now: stopSentence(reason),
    detail: why === "" || why === pausedByUser || inUnitsOfOurs.test(why) ? null : why,
    next: stopAdvice[reason ?? "no_progress"],
  };
}

function stopSentence(reason: In<"stopped">["reason"]): string {
  if (reason === "paused") return "The run is paused.";
  return reason === null ? "The run stopped." : `The run stopped because ${stopWords[reason]}.`;
}

const doneWords = ({ greenChecks, allChecks }: RunView): string =>
  allChecks === 0 ? "The run is done." : `The run is done: ${tellPassed(greenChecks, allChecks)}.`;

/** Of nearly every iteration that went on. */
const usualWhy = "Work remains";

/** Not said twice. */
function whyOf({ lastWhy, state }: RunView, detail: string | null): RunInWords["why"] {
  if (state.status === "stopped" && lastWhy === state.why) return null;
  if (lastWhy === null || lastWhy === detail || lastWhy.trim() === "") return null;
  if (lastWhy === usualWhy) return null;
  if (state.status === "running" && state.hold?.why === lastWhy) return null;
  if (state.status === "stopped" && state.reason === "paused") return null;
  return { label: whyLabels[state.status], text: lastWhy };
}

const whyLabels: Readonly<Record<ViewState["status"], string>> = {
  queued: "Why it continues",
  running: "Why it continued",
  waiting_on_user: "Why it asks",
  stopped: "Why it stopped",
  completed: "Why it is done",
  failed: "Why it failed",
  canceled: "Before that",
};

function byItselfWords({ status }: ViewState): string {
  if (goesOnByItself(status)) return "Runs in the background. You can close this tab.";
  if (status === "waiting_on_user") return "Paused at no cost until you answer.";
  if (status === "stopped") return "Nothing happens until you resume it.";
  return "";
}

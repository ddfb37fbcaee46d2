// What a run is doing, in words: now, why, what happens next, and whether it goes on by itself. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { counted, duration } from "../../../../../src/protocol/figures.ts";
import type { Question, RunView, ViewState } from "../../../../../src/protocol/run-view.ts";
import { goesOnByItself, stopWordsOf } from "../../../ui/run-words.ts";

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
        now: `It is done: ${checksInWords(facts.view)}.`,
        detail: null,
        next: "Nothing more happens. Read the report, or ask about it.",
      };
    case "failed":
      return {
        now: "It failed.",
        detail: state.why === "" ? null : state.why,
        next: "Nothing more happens. Fork it from an iteration that went well, or take back what it wrote.",
      };
    case "canceled":
      return {
        now: `It was canceled in iteration ${facts.view.iteration}.`,
        detail: null,
        next: "Nothing more happens. What it wrote until then stays, unless you take it back.",
      };
  }
}

function tellQueued({ run, view }: Facts): Told {
  if (run.place_in_line === null)
    return { now: `Iteration ${view.iteration} is about to begin.`, detail: null, next: "A worker takes it up." };
  return {
    now: `It waits in line, at place ${run.place_in_line}.`,
    detail: null,
    next: `It begins with iteration ${view.iteration} as soon as another run makes room.`,
  };
}

function tellRunning({ view, nowMs }: Facts, { since, hold }: In<"running">): Told {
  const place = `iteration ${view.iteration} of ${view.maxIterations}`;
  if (hold !== null)
    return {
      now: `It is held up in ${place}${leftOf(hold.until, nowMs)}.`,
      detail: hold.why,
      next: "Then it tries the same iteration again, without what it has already done. Waiting does not use up its time.",
    };
  if (since === null)
    return {
      now: `It is between two iterations, ${place} is next or just done.`,
      detail: null,
      next: "The next iteration begins in a moment.",
    };
  return {
    now: `It works on ${place}.`,
    detail:
      view.attempt > 1
        ? `This is attempt ${view.attempt}: the one before was cut off. What it had already done is not done again.`
        : null,
    next: "When the iteration ends, the platform looks at its checks and decides whether it goes on.",
  };
}

function leftOf(until: string, nowMs: number): string {
  const leftMs = Date.parse(until) - nowMs;
  return leftMs > 0 ? ` for another ${duration(leftMs)}` : "";
}

function tellWaiting(questions: readonly Question[]): Told {
  return {
    now: `It waits for you: ${asksFor(questions)}.`,
    detail: null,
    next: "Once you have answered, it goes on with the next iteration.",
  };
}

function asksFor(questions: readonly Question[]): string {
  const plain = questions.filter(({ kind }) => kind === "question").length;
  const parts = [
    ...(questions.some(({ kind }) => kind === "approve_plan") ? ["it wants your word on its plan"] : []),
    ...(questions.some(({ kind }) => kind === "approve_writes") ? ["it wants your word on what it would write"] : []),
    ...(plain > 0 ? [`it asks ${counted(plain, "question")}`] : []),
  ];
  return parts.length === 0 ? "it asks something" : parts.join(", and ");
}

const afterStop: Readonly<Record<string, string>> = {
  paused: "Resume it, and it goes on where it was.",
  provider_auth: "Mend the key of the model's provider, then resume it.",
  provider_quota: "Give the model's provider credit, then resume it.",
  max_iterations: "Resume it with more iterations, or take what is there.",
  running_time: "Resume it with more time, or take what is there.",
  cost: "Resume it with more money, or take what is there.",
  tokens: "Resume it with more tokens, or take what is there.",
  tool_calls: "Resume it with more tool calls, or take what is there.",
};

function tellStopped({ reason, why }: In<"stopped">): Told {
  return {
    now: reason === null ? "It stopped." : `It stopped because ${stopWordsOf(reason)}.`,
    detail: reason === "paused" || why === "" ? null : why,
    next:
      afterStop[reason ?? ""] ?? "Tell it what to do otherwise and resume it, or fork it from an earlier iteration.",
  };
}

function checksInWords({ greenChecks, allChecks }: RunView): string {
  if (allChecks === 0) return "the platform found its checks green";
  if (greenChecks === allChecks) return allChecks === 1 ? "its check is green" : `all ${allChecks} checks are green`;
  return `${greenChecks} of ${allChecks} checks are green`;
}

/** Not said twice. */
function whyOf({ lastWhy, state }: RunView, detail: string | null): RunInWords["why"] {
  if (lastWhy === null || lastWhy === detail || lastWhy.trim() === "") return null;
  if (state.status === "running" && state.hold?.why === lastWhy) return null;
  if (state.status === "stopped" && state.reason === "paused") return null;
  return { label: whyLabels[state.status], text: lastWhy };
}

const whyLabels: Readonly<Record<ViewState["status"], string>> = {
  queued: "Why it goes on",
  running: "Why it went on",
  waiting_on_user: "Why it asks",
  stopped: "Why it stopped",
  completed: "Why it is done",
  failed: "Why it failed",
  canceled: "Before that",
};

function byItselfWords({ status }: ViewState): string {
  if (goesOnByItself(status)) return "It goes on by itself: you can close this page.";
  if (status === "waiting_on_user") return "It does not go on before you answer.";
  if (status === "stopped") return "It does not go on by itself.";
  return "It has ended for good.";
}

// How a task stands, in one word with its reason, from what its folder and its loop show. Pure, and the only derivation: terminal, HTTP,
// pages, bell and home read it. The truth about a task is its loop: between two starts, while a person is asked and while a provider
// holds it up, the task is alive although no agent runs.

import type { AgentTaskStatus } from "../../domain/agent/task-status.ts";
import { unreachable } from "../../lib/assert.ts";
import { isUnderWay, type LoopFacts, type LoopRun } from "./read-loop.ts";

export type TaskFacts = {
  readonly isDone: boolean;
  /** Null: no stop was requested. */
  readonly stop: { readonly by: string; readonly reason: string } | null;
  /** Runs whose process is alive, or may be on another host. */
  readonly activeRuns: number;
  readonly lastRun: "completed" | "failed" | "unknown" | null;
  /** The last word of an active run is a question without an answer. */
  readonly isWaiting: boolean;
  /** Tasks it depends on that are not done. */
  readonly missing: readonly string[];
  readonly loop: LoopFacts;
  /** The Homework run whose work the task is; null: the task is `run-agent`'s own. */
  readonly homeworkRun: string | null;
  readonly nowMs: number;
};

export type TaskState = {
  readonly status: AgentTaskStatus;
  readonly why: string;
  /** When it goes on by itself; null: at once, or not by itself. */
  readonly untilMs: number | null;
  /** Something of it is at work, or will be without anyone starting it. */
  readonly isAlive: boolean;
};

export function describeTask(facts: TaskFacts): TaskState {
  const { isDone, activeRuns, isWaiting, loop, homeworkRun } = facts;
  if (activeRuns > 0) {
    if (isDone) return alive("finishing", `DONE is there; ${runs(activeRuns)} still running.`);
    if (isWaiting) return alive("waiting", "An agent asked a question and waits for your answer.");
    return alive("running", `${runs(activeRuns)} running.`);
  }
  // Homework keeps the loop of its runs: the folder shows only how the last agent ended.
  if (homeworkRun !== null) return settled(describeWithoutLoop(facts).status, describeIdle(homeworkRun));
  if (loop.run === null) return describeWithoutLoop(facts);
  return loop.isDriven && isUnderWay(loop.run.status) ? describeDriven(facts, loop.run) : describeLeft(facts, loop.run);
}

const alive = (status: AgentTaskStatus, why: string, untilMs: number | null = null): TaskState => ({
  ...{ status, why, untilMs },
  isAlive: true,
});
const settled = (status: AgentTaskStatus, why: string): TaskState => ({ status, why, untilMs: null, isAlive: false });

const runs = (count: number): string => (count === 1 ? "1 run is" : `${count} runs are`);

const describeIdle = (runId: string): string => `No agent is at work. How the run stands: homework show ${runId}`;

/** A loop is at work, and no agent runs. */
function describeDriven({ isDone, lastRun, missing, nowMs }: TaskFacts, run: LoopRun): TaskState {
  if (run.status === "waiting_on_user")
    return alive("waiting", "It waits for your answer; then the agent starts again.");
  const untilMs = run.notBeforeMs !== null && run.notBeforeMs > nowMs ? run.notBeforeMs : null;
  if (run.heldBy !== null && untilMs !== null) return alive("held", `On hold: ${run.heldBy}`, untilMs);
  if (isDone) return alive("finishing", "DONE is there; its checks and its children come first.");
  if (lastRun === null && missing.length > 0)
    return alive("blocked", `Needs ${missing.join(", ")} to be done first; then it starts by itself.`);
  if (lastRun === null) return alive("starting", "The agent is about to start.");
  if (run.isLeased) return alive("running", "No agent is at work now: what the last one left is looked at.");
  return alive("starting", "The agent is about to start again.", untilMs);
}

/** No process drives its loop. */
function describeLeft({ isDone, stop }: TaskFacts, run: LoopRun): TaskState {
  const unaccepted = isDone ? " DONE is there, but was not accepted." : "";
  if (stop !== null && (isUnderWay(run.status) || run.status === "stopped")) return describeStop(stop);
  switch (run.status) {
    case "completed":
      return isDone
        ? settled("done", "DONE is there and was accepted.")
        : settled("ended", "It was done, and DONE is gone.");
    case "queued":
    case "running":
      return settled("ended", `Its loop was interrupted. Start the task again to go on.${unaccepted}`);
    case "waiting_on_user":
      return settled("waiting", "It waits for your answer. Answer, and start the task again.");
    case "stopped":
      return settled("stopped", `${run.why || "It stopped."}${unaccepted}`);
    case "failed":
      return settled("failed", `${run.why || "It failed."}${unaccepted}`);
    case "canceled":
      return settled("canceled", stop === null ? "It was canceled." : `Canceled by ${stop.by}: ${stop.reason}`);
    default:
      return unreachable(run.status);
  }
}

const describeStop = ({ by, reason }: { readonly by: string; readonly reason: string }): TaskState =>
  settled("stopped", `Stopped by ${by}: ${reason}`);

/** Single runs were started, or none. */
function describeWithoutLoop({ isDone, stop, missing, lastRun }: TaskFacts): TaskState {
  if (isDone) return settled("done", "DONE is there and no run is active.");
  if (stop !== null) return describeStop(stop);
  if (missing.length > 0) return settled("blocked", `Needs ${missing.join(", ")} to be done first.`);
  if (lastRun === null) return settled("new", "No run was started yet.");
  if (lastRun === "completed") return settled("ended", "The last run ended well, but there is no DONE.");
  return settled("failed", "The last run failed and there is no DONE.");
}

export type RestartForecast = { readonly will_restart: "yes" | "no" | "unknown"; readonly why: string };

/** Whether the agent is started again once its run ends. `restarts`: how often the root agent was. */
export function forecastRestart(state: TaskState, loop: LoopFacts, restarts: number): RestartForecast {
  const no = (why: string): RestartForecast => ({ will_restart: "no", why });
  const { status, why, isAlive } = state;
  if (!isAlive) return no(why);
  if (!loop.isDriven || loop.run === null) return no("No run-agent task is working on it, so no other run follows.");
  if (status === "finishing") return no("The agent says that the task is done.");
  const { maxRestarts: max } = loop.run;
  const left = max === null ? null : Math.max(0, max - restarts);
  if (left === 0) return no(max === 0 ? "No restart is allowed." : `All ${countRestarts(max ?? 0)} are used.`);
  if (status === "waiting") return { will_restart: "yes", why: "Once you have answered." };
  const rest = left === null ? "" : ` ${countRestarts(left)} ${left === 1 ? "is" : "are"} left.`;
  return { will_restart: "yes", why: `Until the agent writes DONE.${rest}` };
}

const countRestarts = (count: number): string => (count === 1 ? "1 restart" : `${count} restarts`);

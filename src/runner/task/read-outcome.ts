// What an iteration of an agent came to: the claim (DONE, a status block in its last words, open boxes in TASK_STATE.md), questions that
// wait for an answer on the bus, and the error it ended in. Nothing is decided here.

import { judgeBoxes } from "../../domain/plan/plan-boxes.ts";
import { clipLine } from "../../domain/planner/clip.ts";
import type { StatusClaim } from "../../domain/run/gate/claim.ts";
import { toIterationError } from "../../domain/run/gate/fingerprint.ts";
import type { IterationError } from "../../domain/run/iteration-result.ts";
import { errorLines, outputErrorFingerprint } from "../../domain/run/output/error-lines.ts";
import type { Question } from "../../domain/run/question.ts";
import type { IterationInput, Worked } from "../../runs/ports/engine.ts";
import { openBus } from "../bus/bus.ts";
import { listLeftQuestions } from "../bus/questions.ts";
import { readBus } from "../bus/read-bus.ts";
import type { JobResult } from "../job/job.ts";
import { locateRun } from "../job/job-files.ts";
import { inRun, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { isDone, readTaskState } from "../layout/task-files.ts";
import { readText } from "../layout/text.ts";
import { readStatus } from "../read-status.ts";
import type { Tried } from "./try-agents.ts";

const summaryMax = 500;
/** Texts of agents can be megabytes; what counts stands at the end. */
const readMax = 200_000;
const openMax = 20;

/** `left`: child runs that were still running when the wait for them ended. */
export function toWorked(
  root: RunnerRoot,
  task: TaskFolder,
  { run, messages }: IterationInput,
  tried: Tried,
  left: readonly string[],
): Worked {
  const hasDone = isDone(root, task);
  const job = tried.kind === "ended" ? tried.tried.job : null;
  const output = job === null ? "" : readEnd(root, inRun(locateRun(task, job.run_id), "output"));
  const claim = readClaim(root, task, output, hasDone);
  return {
    kind: "worked",
    summary: summarize(tried, output, hasDone, left),
    claim,
    closing: null,
    wasCutOff: tried.kind === "uncertain",
    heard: messages.length,
    questions: job === null || hasDone ? [] : readQuestions(root, task, job.run_id),
    plan: run.plan,
    proposed: null,
    actions: null,
    // What came after DONE was written is not a failure of the task.
    error: hasDone ? null : readError(root, task, tried),
    hasToolMiss: false,
  };
}

function readClaim(root: RunnerRoot, task: TaskFolder, output: string, hasDone: boolean): StatusClaim | null {
  const parsed = readStatus(output);
  const said = parsed.kind === "found" ? parsed.claim : null;
  const open = readOpenBoxes(root, task);
  if (said === null && open.length === 0 && !hasDone) return null;
  return {
    ...(said ?? nothingSaid),
    exitSignal: said?.exitSignal ?? hasDone,
    remainingWork: [...new Set([...(said?.remainingWork ?? []), ...open])],
  };
}

const nothingSaid: StatusClaim = {
  exitSignal: false,
  needsUserInput: false,
  blockingQuestions: [],
  progressSummary: "",
  remainingWork: [],
  completionEvidence: [],
  nextActionHint: null,
  confidence: null,
};

/** A state that is kept as a list of boxes says what remains; any other says nothing about it. */
function readOpenBoxes(root: RunnerRoot, task: TaskFolder): readonly string[] {
  const state = readTaskState(root, task);
  const verdict = state.kind === "text" ? judgeBoxes(state.text) : null;
  return verdict === null || verdict.isComplete ? [] : verdict.open.slice(0, openMax);
}

function readQuestions(root: RunnerRoot, task: TaskFolder, runId: string): readonly Question[] {
  const { entries } = readBus(openBus(root, task));
  return listLeftQuestions(entries, runId).map(({ msg_id: id, body }) => ({
    id,
    kind: "question",
    text: body.trim(),
    options: [],
  }));
}

function readError(root: RunnerRoot, task: TaskFolder, tried: Tried): IterationError | null {
  if (tried.kind === "not_needed") return null;
  if (tried.kind === "uncertain") return toIterationError("The result of the agent run was lost.");
  const { verdict, run_id: runId }: JobResult = tried.tried.job;
  if (verdict.kind === "ok") return null;
  const stderr = readEnd(root, inRun(locateRun(task, runId), "stderr"));
  const lines = errorLines(stderr);
  const error = toIterationError([verdict.why, ...lines].join("\n"));
  const fingerprint = outputErrorFingerprint(stderr);
  return error === null || fingerprint === null ? error : { ...error, fingerprint };
}

function summarize(tried: Tried, output: string, hasDone: boolean, left: readonly string[]): string {
  const waited = left.length === 0 ? "" : ` Still running: ${left.join(", ")}.`;
  if (tried.kind === "not_needed") return `DONE was there already.${waited}`;
  if (tried.kind === "uncertain") return "The result of the agent run was lost.";
  const { verdict } = tried.tried.job;
  const said = clipLine(output, summaryMax);
  const ended = verdict.kind === "ok" || hasDone ? said || "The agent ended without a word." : verdict.why;
  return `${ended}${waited}`;
}

function readEnd(root: RunnerRoot, file: string): string {
  const read = readText(root.disk, file);
  return read.kind === "text" ? read.text.slice(-readMax) : "";
}

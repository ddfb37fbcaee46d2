// What the prompt of the next start is written from, out of the run and its folder: among it what went wrong the last time.

import type { AgentPromptView } from "../../domain/agent/agent-prompt-view.ts";
import { type LastStart, listReasons, readLastStart } from "../../domain/agent/last-start.ts";
import { clipStart } from "../../domain/planner/clip.ts";
import { asksReader } from "../../domain/run/output/asks.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import type { IterationInput } from "../../runs/ports/engine.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { inRun, inTask, listRuns, type RunFolder, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { readText } from "../layout/text.ts";
import type { AgentWork } from "./agent-work.ts";

/** The end of what an agent wrote says how far it came. */
const tailMax = 2_000;

/** The last start of the same agent's place: not one of its children. Null: this is the first. */
export function findPrevious(root: RunnerRoot, task: TaskFolder, parentRunId: string | null): RunFolder | null {
  return (
    listRuns(root, task).findLast((run) => {
      const info = readRunInfo(root, run);
      return info.status !== "unknown" && info.parent_run_id === (parentRunId ?? "");
    }) ?? null
  );
}

export function viewForPrompt(
  root: RunnerRoot,
  work: AgentWork,
  { run, attempt: _ }: IterationInput,
  folder: RunFolder,
  previous: RunFolder | null,
): AgentPromptView {
  const { task, workFolder, depth, depthMax, checks, isCommitted } = work;
  const last = previous === null ? null : readLastStart(run, work.hadDone);
  return {
    objective: run.objective,
    brief: null,
    projectId: task.projectId,
    taskId: task.taskId,
    runId: folder.runId,
    folders: { task: task.path, run: folder.path, work: workFolder },
    files: {
      state: inTask(task, "state"),
      bus: inTask(task, "bus"),
      done: inTask(task, "done"),
      output: inRun(folder, "output"),
    },
    restart: previous === null ? 0 : Math.max(1, run.state.iteration - 1),
    said: work.said(),
    checks,
    isCommitted,
    rejected: last?.hasClaimed ? listReasons(last) : null,
    troubles: previous === null || last === null ? [] : listTroubles(root, run, previous, last),
    depth,
    depthMax,
  };
}

/** What stood against DONE is told apart from these. */
function listTroubles(
  root: RunnerRoot,
  run: RunningRun,
  previous: RunFolder,
  last: LastStart,
): AgentPromptView["troubles"] {
  const info = readRunInfo(root, previous);
  const summary = info.status === "unknown" ? "" : (info.error_summary ?? "");
  const output = readTail(root, inRun(previous, "output"));
  const stderr = summary === "" ? "" : readTail(root, inRun(previous, "stderr"));
  const { lastError, lastErrorText } = run.streaks;
  return [
    { from: "the end of the last output", text: output },
    { from: "the end of its error output", text: stderr },
    { from: "how the last start ended", text: lastError === null ? summary : (lastErrorText ?? summary) },
    { from: "checks that did not pass", text: last.hasClaimed ? "" : last.points.join("\n") },
    { from: "why you are started again", text: last.hasClaimed ? "" : (last.why ?? "") },
    {
      from: "a remark of the runner",
      text: asksReader(output)
        ? "The last output ended with a question. It was not answered: output is not a way to ask. Post a QUESTION on the bus, or decide."
        : "",
    },
  ].filter(({ text }) => text.trim() !== "");
}

function readTail(root: RunnerRoot, file: string): string {
  const read = readText(root.disk, file);
  return read.kind === "text" ? clipStart(read.text.trim(), tailMax) : "";
}

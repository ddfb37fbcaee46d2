// A DONE that was not accepted is removed before the next start. The bus tells why, in the words of the prompt.

import { listReasons, readLastStart } from "../../domain/agent/last-start.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import type { RunnerRoot, TaskFolder } from "../../runner/layout/runner-root.ts";
import { isDone, removeDone } from "../../runner/layout/task-files.ts";
import { postToTask } from "../../runner/task/loop-messages.ts";

/** Whether there was one. It is told first: after a crash in between it is told twice, and not never. */
export async function takeBackDone(
  root: RunnerRoot,
  task: TaskFolder,
  run: Pick<RunningRun, "checks" | "lastProofs" | "guidance">,
): Promise<boolean> {
  if (!isDone(root, task)) return false;
  const reasons = listReasons(readLastStart(run, true));
  await postToTask(root, task, "WARNING", ["DONE was not accepted and is removed:", ...reasons].join("\n"));
  return removeDone(root, task);
}

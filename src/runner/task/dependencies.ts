// Tasks that must be done before this one begins. A circle is refused; a task that will not get done by itself is named, so that the wait
// has a reason that someone can mend.

import { AppError } from "../../lib/app-error.ts";
import { openBus } from "../bus/bus.ts";
import { byRunner } from "../bus/questions.ts";
import type { AgentTaskId } from "../layout/ids.ts";
import { findTask, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { findCycle, readTaskConfig } from "../layout/task-config.ts";
import { viewTaskToAct } from "../overview/task-view.ts";

export type Waiting = { readonly taskId: string; readonly why: string; readonly isStuck: boolean };

/** Those that are not done; empty: the task may begin. Throws where tasks wait for each other. */
export function findMissing(root: RunnerRoot, task: TaskFolder): readonly Waiting[] {
  const first = readTaskConfig(root, task).depends_on;
  const cycle = findCycle(task.taskId, first, (taskId) => dependenciesOf(root, task, taskId));
  if (cycle !== null)
    throw new AppError("unprocessable", `The tasks wait for each other: ${cycle.join(" → ")}.`, { details: { cycle } });
  return first.map((taskId) => describe(root, task, taskId)).filter((each) => each !== null);
}

function dependenciesOf(root: RunnerRoot, { projectId }: TaskFolder, taskId: AgentTaskId): readonly AgentTaskId[] {
  const other = findTask(root, projectId, taskId);
  return other === null ? [] : readTaskConfig(root, other).depends_on;
}

/** Null: it is done. Where a loop drives it, DONE is what the agent says: the loop looks at checks and children before it believes it. */
function describe(root: RunnerRoot, { projectId }: TaskFolder, taskId: AgentTaskId): Waiting | null {
  const other = findTask(root, projectId, taskId);
  if (other === null) return { taskId, why: "there is no such task", isStuck: true };
  const { status, why, isAlive } = viewTaskToAct(root, other);
  return status === "done" ? null : { taskId, why: `${status}: ${why}`, isStuck: !isAlive };
}

const pollMs = 1_000;

export async function waitForDependencies(
  root: RunnerRoot,
  task: TaskFolder,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<void> {
  const bus = openBus(root, task);
  let told = "";
  for (;;) {
    const missing = findMissing(root, task);
    if (missing.length === 0) break;
    const text = missing.map(describeWait).join("\n");
    if (text !== told) {
      await bus.post({
        type: missing.some(({ isStuck }) => isStuck) ? "WARNING" : "PROGRESS",
        body: text,
        meta: byRunner,
      });
      tell(text);
    }
    told = text;
    await root.env.sleep(pollMs, signal);
  }
  if (told !== "")
    await bus.post({ type: "FACT", body: "All tasks that this one depends on are done.", meta: byRunner });
}

const describeWait = ({ taskId, why, isStuck }: Waiting): string =>
  `Waiting for ${taskId} (${why})${isStuck ? ". It will not get done by itself: start or resume it" : ""}`;

// What the loop says on the bus of its task.

import { openBus } from "../bus/bus.ts";
import { byRunner } from "../bus/questions.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";

/** Marked as the runner's own: it is neither the user's word nor a fact that an agent found. */
export async function postToTask(root: RunnerRoot, task: TaskFolder, type: string, body: string): Promise<void> {
  await openBus(root, task).post({ type, body: body.toWellFormed(), meta: byRunner });
}

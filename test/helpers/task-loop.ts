// The restart loop of a task as it stands on the disk, without agents: a run in the state that a test names, driven or left by its process.

import path from "node:path";
import type { RunState } from "../../src/domain/run/run.ts";
import type { RunnerRoot, TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { keepTaskText } from "../../src/runner/layout/task-files.ts";
import type { RunFile } from "../../src/runner/run-file.ts";
import { driveAlone, loopIn } from "../../src/runner/task/loop-file.ts";
import { createTaskRun } from "../../src/runner/task/task-run.ts";
import { makeConfig } from "../agents/task-world.ts";

export type LoopOver = { readonly state: RunState; readonly notBeforeMs?: number; readonly maxRestarts?: number };

/** Also changes the run of a loop that is there. */
export async function putLoop(root: RunnerRoot, task: TaskFolder, over: LoopOver): Promise<void> {
  const { state, maxRestarts = 3 } = over;
  const held = state.status === "running" ? state.hold : null;
  const file = path.join(loopIn(task), "run.json");
  keepTaskText(root, task, "Water the plants");
  if (root.disk.kindOf(file) === null)
    await createTaskRun(root, task, {
      config: makeConfig({ max_restarts: String(maxRestarts) }),
      checks: [],
      timeZone: "UTC",
      loop: { work_folder: task.path, agents: [], parent_run_id: "", depth: 0 },
    });
  const kept = JSON.parse(root.disk.read(file)?.toString("utf8") ?? "") as RunFile;
  const due = { iteration: state.iteration, notBeforeMs: over.notBeforeMs ?? held?.untilMs ?? null };
  root.disk.replace(file, JSON.stringify({ ...kept, due, run: { ...kept.run, state } }));
}

/** This process drives the task until the work ends. */
export const whileDriven = <T>(root: RunnerRoot, task: TaskFolder, work: () => Promise<T>): Promise<unknown> =>
  driveAlone(root, task, work);

export const running: RunState = { status: "running", iteration: 2, hold: null };

export const waitingFor = (id: string, text: string): RunState => ({
  status: "waiting_on_user",
  iteration: 2,
  questions: [{ id, kind: "question", text, options: [] }],
});

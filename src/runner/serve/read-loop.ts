// How the restart loop of a task stands, from the files it keeps in `loop/`: the lock of the process that drives it, and the run with its
// budgets. Tolerant: a folder without them, or with others, tells that no loop is known.

import path from "node:path";
import { lockHolder } from "../../files/lock.ts";
import { isRecord, readJson } from "../../lib/json.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readText } from "../layout/text.ts";
import type { RestartFacts } from "./restart-forecast.ts";

export type LoopFacts = Pick<RestartFacts, "hasLoop" | "gaveUp" | "maxRestarts">;

export function readLoop(root: RunnerRoot, task: TaskFolder): LoopFacts {
  const folder = path.join(task.path, "loop");
  if (root.disk.kindOf(folder) !== "folder") return { hasLoop: false, gaveUp: null, maxRestarts: null };
  const lock = path.join(folder, "driver.lock");
  const hasLoop = root.disk.kindOf(lock) === "folder" && lockHolder(lock) !== undefined;
  const run = readRun(root, path.join(folder, "run.json"));
  return { hasLoop, gaveUp: hasLoop ? null : whyStopped(run), maxRestarts: maxRestartsOf(run) };
}

type Fields = Readonly<Record<string, unknown>>;

function readRun(root: RunnerRoot, file: string): Fields {
  const read = readText(root.disk, file);
  const value = read.kind === "text" ? readJson(read.text) : null;
  const run = isRecord(value) ? value.run : null;
  return isRecord(run) ? run : {};
}

/** Null: it did not stop by itself. */
function whyStopped({ state }: Fields): string | null {
  if (!isRecord(state)) return null;
  const words = [state.detail, state.error].find((text) => typeof text === "string" && text !== "");
  if (state.status === "stopped") return `It stopped: ${typeof words === "string" ? words : String(state.reason)}`;
  if (state.status === "failed") return typeof words === "string" ? `It failed: ${words}` : "It failed.";
  if (state.status === "canceled") return "It was canceled.";
  if (state.status === "waiting_on_user") return "It waits for an answer. Start the task again after answering.";
  return null;
}

/** The first start is no restart. */
function maxRestartsOf({ budget }: Fields): number | null {
  const max = isRecord(budget) ? budget.maxIterations : null;
  return typeof max === "number" && Number.isInteger(max) && max > 0 ? max - 1 : null;
}

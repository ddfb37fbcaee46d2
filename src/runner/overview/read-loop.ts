// How the restart loop of a task stands, from the files it keeps in `loop/`: the lock of the process that drives it, and the run with what
// is due. Tolerant: files of another version, or torn ones, tell only that nothing is known of a run.

import path from "node:path";
import { type RunStatus, runStatuses } from "../../domain/run/run.ts";
import { isRecord, readJson } from "../../lib/json.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readText } from "../layout/text.ts";
import { findDriver, loopIn, readLoopFile } from "../task/loop-file.ts";

export type LoopRun = {
  readonly status: RunStatus;
  /** Why it stopped or failed; empty: no reason is known. */
  readonly why: string;
  /** A process works on the iteration that is due: it starts the agent, waits for it, or looks at what it left. */
  readonly isLeased: boolean;
  /** The next start is not before this time; null: at once. */
  readonly notBeforeMs: number | null;
  /** Why a provider holds it up; null: none does. */
  readonly heldBy: string | null;
  /** Ids of the questions that it waits for; where a question is not on the bus under its id, the runner has put it there. */
  readonly questionIds: readonly string[];
  /** The first start is no restart. */
  readonly maxRestarts: number | null;
};

export type LoopFacts = {
  /** A process drives the task now; on another host that is believed while its run has not ended. */
  readonly isDriven: boolean;
  /** Null: no loop was started here, or its file says nothing. */
  readonly run: LoopRun | null;
};

const none: LoopFacts = { isDriven: false, run: null };

export function readLoop(root: RunnerRoot, task: TaskFolder): LoopFacts {
  if (root.disk.kindOf(loopIn(task)) !== "folder") return none;
  const run = readRun(root, path.join(loopIn(task), "run.json"));
  const isElsewhere = isOnAnotherHost(root, task) && run !== null && isUnderWay(run.status);
  return { isDriven: isElsewhere || findDriver(root, task) !== null, run };
}

export const isUnderWay = (status: RunStatus): boolean => ["queued", "running", "waiting_on_user"].includes(status);

function isOnAnotherHost(root: RunnerRoot, task: TaskFolder): boolean {
  const host = readLoopFile(root, task)?.host ?? "";
  return host !== "" && host !== root.host;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function readRun(root: RunnerRoot, file: string): LoopRun | null {
  const read = readText(root.disk, file);
  const { run, due, lease } = fieldsOf(read.kind === "text" ? readJson(read.text) : null);
  const { state, budget } = fieldsOf(run);
  const { status, detail, hold, questions } = fieldsOf(state);
  const known = runStatuses.find((each) => each === status);
  if (known === undefined) return null;
  const { notBeforeMs } = fieldsOf(due);
  const { maxIterations: max } = fieldsOf(budget);
  return {
    status: known,
    why: textOf(detail),
    isLeased: isRecord(lease),
    notBeforeMs: typeof notBeforeMs === "number" && Number.isFinite(notBeforeMs) ? notBeforeMs : null,
    heldBy: isRecord(hold) ? textOf(hold.why) : null,
    questionIds: Array.isArray(questions) ? questions.map((each) => textOf(fieldsOf(each).id)) : [],
    maxRestarts: typeof max === "number" && Number.isInteger(max) && max > 0 ? max - 1 : null,
  };
}

// What a run on a task is told of its outcome: written anew from the outcome's state at the first attempt of every iteration, and kept
// with what stands in it, so that another attempt says the same and everyone can see which prompt carried what.

import { asPlatform, type Tx } from "../db/database.ts";
import { briefOf, type MadeBefore } from "../domain/homr/context/brief.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import type { RunningRun } from "../domain/run/run.ts";
import type { Env } from "../lib/env.ts";
import { taskBrief } from "../prompts/task-brief.ts";
import type { Journal } from "../runs/ports/engine.ts";
import { platformLane } from "../runs/ports/run-store.ts";
import { isWorkTainted } from "../store/outcome/is-work-tainted.ts";
import { keepBrief, readOutcomeOf, readRunsBefore } from "../store/outcome/task-brief-store.ts";
import { findDocuments } from "../store/workspace/check-store.ts";
import { toNote } from "./ask.ts";

/** `isTainted`: it holds words that may be a stranger's; they stand between fences. */
export type OpenBrief = { readonly text: string; readonly isTainted: boolean };

type BriefDeps = { readonly env: Pick<Env, "newId"> };

/** Null: the run stands by itself, or its outcome is gone. */
export async function openBrief(
  { env }: BriefDeps,
  run: RunningRun,
  journal: Pick<Journal<Tx>, "write">,
): Promise<OpenBrief | null> {
  const { outcomeTaskId: taskId } = run;
  if (taskId === null) return null;
  const entry = { key: "brief", lane: platformLane, tool: null, args: null };
  return journal.write(entry, async (tx) => {
    const state = await asPlatform(tx, (platform) => readOutcomeOf(platform, taskId));
    const task = state?.tasks.find(({ id }) => id === taskId);
    if (state === null || task === undefined) return toNote(null, "The outcome of this task is gone");
    const brief = briefOf(state, task, await readMade(tx, taskId));
    const text = taskBrief(brief, env.newId().replaceAll("-", ""));
    const kept = { runId: run.id, iteration: run.state.iteration, text, items: brief.items };
    await asPlatform(tx, (platform) => keepBrief(platform, kept));
    return toNote<OpenBrief | null>({ text, isTainted: brief.isTainted }, "Read what is known of the outcome");
  });
}

/** So many tasks, and of each the first documents that it made or changed. */
const madeMax = 10;

/** What the tasks before it have made. */
export async function readMade(tx: Tx, taskId: TaskId): Promise<readonly MadeBefore[]> {
  const made: MadeBefore[] = [];
  const before = await asPlatform(tx, (platform) => readRunsBefore(platform, taskId, madeMax));
  for (const { number, runId } of before) {
    const documents = (await findDocuments(tx, runId, null)).filter(({ isWorkingNote }) => !isWorkingNote);
    if (documents.length === 0) continue;
    const isTainted = await isWorkTainted(tx, runId);
    made.push(...documents.slice(0, madeMax).map(({ id, title }) => ({ number, id, title, isTainted })));
  }
  return made;
}

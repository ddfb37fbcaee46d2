// Looks at the workers of an outcome by what their runs show from outside: how long the attempt takes, when it last got further, when
// its worker last gave a sign of life. A person is asked; nothing is stopped by itself. Runs that wait for a person or a provider wait
// with good reason.

import type { RunId } from "../../run/run.ts";
import type { HomrWorld, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { openEscalation } from "../questions/open-escalation.ts";
import { askAboutStuck } from "../questions/platform-questions.ts";
import { followedBy } from "../state-changes.ts";
import type { TaskId } from "./task-id.ts";
import { findTask } from "./task-list.ts";

export type Liveness = {
  readonly taskId: TaskId;
  readonly runId: RunId;
  readonly startedAtMs: number;
  /** The last committed iteration that changed something; null: none yet. */
  readonly progressAtMs: number | null;
  /** The last thing that was heard of its worker: a heartbeat, an entry, a line of output. */
  readonly seenAtMs: number;
  /** It waits for an answer, a slot or a provider. */
  readonly isWaiting: boolean;
  /** When a person was last asked whether the task is stuck: it is asked again only after as long once more. */
  readonly askedAtMs: number | null;
};

/** Twice the time that a run may work by default: with holds and a line for slots it is still too long. */
export const sameTaskMaxMs = 2 * 60 * 60_000;
/** An iteration takes minutes; several of them without any change are not just slow. */
export const noProgressMaxMs = 30 * 60_000;
/** A dead worker is replaced within seconds: longer silence means that nothing replaces it. */
export const silenceMaxMs = 10 * 60_000;

export function supervise(state: OutcomeState, liveness: readonly Liveness[], world: HomrWorld): OutcomeMove {
  if (state.outcome.status !== "active") return { state, effects: [] };
  return liveness.reduce<OutcomeMove>((move, each) => followedBy(move, (after) => look(after, each, world)), {
    state,
    effects: [],
  });
}

function look(state: OutcomeState, seen: Liveness, world: HomrWorld): OutcomeMove {
  const task = findTask(state, seen.taskId);
  const isItsRun = task?.status === "running" && task.runId === seen.runId;
  const evidence = isItsRun && !seen.isWaiting ? findSign(seen, world.nowMs) : null;
  if (!task || evidence === null) return { state, effects: [] };
  return openEscalation(state, askAboutStuck(task, evidence), { kind: "supervision" }, world);
}

function findSign({ startedAtMs, progressAtMs, seenAtMs, askedAtMs }: Liveness, nowMs: number): string | null {
  const since = (atMs: number) => nowMs - Math.max(atMs, askedAtMs ?? 0);
  if (since(seenAtMs) >= silenceMaxMs) return `nothing was heard of its worker for ${minutes(nowMs - seenAtMs)}`;
  if (since(startedAtMs) >= sameTaskMaxMs) return `it has been worked on for ${minutes(nowMs - startedAtMs)}`;
  const changedAtMs = progressAtMs ?? startedAtMs;
  if (since(changedAtMs) >= noProgressMaxMs) return `nothing has changed for ${minutes(nowMs - changedAtMs)}`;
  return null;
}

const minutes = (ms: number): string => `${Math.floor(ms / 60_000)} minutes`;

// Everything the parts of one planner iteration share: the run, its journal, what it may use, and what they notice on the way. It
// is made anew for every attempt; what has to last is in the journal.

import type { Database, Tx } from "../../db/database.ts";
import type { IterationMemory } from "../../domain/planner/memory.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import type { Env } from "../../lib/env.ts";
import type { Models } from "../../llm/model.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import type { Registry } from "../../tools/registry.ts";
import type { Noticed } from "../tools/tool-host.ts";

export type PlannerDeps = {
  readonly db: Database;
  readonly models: Models;
  readonly registry: Registry;
  readonly env: Env;
  readonly asksBeforeComposed?: boolean;
};

export type Iteration = PlannerDeps & {
  readonly run: RunningRun;
  readonly journal: Journal<Tx>;
  /** Messages of the user that it took up at its beginning. */
  readonly heard: number;
  /** What the last iteration left behind. */
  readonly memory: IterationMemory;
  readonly workspace: Workspace;
  /** False while the user has not allowed the workspace itself: then nothing of the run's own is written either. */
  readonly mayKeepPages: boolean;
  /** `plan_only`: the user wants to see the plan first. */
  readonly phase: "plan_only" | "work";
  /** Projects it may look at and write to; null: all that its user may. */
  readonly projectIds: readonly string[] | null;
  /** Makes the fences of this iteration's prompts unguessable; the same for every attempt. */
  readonly nonce: string;
  readonly noticed: Noticed;
};

/** Whose words are in what it writes from now on: once strangers were read, they may be theirs. */
export const sourceOf = ({ noticed }: Pick<Iteration, "noticed">): "web" | "own" =>
  noticed.hasReadUntrusted ? "web" : "own";

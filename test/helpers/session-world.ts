// One iteration of the planner engine at a time, taken as a worker takes it: an attempt may die at any entry of its journal,
// and the next one goes on. Call it at the top of a file.

import type { Tx } from "../../src/db/database.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import type { Run } from "../../src/domain/run/run.ts";
import type { Env, Instant } from "../../src/lib/env.ts";
import { realEnv } from "../../src/main/env.ts";
import { StoredJournal } from "../../src/runs/journal.ts";
import { Interrupted, type Worked } from "../../src/runs/ports/engine.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Death, dieAt } from "./dying-journal.ts";
import { type PlannerWorld, plannerWorld } from "./planner-world.ts";
import type { RoleRequest, SlowScript } from "./role-script.ts";

const model = "openrouter/anthropic/claude-sonnet-5.5";

export type EntryRow = {
  readonly key: string;
  readonly kind: string;
  readonly lane: string | null;
  readonly lane_title: string | null;
  readonly tool: string | null;
  readonly args: unknown;
  readonly did: string;
  readonly error: string | null;
};

export type SessionWorld = PlannerWorld & {
  readonly begin: (script: SlowScript, over?: Partial<Run>) => Promise<Run>;
  /** Another attempt at the run's first iteration; null where it died. Each one begins an hour later than the one before. */
  readonly attempt: (run: Run, death?: Death) => Promise<Worked | null>;
  /** One attempt that lives. */
  readonly iterate: (
    script: SlowScript,
    over?: Partial<Run>,
  ) => Promise<{ readonly run: Run; readonly result: Worked }>;
  readonly planned: () => readonly RoleRequest[];
  readonly entries: (run: Run) => Promise<readonly EntryRow[]>;
};

/** `tools`: beside the built-in ones. */
export async function sessionWorld(tools: readonly Tool[] = []): Promise<SessionWorld> {
  const world = await plannerWorld(model, [...builtInTools, ...tools]);
  let attempts = 0;
  // Each run has a user of its own: runs of one user wait for each other.
  const begin: SessionWorld["begin"] = async (script, over = {}) => {
    const user = await world.makeUser();
    await world.makeProject(user);
    world.script(script);
    return world.create(user, { objective: "Find a hall", checks: [planCheck], deliverables: [], ...over });
  };
  const attempt: SessionWorld["attempt"] = async ({ id }, death) => {
    attempts += 1;
    const { engine } = world.enginesFor(model, hoursLater(attempts));
    const job = { id: realEnv.newId(), attempt: 1, runId: id, iteration: 1 };
    const taken = await takeRun(world.store, job, "test", { maxConcurrentRuns: 1_000 });
    if (taken === null) throw new Error("the run cannot be taken");
    const journal = new StoredJournal<Tx>(world.store, taken, new AbortController().signal, realEnv);
    const { run, messages, lease } = taken;
    const given = death === undefined ? journal : dieAt(journal, death, () => new Interrupted({ kind: "lost" }));
    const result = await engine.iterate({ run, attempt: lease.attempt, messages, workFolder: null }, given);
    if (result.kind === "worked") return result;
    if (death !== undefined && result.kind === "lost") return null;
    throw new Error(`it was interrupted: ${JSON.stringify(result)}`);
  };
  return {
    ...world,
    begin,
    attempt,
    iterate: async (script, over) => {
      const run = await begin(script, over);
      const result = await attempt(run);
      if (result === null) throw new Error("it died");
      return { run, result };
    },
    planned: () => world.asked.filter(({ role }) => role === "planner"),
    entries: async ({ id }) => {
      const { rows } = await world.admin.query(
        `select key, kind, lane, lane_title, tool, args, did, error from homework.journal_entries
          where run_id = $1 order by ended_at, key`,
        [id],
      );
      return rows;
    },
  };
}

const hourMs = 3_600_000;

const hoursLater = (hours: number): Env => ({ ...realEnv, now: () => (realEnv.now() + hours * hourMs) as Instant });

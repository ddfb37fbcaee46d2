// One iteration of the planner engine at a time, taken as a worker takes it: an attempt may die at any entry of its journal,
// and the next one goes on. Call it at the top of a file.

import type { Tx } from "../../src/db/database.ts";
import { planCheck } from "../../src/domain/run/adopt.ts";
import type { Run } from "../../src/domain/run/run.ts";
import type { Env, Instant } from "../../src/lib/env.ts";
import { StepJournal } from "../../src/loop/journal.ts";
import { realEnv } from "../../src/main/env.ts";
import { type Entry, Interrupted, type Journal, type Worked } from "../../src/runs/engine-port.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type PlannerWorld, plannerWorld } from "./planner-world.ts";
import type { RoleRequest, SlowScript } from "./role-script.ts";

const model = "openrouter/anthropic/claude-sonnet-5.5";

/** Where an attempt dies: at this entry, before it is begun or right after it was kept. */
export type Death = { readonly key: string; readonly when: "before" | "after" };

export type StepRow = {
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
  readonly steps: (run: Run) => Promise<readonly StepRow[]>;
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
    const journal = new StepJournal<Tx>(world.store, taken, new AbortController().signal, realEnv);
    const { run, signals, claim } = taken;
    const given = death === undefined ? journal : dyingAt(journal, death);
    const result = await engine.iterate({ run, attempt: claim.attempt, signals, workFolder: null }, given);
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
    steps: async ({ id }) => {
      const { rows } = await world.admin.query(
        `select key, kind, lane, lane_title, tool, args, did, error from homework.homework_run_steps
          where run_id = $1 order by ended_at, key`,
        [id],
      );
      return rows;
    },
  };
}

const hourMs = 3_600_000;

const hoursLater = (hours: number): Env => ({ ...realEnv, now: () => (realEnv.now() + hours * hourMs) as Instant });

const keyOf = (entry: Entry): string => (typeof entry === "string" ? entry : entry.key);

/** As if the process were killed there: whatever is asked of the journal from then on is refused. */
function dyingAt(journal: StepJournal<Tx>, { key, when }: Death): Journal<Tx> {
  let isDead = false;
  const living = async <T>(entry: Entry, work: () => Promise<T>): Promise<T> => {
    const isHere = keyOf(entry) === key;
    isDead ||= isHere && when === "before";
    if (isDead) throw new Interrupted({ kind: "lost" });
    const done = await work();
    isDead ||= isHere;
    if (isDead) throw new Interrupted({ kind: "lost" });
    return done;
  };
  return {
    signal: journal.signal,
    has: (asked) => journal.has(asked),
    recall: (asked) => journal.recall(asked),
    once: (entry, work) => living(entry, () => journal.once(entry, work)),
    write: (entry, work) => living(entry, () => journal.write(entry, work)),
    ask: (call, ask) => living(call.key, () => journal.ask(call, ask)),
    effect: (entry, isRepeatable, act, tell) => living(entry, () => journal.effect(entry, isRepeatable, act, tell)),
    hear: (entry, shown) => living(entry, () => journal.hear(entry, shown)),
  };
}

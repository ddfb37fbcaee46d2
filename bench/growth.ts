// Does an old run cost more than a young one? The size of the planner's prompt and what an iteration asks of the database,
// early and late in one busy run: it writes, reads, delegates and talks in every iteration. Others have lived in the same
// database before: that the first rows of an empty database are found in fewer steps says nothing about a run's age.

import { sql } from "kysely";
import type pg from "pg";
import type { Database } from "../src/db/database.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { defaultBudget } from "../src/domain/run/budget/budget.ts";
import { planCheck } from "../src/domain/run/checks/adopt.ts";
import { defaultBreakers } from "../src/domain/run/gate/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import { plannerEngine } from "../src/engine/planner/planner-engine.ts";
import { storeProver } from "../src/engine/prove.ts";
import { runIterationJob } from "../src/loop/run-iteration-job.ts";
import { realEnv } from "../src/main/env.ts";
import { createRun } from "../src/runs/create-run.ts";
import { loopStore } from "../src/runs/loop-store.ts";
import type { IterationJob } from "../src/runs/ports/run-store.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import { call, inProject, step } from "../test/helpers/planner-scenario.ts";
import { readRequest, type ScriptedIteration, toReply, working } from "../test/helpers/role-script.ts";
import { newRun } from "../test/helpers/run-world.ts";
import { startLab } from "../test/lab/lab.ts";
import { labModels } from "../test/lab/lab-models.ts";
import { figuresOf, ratio, report } from "./figures.ts";
import { asSuperuser } from "./fill.ts";
import { withLoop } from "./loop.ts";

const iterations = 1_000;
const iterationsBefore = 200;
/** Thirty iterations from the sixth on, and the last thirty. */
const early = { from: 6, to: 35 } as const;
const late = { from: 971, to: 1_000 } as const;
const paragraph = "The hall has tables, light and power for twenty people, and is free on Saturdays. ";

type Taken = { readonly promptChars: number; readonly ms: number };

/** What the database did for a window of iterations, per iteration. */
export type Worked = { readonly blocks: number; readonly rows: number };

export async function benchGrowth(): Promise<void> {
  await withLoop(async ({ db, queue, data }) => {
    const taken: Taken[] = [];
    let promptChars = 0;
    const lab = await startLab({
      script: (request) => {
        const asked = readRequest(request);
        const { role, prompt, iteration, turn } = asked;
        if (role === "planner") promptChars = request.system.length + prompt.length;
        const said = role === "planner" ? busyAnswer(iteration, prompt) : `Report ${turn}. ${paragraph.repeat(8)}`;
        return toReply(said, asked);
      },
    });
    const { models } = labModels(lab, ["openai-compatible/house-model"]);
    const store = runStore(db, queue, () => {});
    const engine = plannerEngine({ db, models, registry: makeRegistry(builtInTools), env: realEnv });
    const deps = {
      runs: loopStore(store, {
        workerName: "bench",
        breakers: { ...defaultBreakers, noProgress: 1e9, rejectedClaims: 1e9, sameAction: 1e9, backAndForth: 1e9 },
        limits: { maxConcurrentRuns: 3 },
      }),
      engineFor: () => ({ engine, prover: storeProver(db), workFolder: null }),
      newId: realEnv.newId,
      now: realEnv.now,
    };
    const iterate = async (run: RunId, iteration: number) => {
      const began = performance.now();
      const [job] = await queue.fetch("iteration", 1);
      if (!job) throw new Error(`iteration ${iteration} has no job`);
      const due = { ...job, runId: run, iteration } as unknown as IterationJob;
      await runIterationJob(deps, due, new AbortController().signal);
      taken.push({ promptChars, ms: performance.now() - began });
    };
    await asSuperuser(data, addEndedRuns);
    const neighbour = await busyRun(db, store, iterationsBefore);
    for (let iteration = 1; iteration <= iterationsBefore; iteration++) await iterate(neighbour, iteration);
    taken.length = 0;
    const run = await busyRun(db, store, iterations + 1);
    const window = async ({ from, to }: { from: number; to: number }): Promise<Worked> => {
      for (let iteration = taken.length + 1; iteration < from; iteration++) await iterate(run, iteration);
      await asSuperuser(data, gatherStatistics);
      const before = await databaseWork(db);
      for (let iteration = from; iteration <= to; iteration++) await iterate(run, iteration);
      const after = await databaseWork(db);
      const each = (what: keyof Worked) => Math.round((10 * (after[what] - before[what])) / (to - from + 1)) / 10;
      return { blocks: each("blocks"), rows: each("rows") };
    };
    const young = await window(early);
    const old = await window(late);
    await lab.close();
    const median = ({ from, to }: { from: number; to: number }, what: keyof Taken) =>
      figuresOf(taken.slice(from - 1, to).map((each) => each[what])).p50;
    const compared = (name: string, at10: number, at1000: number) => ({
      [`${name} at iteration 10`]: at10,
      [`${name} at iteration 1,000`]: at1000,
      [`${name}, 1,000 : 10`]: ratio(at1000, at10),
    });
    report("Growth of a busy run", {
      ...compared("characters of the prompt", median(early, "promptChars"), median(late, "promptChars")),
      ...compared("blocks looked at", young.blocks, old.blocks),
      ...compared("rows read and written", young.rows, old.rows),
      ...compared("ms in all", median(early, "ms"), median(late, "ms")),
    });
  });
}

async function busyRun(db: Database, store: ReturnType<typeof runStore>, maxIterations: number): Promise<RunId> {
  const user = realEnv.newId() as UserId;
  await sql`insert into auth_users (id, name, email) values (${user}, 'Bench', ${`${user}@example.test`})`.execute(
    db.system,
  );
  const budget = { ...defaultBudget, maxIterations, maxRunningMs: 1e9 };
  const run = newRun(user, { objective: "Plan the launch", budget, checks: [planCheck], deliverables: [] });
  await store.transaction((tx) => createRun(tx, run, { maxConcurrentRuns: 3 }));
  return run.id;
}

/** Among a handful PostgreSQL reads them all to find one, and the more often one was written the longer that takes. */
async function addEndedRuns(admin: pg.Client): Promise<void> {
  await admin.query(`with someone as (insert into auth_users (id, name, email)
      values (gen_random_uuid(), 'Someone', 'someone@example.test') returning id)
    insert into homework_runs (id, user_id, iteration, has_slot, status, ended_at, streaks, objective, engine, scope, context_type,
      write_mode, budgets)
    select gen_random_uuid(), someone.id, 1, false, 'canceled', now(), '{}', repeat('An objective ', 20), 'planner', 'global', 'global',
      'autopilot', '{}' from someone, generate_series(1, 500)`);
}

/**
 * What autovacuum does by itself once a minute. A run of a thousand iterations takes hours, here it takes minutes, and plans
 * that were made for empty tables would still be used.
 */
export async function gatherStatistics(admin: pg.Client): Promise<void> {
  await admin.query("vacuum (analyze)");
}

/** Connections tell what they have done when they have been idle for ten seconds. */
const toldMs = 11_000;

/** In our tables alone: how often PostgreSQL looks its own catalog up depends on when a connection was opened. */
export async function databaseWork(db: Database): Promise<Worked> {
  await realEnv.sleep(toldMs);
  const { rows } = await sql<{ blocks: string; rows: string }>`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) as blocks,
           sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd) as rows
      from pg_stat_user_tables join pg_statio_user_tables using (relid)`.execute(db.system);
  return { blocks: Number(rows[0]?.blocks), rows: Number(rows[0]?.rows) };
}

/** A planner that is never done: two writes, a read and an executor, with much to say. */
function busyAnswer(iteration: number, prompt: string): ScriptedIteration {
  const point = (n: number) => `Open point ${n} of ${iteration}`;
  return {
    tool_calls: [
      call("create_task", { ...inProject(prompt), title: `Task ${iteration}`, description: paragraph }),
      call("write_note", { title: `Note ${iteration}`, content: paragraph.repeat(20) }),
      call("list_projects", {}),
    ],
    executor_tasks: [{ title: `Look into ${iteration}`, instructions: paragraph, step_id: "s4" }],
    // Promised once: what is proposed again is there already.
    ...(iteration === 1 ? { deliverables: [{ id: "d1", title: "A page" }], checks: [neverThere] } : {}),
    plan: { steps: Array.from({ length: 12 }, (_, n) => step(`s${n}`, "in_progress")) },
    status: working(
      `Iteration ${iteration}: ${paragraph.repeat(3)}`,
      Array.from({ length: 10 }, (_, n) => point(n)),
    ),
  };
}

const neverThere = { id: "c1", deliverable_id: "d1", kind: "entity_count", entity: "goal", at_least: 1_000 } as const;

// Does an old run cost more than a young one? The size of the planner's prompt and what an iteration asks of the database,
// early and late in one busy run: it writes, reads, delegates and talks in every iteration.

import { sql } from "kysely";
import type { Database } from "../src/db/database.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { planCheck } from "../src/domain/run/adopt.ts";
import { defaultBreakers } from "../src/domain/run/breakers.ts";
import { defaultBudget } from "../src/domain/run/budget.ts";
import { plannerEngine } from "../src/engine/planner-engine.ts";
import { storeProver } from "../src/engine/prove.ts";
import { runIterationJob } from "../src/loop/run-iteration-job.ts";
import { realEnv } from "../src/main/env.ts";
import { createRun } from "../src/runs/create-run.ts";
import type { IterationJob } from "../src/runs/ports.ts";
import { runStore } from "../src/store/run-store.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import { readRequest } from "../test/helpers/role-script.ts";
import { newRun } from "../test/helpers/run-world.ts";
import { startLab } from "../test/lab/lab.ts";
import { labModels } from "../test/lab/lab-models.ts";
import { figuresOf, ratio, report } from "./figures.ts";
import { withLoop } from "./loop.ts";

const iterations = 1_000;
/** Around iteration 10, and the last ones. */
const early = { from: 6, to: 15 } as const;
const late = { from: 991, to: 1_000 } as const;
const paragraph = "The hall has tables, light and power for twenty people, and is free on Saturdays. ";

type Taken = { readonly promptChars: number; readonly ms: number; readonly blocks: number; readonly rows: number };

export async function benchGrowth(): Promise<void> {
  await withLoop(async ({ db, queue }) => {
    const taken: Taken[] = [];
    let promptChars = 0;
    const lab = await startLab({
      script: (request) => {
        const { role, prompt, iteration, turn } = readRequest(request);
        if (role === "planner") promptChars = request.system.length + prompt.length;
        return { text: role === "planner" ? busyAnswer(iteration, prompt) : `Report ${turn}. ${paragraph.repeat(8)}` };
      },
    });
    const { models } = labModels(lab, ["openai-compatible/house-model"]);
    const store = runStore(db, queue, () => {});
    const deps = {
      store,
      engine: plannerEngine({ db, models, registry: makeRegistry(builtInTools), env: realEnv }),
      prover: storeProver(db),
      newId: realEnv.newId,
      workerName: "bench",
      breakers: { ...defaultBreakers, noProgress: 1e9, rejectedClaims: 1e9, sameAction: 1e9, backAndForth: 1e9 },
      limits: { maxConcurrentRuns: 3 },
    };
    const run = await busyRun(db, store);
    for (let iteration = 1; iteration <= iterations; iteration++) {
      const before = await databaseWork(db);
      const began = performance.now();
      const [job] = await queue.fetch(1);
      if (!job) throw new Error(`iteration ${iteration} has no job`);
      await runIterationJob(
        deps,
        { ...job, runId: run, iteration } as unknown as IterationJob,
        new AbortController().signal,
      );
      const after = await databaseWork(db);
      taken.push({
        promptChars,
        ms: performance.now() - began,
        blocks: after.blocks - before.blocks,
        rows: after.rows - before.rows,
      });
    }
    await lab.close();
    const of = (window: { from: number; to: number }, what: keyof Taken) =>
      figuresOf(taken.slice(window.from - 1, window.to).map((each) => each[what])).p50;
    const line = (what: keyof Taken) => ({
      [`${what} at iteration 10`]: of(early, what),
      [`${what} at iteration 1,000`]: of(late, what),
      [`${what}, 1,000 : 10`]: ratio(of(late, what), of(early, what)),
    });
    report("Growth of a busy run", { ...line("promptChars"), ...line("blocks"), ...line("rows"), ...line("ms") });
  });
}

async function busyRun(db: Database, store: ReturnType<typeof runStore>) {
  const user = realEnv.newId() as UserId;
  await sql`insert into auth_users (id, name, email) values (${user}, 'Bench', ${`${user}@example.test`})`.execute(
    db.system,
  );
  const budget = { ...defaultBudget, maxIterations: iterations + 1, maxRunningMs: 1e9 };
  const run = newRun(user, { objective: "Plan the launch", budget, checks: [planCheck], deliverables: [] });
  await store.transaction((tx) => createRun(tx, run, { maxConcurrentRuns: 3 }));
  return run.id;
}

/** Blocks and rows the server has looked at so far; its own counting, flushed first. */
async function databaseWork(db: Database): Promise<{ readonly blocks: number; readonly rows: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db.system);
  await realEnv.sleep(5);
  const { rows } = await sql<{ blocks: string; rows: string }>`
    select blks_hit + blks_read as blocks, tup_fetched + tup_inserted + tup_updated as rows
      from pg_stat_database where datname = current_database()`.execute(db.system);
  return { blocks: Number(rows[0]?.blocks), rows: Number(rows[0]?.rows) };
}

/** A planner that is never done: two writes, a read and an executor, with much to say. */
function busyAnswer(iteration: number, prompt: string): string {
  const project = /in project ([0-9a-f-]{36})/.exec(prompt)?.[1] ?? "";
  return JSON.stringify({
    status: {
      exit_signal: false,
      progress_summary: `Iteration ${iteration}: ${paragraph.repeat(3)}`,
      remaining_work: Array.from({ length: 10 }, (_, n) => `Open point ${n} of ${iteration}`),
    },
    plan: {
      steps: Array.from({ length: 12 }, (_, n) => ({
        id: `s${n}`,
        title: `Step ${n}`,
        status: "in_progress",
        owner: "planner",
        optional: false,
        evidence: [],
      })),
    },
    deliverables: [{ id: "d1", title: "A page" }],
    checks: [{ id: "c1", deliverable_id: "d1", kind: "entity_exists", entity: "document", title_like: "Never made" }],
    tool_calls: [
      {
        tool: "create_task",
        args: { project_id: project, title: `Task ${iteration}`, description: paragraph },
        step_id: "s1",
      },
      { tool: "write_note", args: { title: `Note ${iteration}`, content: paragraph.repeat(20) }, step_id: "s2" },
      { tool: "list_projects", args: {}, step_id: "s3" },
    ],
    executor_tasks: [{ title: `Look into ${iteration}`, instructions: paragraph, step_id: "s4" }],
  });
}

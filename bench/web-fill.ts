// A run that has lived long, straight in the database: iterations with entries, events and documents. The bench holds its lease,
// so it can write further events as a worker would.

import type pg from "pg";
import type { RunId } from "../src/domain/run/run.ts";
import { realEnv } from "../src/main/env.ts";
import { routes } from "../src/protocol/api.ts";
import type { Lease, RunStore } from "../src/runs/ports/run-store.ts";
import { takeRun } from "../src/runs/take-run.ts";
import type { Served } from "../test/helpers/served.ts";

export type RunSize = { readonly iterations: number; readonly events: number; readonly documents: number };
export type FilledRun = { readonly id: string; readonly lease: Lease; readonly lastSeq: number };

const sentence = "It compared the halls, wrote down what each costs and asked three of them for a Saturday in June. ";

export async function fillRun(
  { api }: Served,
  store: RunStore<unknown>,
  admin: pg.Client,
  size: RunSize,
): Promise<FilledRun> {
  const project = await api(routes.projects.create, { body: { name: `A run of ${size.iterations} iterations` } });
  const body = { objective: `Plan the launch, ${size.iterations} iterations long`, budgets: { max_iterations: 2_000 } };
  const { run_id: id } = await api(routes.runs.create, { body: { ...body, project_ids: [project.id] } });
  const job = { id: realEnv.newId(), attempt: 0, runId: id as RunId, iteration: 1 };
  const taken = await takeRun(store, job, "bench", { maxConcurrentRuns: 100 });
  if (taken === null) throw new Error("somebody else works on the run: switch the server's worker off");
  await admin.query("delete from homework_run_iterations where run_id = $1", [id]);
  await fillIterations(admin, id, size.iterations);
  await fillEntries(admin, id, size.iterations);
  const lastSeq = await fillEvents(admin, id, size);
  await fillDocuments(admin, id, project.id, size.documents);
  await admin.query(
    `update homework_runs set iteration = $2, last_seq = $3, cost_micro_usd = $2 * 1500, tokens = $2 * 2400,
            running_ms = $2 * 20000, plan = $4 where id = $1`,
    [id, size.iterations, lastSeq, JSON.stringify({ steps: planSteps(size.iterations) })],
  );
  await admin.query("vacuum analyze homework_run_iterations, homework_run_events, journal_entries, onto_documents");
  return { id, lease: { ...taken.lease, iteration: size.iterations }, lastSeq };
}

/** The last one is in flight. */
async function fillIterations(admin: pg.Client, id: string, count: number): Promise<void> {
  await admin.query(
    `insert into homework_run_iterations (run_id, iteration, attempts, status, started_at, ended_at, summary, decision, why, error, metrics)
     select $1, n, 1 + (n % 17 = 0)::int, case when n = $2 then 'running' when n % 23 = 0 then 'failed' else 'success' end,
            now() - ($2 - n + 1) * interval '30 seconds',
            case when n = $2 then null else now() - ($2 - n) * interval '30 seconds' - interval '10 seconds' end,
            case when n = $2 then '' else 'Iteration ' || n || ': ' || repeat($3, 1 + n % 4) end,
            case when n = $2 then null else 'continue' end, case when n = $2 then null else 'Work remains' end,
            case when n < $2 and n % 23 = 0 then 'The provider did not answer in time' end,
            case when n = $2 then '{}' else jsonb_build_object('running_ms', 10000 + (n * 7919) % 20000, 'cost_micro_usd', 500 + (n * 104729) % 2000,
              'tokens', 1000 + (n * 1299709) % 3000, 'tool_calls', n % 7, 'unpriced_calls', 0) end
       from generate_series(1, $2::int) n`,
    [id, count, sentence],
  );
}

/** Nine each: a planner, and two executors at the same time. */
async function fillEntries(admin: pg.Client, id: string, count: number): Promise<void> {
  await admin.query(
    `insert into journal_entries (run_id, iteration, key, kind, state, fence, result, began_at, ended_at, lane, lane_title, did)
     select $1, n, k, case when k like '%tool%' then 'tool' else 'model' end, 'done', 0,
            jsonb_build_object('result', jsonb_build_object('text', repeat($3, 5)), 'artifacts', '[]'::jsonb),
            i.started_at + o * interval '1 second', i.started_at + (o + 2) * interval '1 second',
            lane, case when lane <> 'planner' then 'Look at ' || lane end, $3
       from generate_series(1, $2::int) n join homework_run_iterations i on i.run_id = $1 and i.iteration = n,
            unnest(array['llm:0', 'tool:0.0', 'tool:0.1', 'exec:1/llm:0', 'exec:1/tool:0.0', 'exec:1/llm:1', 'exec:2/llm:0', 'exec:2/tool:0.0',
              'exec:2/llm:1'], array['planner', 'planner', 'planner', 'exec:1', 'exec:1', 'exec:1', 'exec:2', 'exec:2', 'exec:2'])
              with ordinality as s (k, lane, o)`,
    [id, count, sentence],
  );
}

/** Numbered from 1; those that taking the run wrote are replaced. */
async function fillEvents(admin: pg.Client, id: string, { iterations, events }: RunSize): Promise<number> {
  await admin.query("delete from homework_run_events where run_id = $1", [id]);
  await admin.query(
    `insert into homework_run_events (run_id, seq, iteration, type, event, created_at)
     select $1, n, i, t, case t
         when 'iteration_started' then jsonb_build_object('type', t, 'iteration', i, 'attempt', 1, 'running_ms', n, 'unread', 0)
         when 'iteration_completed' then jsonb_build_object('type', t, 'iteration', i, 'status', 'success', 'summary', $4::text,
           'decision', 'continue', 'why', 'Work remains', 'running_ms', n, 'unread', 0,
           'metrics', jsonb_build_object('running_ms', 1, 'cost_micro_usd', 0, 'tokens', 0, 'tool_calls', 0))
         else jsonb_build_object('type', t, 'iteration', i, 'entry', 'tool:' || n, 'summary', 'Step ' || n || ' of the run: ' || $4) end,
       now() - ($2 - n) * interval '1 second'
       from (select n, 1 + ((n - 1) * $3::bigint / $2)::int as i, case n % 10 when 1 then 'iteration_started'
               when 0 then 'iteration_completed' else 'entry_recorded' end as t
               from generate_series(1, $2::int) n) numbered`,
    [id, events, iterations, sentence],
  );
  return events;
}

async function fillDocuments(admin: pg.Client, id: string, projectId: string, count: number): Promise<void> {
  await admin.query(
    `insert into onto_documents (id, project_id, title, content, props, created_by_run)
     select gen_random_uuid(), $2, 'Document ' || n, repeat($4, 10), jsonb_build_object('homework', jsonb_build_object('run_id', $1::text)), $1::uuid
       from generate_series(1, $3::int) n`,
    [id, projectId, count, sentence],
  );
}

const planSteps = (iterations: number) =>
  Array.from({ length: 20 }, (_, n) => ({
    id: `s${n}`,
    title: `Step ${n + 1} of the plan`,
    status: (["done", "in_progress", "pending"] as const)[n % 3],
    isOptional: n % 5 === 0,
    owner: n % 4 === 0 ? "Halls" : null,
    lastIteration: Math.ceil((iterations * n) / 20),
    evidence: [],
  }));

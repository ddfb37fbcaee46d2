// Lists of 100,000 runs of one user over HTTP, filtered and searched, compared with a list of 1,000 on the same server.

import type pg from "pg";
import { defaultBudget } from "../src/domain/run/budget/budget.ts";
import { noStreaks } from "../src/domain/run/gate/streaks.ts";
import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { type Figures, msText, ratio, report, timed } from "./figures.ts";
import { asSuperuser } from "./fill.ts";

const large = 100_000;
const small = 1_000;
const rounds = 50;

export async function benchRunLists({ api }: Served, data: string): Promise<void> {
  const { user } = await api(routes.identity.me, {});
  const fillTo = (from: number, to: number) => asSuperuser(data, (admin) => fillRuns(admin, user.id, from, to));
  const list =
    (query: Readonly<Record<string, string>> = {}) =>
    () =>
      api(routes.runs.list, { query: { limit: 50, ...query } });
  const asked = async (): Promise<Readonly<Record<string, Figures>>> => ({
    "first page": await timed(rounds, list()),
    "those that need you (1 of 100)": await timed(rounds, list({ group: "needs_you" })),
    finished: await timed(rounds, list({ group: "finished" })),
    "search, in every run": await timed(rounds, list({ q: "number" })),
    "search, in 1 of 1,000": await timed(rounds, list({ q: "quokka" })),
    "search, in none": await timed(rounds, list({ q: "zebra crossing" })),
    "search, two characters in 1 of 1,000": await timed(rounds, list({ q: "qu" })),
    counts: await timed(rounds, () => api(routes.runParts.counts, {})),
    estimate: await timed(rounds, () => api(routes.runParts.estimate, {})),
  });
  await fillTo(0, small);
  const few = await asked();
  await fillTo(small, large);
  const many = await asked();
  const nothing = await timed(rounds, () => api(routes.identity.me, {}));
  const lines = Object.entries(many).map(([name, figures]) => [
    name,
    `${msText(figures)}; 100,000 : 1,000 = ${ratio(figures.p50, few[name]?.p50 ?? Number.NaN)}`,
  ]);
  report("lists of 100,000 runs, 50 a page", {
    ...Object.fromEntries(lines),
    "who am I (the floor)": msText(nothing),
  });
}

/** A thousand at a time; of a hundred, one waits for its user and one is in line. */
async function fillRuns(admin: pg.Client, userId: string, from: number, to: number): Promise<void> {
  for (let done = from; done < to; done += 1_000)
    await admin.query(
      `insert into homework_runs (id, user_id, objective, engine, scope, context_type, write_mode, budgets, status, iteration,
         has_slot, streaks, questions, ended_at, stop_reason, detail, cost_micro_usd, tokens, created_at)
       select gen_random_uuid(), $1, 'Objective number ' || n || ': plan the season, write to the harbour and count what is left'
           || case when n % 1000 = 77 then ' for the quokka' else '' end,
         'planner', 'global', 'global', 'autopilot', $4, s.status, 3, false, $5,
         case when s.status = 'waiting_on_user' then '[{"id": "q", "kind": "question", "text": "Which?", "options": []}]'::jsonb end,
         case when s.status in ('stopped', 'canceled') then now() end, case when s.status = 'stopped' then 'paused' end,
         case when s.status = 'stopped' then 'You paused it' end, n, n, now() - n * interval '1 second'
       from generate_series($2::int + 1, $3::int) n,
         lateral (select case when n % 100 = 1 then 'waiting_on_user' when n % 100 = 2 then 'queued' when n % 2 = 0 then 'stopped' else 'canceled' end as status) s`,
      [userId, done, Math.min(to, done + 1_000), JSON.stringify(defaultBudget), JSON.stringify(noStreaks)],
    );
  await admin.query("vacuum analyze homework_runs");
  await admin.query("vacuum analyze homework_run_words");
}

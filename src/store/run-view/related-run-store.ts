// Runs that another one names: the one it follows up, those that follow it up, and what a line of them was asked for. Reads only, in the
// user's transaction.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { AskedBefore } from "../../domain/planner/run-before.ts";
import { type RunId, runStatuses } from "../../domain/run/run.ts";
import { idColumn, rowOf } from "../row.ts";
import { hasBegunUntrusted } from "../workspace/planner-store.ts";
import { titleOf } from "./run-list-store.ts";

const relatedRow = rowOf({
  id: idColumn<RunId>(),
  title: z.string().nullable(),
  objective: z.string(),
  status: z.enum(runStatuses),
}).transform(({ id, title, objective, status }) => ({ id, title: titleOf(title, objective), status }));
export type RelatedRun = z.infer<typeof relatedRow>;

/** More than a page has room for. */
const followUpsMax = 20;
/** Characters of an objective that a title is taken from. */
const objectiveMax = 1_000;

export type Relatives = { readonly follows: RelatedRun | null; readonly followUps: readonly RelatedRun[] };

/** `followUps`: the last ones, the oldest first. */
export async function findRelatives(tx: Tx, runId: string, followsRunId: string | null): Promise<Relatives> {
  const [follows = null] =
    followsRunId === null ? [] : await readRelated(tx, sql`r.id = ${followsRunId} order by r.id limit 1`);
  const newest = await readRelated(
    tx,
    sql`r.follows_run_id = ${runId} order by r.created_at desc, r.id desc limit ${followUpsMax}`,
  );
  return { follows, followUps: newest.toReversed() };
}

async function readRelated(tx: Tx, where: RawBuilder<unknown>): Promise<readonly RelatedRun[]> {
  const { rows } = await sql`
    select r.id, r.title, left(r.objective, ${objectiveMax}) as objective, r.status from homework_runs r where ${where}`.execute(
    tx,
  );
  return z.array(relatedRow).parse(rows);
}

const askedRow = rowOf({ id: z.string(), objective: z.string(), isOfTask: z.boolean() });

/** What the run was asked for, then the one that it follows up, and so on. Models write the objectives of tasks, and those of some chats. */
export async function readAskedBefore(tx: Tx, runId: string, limit: number): Promise<readonly AskedBefore[]> {
  const { rows } = await sql`
    with recursive line (id, objective, is_of_task, follows, nth) as (
      select id, objective, outcome_task_id is not null, follows_run_id, 1 from homework_runs where id = ${runId}
      union all
      select p.id, p.objective, p.outcome_task_id is not null, p.follows_run_id, line.nth + 1
        from line join homework_runs p on p.id = line.follows where line.nth < ${limit})
    select id, objective, is_of_task from line order by nth`.execute(tx);
  const asked: AskedBefore[] = [];
  for (const { id, objective, isOfTask } of z.array(askedRow).parse(rows))
    asked.push({ objective, isOwnObjective: !isOfTask && !(await hasBegunUntrusted(tx, id)) });
  return asked;
}

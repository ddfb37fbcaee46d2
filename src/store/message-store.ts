// What the user has said to a run, in order: guidance, answers with their questions, change requests. A run that was forked knows
// what was said to the one it came from.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { SaidMessage } from "../domain/planner/view.ts";

const rows = z.array(z.object({ id: z.string(), question: z.string().nullable(), text: z.string() }));

/** More than a run hears in its life; a prompt shortens the oldest of them. */
const messagesMax = 500;

/** What iterations up to this one have taken up, oldest first. */
export async function readMessages(tx: Tx, runId: string, iteration: number): Promise<readonly SaidMessage[]> {
  const found = await sql`
    with recursive line (id, parent, until) as (
      select r.id, r.forked_from_run, ${iteration}::int from homework_runs r where r.id = ${runId}
      union all
      select p.id, p.forked_from_run, c.forked_from_iteration
        from line join homework_runs c on c.id = line.id join homework_runs p on p.id = line.parent)
    select id, question, text from (
      select s.id, s.question, s.text, s.created_at from homework_run_signals s join line on line.id = s.run_id
       where s.consumed_iteration <= line.until order by s.created_at desc, s.id desc limit ${messagesMax}) as newest
     order by created_at, id`.execute(tx);
  return rows.parse(found.rows);
}

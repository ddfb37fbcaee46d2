// What a run did, from the history that triggers keep: nobody's word is taken for it.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { RunRecord } from "../domain/run/report.ts";
import type { Run } from "../domain/run/run.ts";

/** More than anyone reads in a report; the history of the project has the rest. */
const listedMax = 500;

const changed = z.array(
  z.object({ op: z.enum(["created", "updated"]), type: z.string(), id: z.string(), title: z.string() }),
);
const linked = z.array(z.object({ from_id: z.string(), to_id: z.string(), relationship: z.string() }));

/** Pages that every run keeps say nothing about this one; the workspace shows them. */
const isBookkeeping = sql`exists (select from onto_documents d where d.id = c.entity_id and d.type_key in
  ('document.homework.scratchpad', 'document.homework.plan', 'document.homework.summary'))`;

/** As the platform: the run's user may have left a project since. */
export async function recordOf(tx: Tx, run: Run): Promise<RunRecord> {
  const { rows } = await sql`
    select case when bool_or(op = 'created') then 'created' else 'updated' end as op, kind as type, entity_id as id,
           (array_agg(title order by seq desc))[1] as title
      from onto_changes c where run_id = ${run.id} and kind <> 'edge' and not is_undone and not ${isBookkeeping}
     group by kind, entity_id order by min(at), entity_id limit ${listedMax}`.execute(tx);
  const { rows: edges } = await sql`
    select src_id as from_id, dst_id as to_id, rel as relationship from onto_edges
     where created_by_run = ${run.id} and deleted_at is null and rel <> 'document_has_document' order by created_at, id limit ${listedMax}`.execute(
    tx,
  );
  const things = changed.parse(rows);
  const only = (op: "created" | "updated") =>
    things.filter((thing) => thing.op === op).map(({ op: _, ...thing }) => thing);
  return {
    created: only("created"),
    updated: only("updated"),
    linked: linked.parse(edges),
    proofs: run.state.status === "completed" ? run.state.proofs : run.lastProofs,
    iterations: await endedIterations(tx, run),
    narrative: null,
  };
}

async function endedIterations(tx: Tx, { id }: Run): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    select count(*)::int as ended from homework_run_iterations where run_id = ${id} and decision is not null`.execute(
    tx,
  );
  return rows[0]?.ended ?? 0;
}

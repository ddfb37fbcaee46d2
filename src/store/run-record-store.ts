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
const found = z.object({ things: changed, edges: linked, ended: z.number() });

/** Pages that every run keeps say nothing about this one; the workspace shows them. */
const isBookkeeping = sql`exists (select from onto_documents d where d.id = c.entity_id and d.type_key in
  ('document.homework.scratchpad', 'document.homework.plan', 'document.homework.summary'))`;

/** As the platform: the run's user may have left a project since. */
export async function recordOf(tx: Tx, run: Run): Promise<RunRecord> {
  const { rows } = await sql`
    select (select coalesce(json_agg(t order by t.first_at, t.id), '[]') from (
        select case when bool_or(op = 'created') then 'created' else 'updated' end as op, kind as type, entity_id as id,
               (array_agg(title order by seq desc))[1] as title, min(at) as first_at
          from onto_changes c where run_id = ${run.id} and kind <> 'edge' and not is_undone and not ${isBookkeeping}
         group by kind, entity_id order by min(at), entity_id limit ${listedMax}) as t) as things,
      (select coalesce(json_agg(e order by e.created_at, e.id), '[]') from (
        select src_id as from_id, dst_id as to_id, rel as relationship, created_at, id from onto_edges
         where created_by_run = ${run.id} and deleted_at is null and rel <> 'document_has_document'
          order by created_at, id limit ${listedMax}) as e) as edges,
      (select count(*)::int from homework_run_iterations where run_id = ${run.id} and decision is not null) as ended`.execute(
    tx,
  );
  const { things, edges, ended } = found.parse(rows[0]);
  const only = (op: "created" | "updated") =>
    things.filter((thing) => thing.op === op).map(({ op: _, ...thing }) => thing);
  return {
    created: only("created"),
    updated: only("updated"),
    linked: edges,
    proofs: run.state.status === "completed" ? run.state.proofs : run.lastProofs,
    iterations: ended,
    narrative: null,
  };
}

// What a run did, from the history that triggers keep: the run's own word is not asked. Working notes are left out, and so is
// what the run made and removed again.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { RunRecord } from "../../domain/run/report/report.ts";
import { report } from "../../domain/run/report/report-shape.ts";
import type { Run } from "../../domain/run/run.ts";
import { workspaceProjectType } from "../../domain/workspace/pages.ts";
import { isWorkingNote } from "../workspace/working-notes.ts";
import { readCheckChanges } from "./check-change-store.ts";

/** More than anyone reads in a report; the history of the project has the rest. */
const listedMax = 500;
/** A report opens one document; the longest of these is it, unless the run named another. */
const documentsMax = 50;
/** Characters of a document, in which its first paragraph is looked for. */
const beginningMax = 4_000;
/** As many as a run may be told; the oldest are left out beyond it. */
const messagesMax = 200;

const { what_changed: changed, artifacts, messages } = report.shape;
const found = z.object({
  ...changed.shape,
  plans: artifacts.shape.plans,
  documents: z.array(z.object({ id: z.string(), size: z.number(), beginning: z.string() })),
  messages: z.array(messages.element.omit({ how: true })),
  cachedTokens: z.number(),
  work: report.shape.work,
  iterations: z.number(),
});

/** As the platform: the run's user may have left a project since. */
export async function recordOf(tx: Tx, run: Run): Promise<RunRecord> {
  const { rows } = await sql`
    with written as (
      select case when bool_or(c.op = 'created') then 'created' else 'updated' end as op, c.kind as type, c.entity_id as id,
             c.project_id, (array_agg(c.title order by c.seq desc))[1] as title, min(c.at) as first_at
        from onto_changes c where c.run_id = ${run.id} and c.kind <> 'edge' and not c.is_undone
       group by c.kind, c.entity_id, c.project_id
    ), kept as (
      select w.* from written w left join onto_documents d on w.type = 'document' and d.id = w.id
        left join onto_projects p on w.type = 'project' and p.id = w.id
       where not coalesce(${isWorkingNote("d")}, false) and p.type_key is distinct from ${workspaceProjectType}
         and case w.type when 'project' then p.deleted_at is null and p.id is not null
               else exists (select from onto_nodes n where n.id = w.id and n.deleted_at is null) end
    ), listed as (select * from kept order by first_at, id limit ${listedMax})
    select (select coalesce(json_agg(t order by t.first_at, t.id), '[]') from listed t where t.op = 'created') as created,
      (select coalesce(json_agg(t order by t.first_at, t.id), '[]') from listed t where t.op = 'updated') as updated,
      (select coalesce(json_agg(json_build_object('type', k.type, 'created', k.created, 'updated', k.updated) order by k.first_at), '[]')
         from (select type, count(*) filter (where op = 'created')::int as created,
                      count(*) filter (where op = 'updated')::int as updated, min(first_at) as first_at
                 from kept group by type) as k) as counts,
      (select coalesce(json_agg(json_build_object('id', p.id, 'status', p.state_key) order by k.first_at, p.id), '[]')
         from kept k join onto_plans p on p.id = k.id where k.type = 'plan') as plans,
      (select coalesce(json_agg(json_build_object('id', t.id, 'size', t.size, 'beginning', t.beginning)), '[]') from (
        select d.id, length(d.content) as size, left(d.content, ${beginningMax}) as beginning
          from kept k join onto_documents d on d.id = k.id where k.type = 'document'
         order by size desc, d.id limit ${documentsMax}) as t) as documents,
      (select coalesce(json_agg(e order by e.created_at, e.id), '[]') from (
        select src_id as from_id, dst_id as to_id, rel as relationship, created_at, id from onto_edges
         where created_by_run = ${run.id} and deleted_at is null and rel <> 'document_has_document'
          order by created_at, id limit ${listedMax}) as e) as linked,
      (select coalesce(json_agg(m order by m.created_at, m.id), '[]') from (
        select s.id, s.created_at, s.created_at::timestamptz(3) as at, s.kind, s.text, ${askedBy} as question
          from homework_run_messages s where s.run_id = ${run.id}
         order by s.created_at desc, s.id desc limit ${messagesMax}) as m) as messages,
      (select w.record from homework_run_works w where w.run_id = ${run.id}) as work,
      (select coalesce(sum(cached_tokens), 0)::float8 from llm_usage_logs where run_id = ${run.id}) as "cachedTokens",
      (select count(*)::int from homework_run_iterations where run_id = ${run.id} and decision is not null) as iterations`.execute(
    tx,
  );
  const proofs = run.state.status === "completed" ? run.state.proofs : run.lastProofs;
  const checkChanges = await readCheckChanges(tx, run.id);
  return { ...found.parse(rows[0]), proofs, checkChanges, closing: run.closing, narrative: null };
}

/** The question that the answer `s` was given to, in the words it was asked in. */
const askedBy = sql`(
  select q->>'text' from homework_run_events e, jsonb_array_elements(e.event->'questions') as q
   where e.run_id = s.run_id and e.type = 'run_waiting_on_user' and e.iteration = s.asked_in and q->>'id' = s.question_id
   order by e.seq desc limit 1)`;

// What checks look at: whether something is there, how many, in which state, what a document holds, and whether this run made
// or changed it. Asked in the run's user's name, so that nobody's things but theirs can prove anything.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { RunId } from "../domain/run/run.ts";

export type FoundThing = ArtifactRef & { readonly title: string; readonly state: string; readonly isOfRun: boolean };

const thingRow = z.object({ id: z.string(), title: z.string(), state_key: z.string(), of_run: z.boolean() });
const foundMax = 200;

export const isEntityKind = (word: string): word is EntityKind => (entityKinds as readonly string[]).includes(word);

/** Things of a kind that this run made or changed, or all of these projects (null: of all) whose title is like this. */
export async function findThings(
  tx: Tx,
  runId: RunId,
  kind: EntityKind,
  where: { readonly titleLike?: string; readonly id?: string; readonly projectIds?: readonly string[] | null },
): Promise<readonly FoundThing[]> {
  const projects = where.projectIds ?? null;
  const { rows } = await sql`
    select e.id, e.title, e.state_key, coalesce(${ofRun(runId)}, false) as of_run from ${sql.table(kindSpecs[kind].table)} e
     where e.deleted_at is null and (${where.id ?? null}::text is not null or not ${bookkeeping})
       and (${where.id ?? null}::uuid is null or e.id = ${where.id ?? null}::uuid)
       and (${where.titleLike ?? null}::text is null or position(lower(${where.titleLike ?? ""}) in lower(e.title)) > 0)
       and (${where.id ?? where.titleLike ?? null}::text is not null or ${ofRun(runId)})
       and (${projects}::uuid[] is null or e.project_id = any (${projects}::uuid[]) or ${ofRun(runId)})
     order by of_run desc, e.updated_at desc limit ${foundMax}`.execute(tx);
  return rows.map((row) => {
    const { id, title, state_key: state, of_run: isOfRun } = thingRow.parse(row);
    return { kind, id, title, state, isOfRun };
  });
}

/** What the platform writes for every run proves nothing about this one's work. */
const bookkeeping = sql`e.type_key in ('document.homework.workspace', 'document.homework.scratchpad', 'document.homework.plan',
  'document.homework.summary')`;

const ofRun = (runId: RunId) => sql`(e.created_by_run = ${runId} or e.updated_by_run = ${runId})`;

export type FoundDocument = FoundThing & { readonly content: string; readonly projectId: string };

/** One document, or all that this run made or changed. */
export async function findDocuments(
  tx: Tx,
  runId: RunId,
  documentId: string | null,
  titleLike = "",
): Promise<readonly FoundDocument[]> {
  const { rows } = await sql`
    select e.id, e.title, e.state_key, coalesce(${ofRun(runId)}, false) as of_run, e.content, e.project_id from onto_documents e
     where e.deleted_at is null and (e.id = ${documentId}::uuid or (${documentId}::uuid is null and ${ofRun(runId)} and not ${bookkeeping}
       and position(lower(${titleLike}) in lower(e.title)) > 0))
     order by e.created_at limit ${foundMax}`.execute(tx);
  return rows.map((row) => {
    const found = thingRow.extend({ content: z.string(), project_id: z.string() }).parse(row);
    const { id, title, state_key: state, of_run: isOfRun, content, project_id: projectId } = found;
    return { kind: "document", id, title, state, isOfRun, content, projectId };
  });
}

export async function findLink(
  tx: Tx,
  runId: RunId,
  link: { readonly rel: string; readonly srcId: string; readonly dstId: string },
): Promise<FoundThing | null> {
  const { rows } = await sql`
    select e.id, e.rel as title, '' as state_key, e.created_by_run is not distinct from ${runId}::uuid as of_run from onto_edges e
     where e.deleted_at is null and e.rel = ${link.rel} and e.src_id = ${link.srcId} and e.dst_id = ${link.dstId}`.execute(
    tx,
  );
  if (rows.length === 0) return null;
  const { id, title, state_key: state, of_run: isOfRun } = thingRow.parse(rows[0]);
  return { kind: "edge", id, title, state, isOfRun };
}

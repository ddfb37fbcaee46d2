// What checks look at: whether something is there, how many, in which state, what a document holds, and whether this run made
// or changed it. Asked in the name of the run's user, so that only what they may see can prove anything.

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../../domain/entity/kinds.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import type { DocumentText } from "../../domain/run/checks/measure-document.ts";
import type { RunId } from "../../domain/run/run.ts";
import { pageTypes } from "../../domain/workspace/pages.ts";
import { rowOf } from "../row.ts";

export type FoundThing = ArtifactRef & { readonly title: string; readonly state: string; readonly isOfRun: boolean };

const thingColumns = { id: z.string(), title: z.string(), state: z.string(), isOfRun: z.boolean() };
const thingRow = rowOf(thingColumns);
const foundMax = 200;

export const isEntityKind = (word: string): word is EntityKind => (entityKinds as readonly string[]).includes(word);

/** Which things of a kind: one of them, those whose title is like this, or as many of this run's own. */
export type Which =
  | { readonly id: string }
  /** In these projects (null: in all), and of this run anywhere. */
  | { readonly titleLike: string; readonly projectIds: readonly string[] | null }
  | { readonly ownAtMost: number };

/** This run's own come first. */
export async function findThings(tx: Tx, runId: RunId, kind: EntityKind, which: Which): Promise<readonly FoundThing[]> {
  const { rows } = await sql`
    select e.id, e.title, e.state_key as state, coalesce(${ofRun(runId)}, false) as is_of_run from ${sql.table(kindSpecs[kind].table)} e
     where (e.deleted_at is null or ${"ownAtMost" in which}) and e.id in (${idsOf(runId, kind, which)})
       and ${isNoPlatformPage(runId)}
     order by is_of_run desc, e.updated_at desc`.execute(tx);
  return rows.map((row) => ({ kind, ...thingRow.parse(row) }));
}

/** What the platform writes for every run proves nothing about this one's work. */
const bookkeeping: readonly string[] = [pageTypes.root, pageTypes.scratchpad, pageTypes.plan, pageTypes.summary];

/** Of the row `e`. The page of a branch is the platform's, too, until a tool has written on it. */
export const isNoPlatformPage = (runId: RunId) => sql`
  (e.type_key <> all (${bookkeeping}::text[]) and (e.type_key <> ${pageTypes.branch} or exists (
    select from journal_entries s where s.run_id = ${runId} and s.kind = 'tool'
       and s.result->'artifacts' @> jsonb_build_array(jsonb_build_object('id', e.id)))))`;

const ofRun = (runId: RunId) => sql`(e.created_by_run = ${runId} or e.updated_by_run = ${runId})`;

function idsOf(runId: RunId, kind: EntityKind, which: Which): RawBuilder<unknown> {
  if ("id" in which) return sql`${which.id}::uuid`;
  if ("ownAtMost" in which) return ownIds(runId, kind, which.ownAtMost, true);
  const { titleLike, projectIds } = which;
  return sql`select app_titled(${kind}, ${titleLike}, ${projectIds}::uuid[], ${runId}, ${bookkeeping}::text[], ${foundMax})`;
}

/**
 * The oldest of those that a run made, and of those that it changed; each list is read off its index. Putting something into the bin
 * is a change, unless the run had made it itself.
 */
const ownIds = (runId: RunId, kind: EntityKind, atMost: number, isBinToo = false) => {
  const listed = (by: "created_by_run" | "updated_by_run") => sql`
    (select o.id from ${sql.table(kindSpecs[kind].table)} o
      where o.${sql.ref(by)} = ${runId} and o.type_key <> all (${bookkeeping}::text[])
        and (o.deleted_at is null or (${isBinToo} and o.created_by_run is distinct from ${runId}::uuid))
      order by o.created_at limit ${atMost})`;
  return sql`select own.id from (${listed("created_by_run")} union ${listed("updated_by_run")}) own limit ${atMost}`;
};

/** Links between the user's things that the run made, and those of others that it took away. */
export async function findOwnLinks(tx: Tx, runId: RunId, atMost: number): Promise<readonly ArtifactRef[]> {
  const { rows } = await sql`
    select e.id from onto_edges e where ${isOwnLink(runId)} order by e.created_at, e.id limit ${atMost}`.execute(tx);
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => ({ kind: "edge", id }));
}

/** Of `e`, which the run made, or which others made and it took away: neither end is a page that a run keeps. */
export const isOwnLink = (runId: RunId) => sql`
  e.id in (select c.entity_id from onto_changes c where c.run_id = ${runId} and c.kind = 'edge')
   and (e.created_by_run is not distinct from ${runId}::uuid) = (e.deleted_at is null) and not exists (
     select from onto_documents p where p.id in (e.src_id, e.dst_id) and p.type_key like 'document.homework.%')`;

export type FoundDocument = FoundThing & DocumentText & { readonly projectId: string; readonly isWorkingNote: boolean };

const documentRow = rowOf({
  ...thingColumns,
  content: z.string(),
  projectId: z.string(),
  typeKey: z.string(),
  isMade: z.boolean(),
  before: z.string().nullable(),
});

/** One document, or those that this run made or changed, the oldest first; with what stood there before the run. */
export async function findDocuments(
  tx: Tx,
  runId: RunId,
  documentId: string | null,
  titleLike = "",
): Promise<readonly FoundDocument[]> {
  const ids =
    documentId !== null
      ? sql`${documentId}::uuid`
      : titleLike === ""
        ? ownIds(runId, "document", foundMax)
        : idsOf(runId, "document", { titleLike, projectIds: [] });
  const { rows } = await sql`
    select e.id, e.title, e.state_key as state, coalesce(${ofRun(runId)}, false) as is_of_run, e.content, e.project_id, e.type_key,
           e.created_by_run is not distinct from ${runId}::uuid as is_made,
           (select c.before->>'content' from onto_changes c where c.run_id = ${runId} and c.entity_id = e.id
             order by c.at, c.seq limit 1) as before
      from onto_documents e
     where e.deleted_at is null and e.id in (${ids}) and ${isNoPlatformPage(runId)} order by e.created_at`.execute(tx);
  return rows.map((row) => {
    const { isMade, typeKey, ...found } = documentRow.parse(row);
    const before = isMade ? null : (found.before ?? found.content);
    const isWorkingNote = (Object.values(pageTypes) as readonly string[]).includes(typeKey);
    return { ...found, kind: "document", before, isWorkingNote };
  });
}

export async function findLink(
  tx: Tx,
  runId: RunId,
  link: { readonly rel: string; readonly srcId: string; readonly dstId: string },
): Promise<FoundThing | null> {
  const { rows } = await sql`
    select e.id, e.rel as title, '' as state, e.created_by_run is not distinct from ${runId}::uuid as is_of_run from onto_edges e
     where e.deleted_at is null and e.rel = ${link.rel} and e.src_id = ${link.srcId} and e.dst_id = ${link.dstId}`.execute(
    tx,
  );
  return rows.length === 0 ? null : { kind: "edge", ...thingRow.parse(rows[0]) };
}

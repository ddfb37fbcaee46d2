// The work of a run as a judge reads it: documents in full (of those that were there before, what was added), tasks, goals, plans
// and milestones as they are, links by their ends. The run's working notes are not among them. Asked in its user's name.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import { addedText } from "../domain/run/measure-document.ts";
import type { RunId } from "../domain/run/run.ts";
import { findDocuments } from "./check-store.ts";
import { findReadByRun } from "./run-reading-store.ts";
import { isWorkingNote } from "./working-notes.ts";

export type JudgedDocument = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly isOld: boolean;
};

export type JudgedWork = {
  readonly documents: readonly JudgedDocument[];
  /** One each, with everything that stands in it. */
  readonly things: readonly string[];
  readonly links: readonly string[];
};

const thingsMax = 200;
const linksMax = 200;

/** `artifacts`: what the checks looked at; null: everything this run made or changed. */
export async function readJudgedWork(
  tx: Tx,
  runId: RunId,
  artifacts: readonly ArtifactRef[] | null,
): Promise<JudgedWork> {
  const wanted = artifacts === null ? null : new Set(artifacts.map(({ id }) => id));
  const documents = (await findDocuments(tx, runId, null))
    .filter(({ id, isWorkingNote }) => !isWorkingNote && (wanted === null || wanted.has(id)))
    .map((found) => ({ ...found, text: addedText(found), isOld: found.before !== null }))
    .filter(({ text }) => text.trim() !== "");
  return { documents, things: await readThings(tx, runId, wanted), links: await readLinks(tx, runId) };
}

const thingRow = z.object({
  title: z.string(),
  state_key: z.string(),
  description: z.string().nullable(),
  content: z.string().nullable(),
  priority: z.unknown(),
  due_at: z.unknown(),
});

async function readThings(tx: Tx, runId: RunId, wanted: ReadonlySet<string> | null): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const kind of entityKinds.filter((each) => each !== "document")) {
    const { rows } = await sql`
      select e.title, e.state_key, e.description, e.content, to_jsonb(e)->'priority' as priority, to_jsonb(e)->'due_at' as due_at
        from ${sql.table(kindSpecs[kind].table)} e
       where e.deleted_at is null and (e.created_by_run = ${runId} or e.updated_by_run = ${runId})
         and (${wanted === null} or e.id = any (${[...(wanted ?? [])]}::uuid[]))
       order by e.created_at, e.id limit ${thingsMax}`.execute(tx);
    lines.push(
      ...z
        .array(thingRow)
        .parse(rows)
        .map((row) => describeThing(kind, row)),
    );
  }
  return lines;
}

function describeThing(kind: string, thing: z.output<typeof thingRow>): string {
  const facts = [
    `state ${thing.state_key}`,
    ...(thing.due_at === null || thing.due_at === undefined ? [] : [`due ${String(thing.due_at)}`]),
    ...(thing.priority === null || thing.priority === undefined ? [] : [`priority ${String(thing.priority)}`]),
  ];
  const text = [thing.description, thing.content].filter((each) => each !== null && each.trim() !== "").join("\n");
  return `${kind}: ${thing.title} (${facts.join(", ")})${text === "" ? "" : `\n${text}`}`;
}

const linkRow = z.object({ src: z.string(), rel: z.string(), dst: z.string() });

/** Both ends are things that the user may see; the platform's own links between working notes are left out. */
async function readLinks(tx: Tx, runId: RunId): Promise<readonly string[]> {
  const { rows } = await sql`
    select coalesce(s.kind || ' "' || s.title || '"', e.src_id::text) as src, e.rel,
           coalesce(d.kind || ' "' || d.title || '"', e.dst_id::text) as dst
      from onto_edges e left join onto_nodes s on s.id = e.src_id left join onto_nodes d on d.id = e.dst_id
     where e.created_by_run = ${runId} and e.deleted_at is null
       and not exists (select from onto_documents p where p.id in (e.src_id, e.dst_id) and p.type_key like 'document.homework.%')
     order by e.created_at, e.id limit ${linksMax}`.execute(tx);
  return z
    .array(linkRow)
    .parse(rows)
    .map(({ src, rel, dst }) => `${src} ${rel} ${dst}`);
}

/** Characters of all sources together: a judge that reads a library judges that. */
const sourcesMax = 12_000;

export type JudgedSource = { readonly title: string; readonly text: string };

/** Documents of the user's own that the run opened and did not write, as long as all of them fit; otherwise none. */
export async function readSources(tx: Tx, runId: RunId): Promise<readonly JudgedSource[]> {
  const { ids } = await findReadByRun(tx, runId);
  if (ids.size === 0) return [];
  const { rows } = await sql`
    select d.title, d.content as text from onto_documents d
     where d.id = any (${[...ids]}::uuid[]) and d.deleted_at is null and d.created_by_run is distinct from ${runId}
       and d.updated_by_run is distinct from ${runId} and not ${isWorkingNote("d")} and length(d.content) <= ${sourcesMax}
     order by d.created_at, d.id limit ${thingsMax}`.execute(tx);
  const sources = z.array(z.object({ title: z.string(), text: z.string() })).parse(rows);
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  return length <= sourcesMax ? sources : [];
}

// The work of a run as a judge reads it: documents in full (of those that were there before, what was added), tasks, goals, plans
// and milestones as they are, links by their ends. Of the run's working notes only those are among them that were promised. Asked in its user's name.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { entityKinds, kindSpecs } from "../../domain/entity/kinds.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import { addedText, isOldChanged, removedText } from "../../domain/run/checks/measure-document.ts";
import type { RunId } from "../../domain/run/run.ts";
import { dueIn } from "../../domain/wall-clock.ts";
import { rowOf } from "../row.ts";
import { type FoundDocument, findDocuments, isOwnLink } from "./check-store.ts";
import { findReadByRun } from "./run-reading-store.ts";
import { isWorkingNote } from "./working-notes.ts";

export type JudgedDocument = {
  readonly id: string;
  readonly title: string;
  /** In full; of one that was there before, what was added, or all of it where only its order or marks are other. */
  readonly text: string;
  /** What an old one has lost. */
  readonly removed: string;
  readonly change: "made" | "added" | "rearranged";
};

export type JudgedWork = {
  readonly documents: readonly JudgedDocument[];
  /** One each, with everything that stands in it. */
  readonly things: readonly string[];
  readonly links: readonly string[];
};

const thingsMax = 200;
const linksMax = 200;

/** `artifacts`: what the checks looked at; null: everything this run made or changed. `promised`: what a check counts, also where it is a note. */
export async function readJudgedWork(
  tx: Tx,
  runId: RunId,
  artifacts: readonly ArtifactRef[] | null,
  promised: readonly ArtifactRef[] = [],
): Promise<JudgedWork> {
  const wanted = artifacts === null ? null : new Set(artifacts.map(({ id }) => id));
  const isPromised = new Set(promised.map(({ id }) => id));
  const documents = (await findDocuments(tx, runId, null))
    .filter(({ id, isWorkingNote }) => (!isWorkingNote || isPromised.has(id)) && (wanted === null || wanted.has(id)))
    .map(toJudged)
    .filter(({ text, removed }) => `${text}${removed}`.trim() !== "");
  return { documents, things: await readThings(tx, runId, wanted), links: await readLinks(tx, runId) };
}

function toJudged(found: FoundDocument): JudgedDocument {
  const { id, title, content, before } = found;
  const [text, removed] = [addedText(found), removedText(found)];
  if (before === null) return { id, title, text, removed, change: "made" };
  const isRearranged = `${text}${removed}`.trim() === "" && isOldChanged(found);
  return { id, title, text: isRearranged ? content : text, removed, change: isRearranged ? "rearranged" : "added" };
}

const thingRow = z.object({
  title: z.string(),
  state_key: z.string(),
  description: z.string().nullable(),
  content: z.string().nullable(),
  priority: z.unknown(),
  due_at: z.string().nullish(),
  is_binned: z.boolean(),
  time_zone: z.string(),
});

async function readThings(tx: Tx, runId: RunId, wanted: ReadonlySet<string> | null): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const kind of entityKinds.filter((each) => each !== "document")) {
    const { rows } = await sql`
      select e.title, e.state_key, e.description, e.content, to_jsonb(e)->'priority' as priority, to_jsonb(e)->'due_at' as due_at,
             e.deleted_at is not null as is_binned, (select r.time_zone from homework_runs r where r.id = ${runId}) as time_zone
        from ${sql.table(kindSpecs[kind].table)} e
       where (e.deleted_at is null or e.created_by_run is distinct from ${runId}::uuid)
         and (e.created_by_run = ${runId} or e.updated_by_run = ${runId})
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
    ...(thing.is_binned ? ["put into the bin"] : []),
    `state ${thing.state_key}`,
    ...(thing.due_at === null || thing.due_at === undefined ? [] : [`due ${dueIn(thing.due_at, thing.time_zone)}`]),
    ...(thing.priority === null || thing.priority === undefined ? [] : [`priority ${String(thing.priority)}`]),
  ];
  const text = [thing.description, thing.content].filter((each) => each !== null && each.trim() !== "").join("\n");
  return `${kind}: ${thing.title} (${facts.join(", ")})${text === "" ? "" : `\n${text}`}`;
}

const linkRow = z.object({ src: z.string(), rel: z.string(), dst: z.string(), is_gone: z.boolean() });

/** Both ends are things that the user may see; the platform's own links between working notes are left out. */
async function readLinks(tx: Tx, runId: RunId): Promise<readonly string[]> {
  const { rows } = await sql`
    select coalesce(s.kind || ' "' || s.title || '"', e.src_id::text) as src, e.rel,
           coalesce(d.kind || ' "' || d.title || '"', e.dst_id::text) as dst, e.deleted_at is not null as is_gone
      from onto_edges e left join onto_nodes s on s.id = e.src_id left join onto_nodes d on d.id = e.dst_id
     where ${isOwnLink(runId)} order by e.created_at, e.id limit ${linksMax}`.execute(tx);
  return z
    .array(linkRow)
    .parse(rows)
    .map(({ src, rel, dst, is_gone: isGone }) => `${isGone ? "taken away: " : ""}${src} ${rel} ${dst}`);
}

/** Characters of all sources together: a judge that reads a library judges that. */
const sourcesMax = 24_000;

export type JudgedSource = {
  readonly title: string;
  readonly text: string;
  /** The run changed it; `text` is the whole document after the change. */
  readonly isChanged: boolean;
};

const sourceRow = rowOf({ title: z.string(), text: z.string(), isChanged: z.boolean() });

/**
 * Documents that the run changed, as a whole; then those that it opened, and those that it was given, whether it opened them or not: as
 * many as fit.
 */
export async function readSources(
  tx: Tx,
  runId: RunId,
  given: readonly string[] = [],
): Promise<readonly JudgedSource[]> {
  const { ids } = await findReadByRun(tx, runId);
  const { rows } = await sql`
    select d.title, d.content as text, d.updated_by_run is not distinct from ${runId}::uuid as is_changed from onto_documents d
     where (d.id = any (${[...ids, ...given]}::uuid[]) or d.updated_by_run = ${runId}) and d.deleted_at is null
       and d.created_by_run is distinct from ${runId}::uuid and not ${isWorkingNote("d")} and length(d.content) <= ${sourcesMax}
     order by is_changed desc, d.created_at, d.id limit ${thingsMax}`.execute(tx);
  const sources = z.array(sourceRow).parse(rows);
  let left = sourcesMax;
  return sources.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}

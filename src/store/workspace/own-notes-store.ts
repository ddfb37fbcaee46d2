// The notes that a run has written for itself, the newest first. Its planner is shown them, so that what it put down for later is not forgotten.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { ShownNote } from "../../domain/planner/view.ts";
import { pageTypes } from "../../domain/workspace/pages.ts";

const listedMax = 12;
/** Characters of a note that is shown whole, and of all of them together. */
const shortMax = 6_000;
const shownMax = 8_000;

const noteRow = z.object({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  length: z.coerce.number(),
  text: z.string().nullable(),
});

export async function readOwnNotes(tx: Tx, runId: string): Promise<readonly ShownNote[]> {
  const { rows } = await sql`
    select d.id, d.version, d.title, length(d.content) as length,
           case when length(d.content) between 1 and ${shortMax}::int then d.content end as text
      from onto_documents d
     where d.created_by_run = ${runId} and d.type_key = ${pageTypes.note} and d.deleted_at is null
     order by d.created_at desc, d.id limit ${listedMax}`.execute(tx);
  let room = shownMax;
  return z
    .array(noteRow)
    .parse(rows)
    .map((note) => {
      if (note.text === null || note.text.length > room) return { ...note, text: null };
      room -= note.text.length;
      return note;
    });
}

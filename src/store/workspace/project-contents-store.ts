// What projects hold, in short: the newest documents and the open tasks. A planner is shown it first, so that it need not ask.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { NamedProject, ProjectContents } from "../../domain/planner/view.ts";
import type { Run } from "../../domain/run/run.ts";
import { dayIn } from "../../domain/time-zone.ts";
import { isWorkingNote } from "./working-notes.ts";

/** Of each kind in one project. */
const listedMax = 30;

/** Characters of a document that is shown whole: any, and one that the run itself has made and goes on with. */
const shortMax = 1_500;
const ownMax = 4_000;
/** Of all of them together. */
const shownMax = 6_000;

const documentRow = z.object({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  isOwn: z.boolean(),
  length: z.coerce.number(),
  text: z.string().nullable(),
});
const taskRow = z.object({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  isOwn: z.boolean(),
  state: z.string(),
  due_at: z.coerce.date().nullable(),
});

export async function readProjectContents(
  tx: Tx,
  projects: readonly NamedProject[],
  { id: runId, timeZone }: Pick<Run, "id" | "timeZone">,
): Promise<readonly ProjectContents[]> {
  const contents: ProjectContents[] = [];
  let room = shownMax;
  for (const { id, name } of projects) {
    const found = await sql`
      select d.id, d.version, d.title, length(d.content) as length, d.created_by_run is not distinct from ${runId} as "isOwn",
             case when length(d.content) between 1 and case d.created_by_run when ${runId} then ${ownMax}::int else ${shortMax}::int end
                  then d.content end as text
        from onto_documents d
       where d.project_id = ${id} and d.deleted_at is null and not ${isWorkingNote("d")}
       order by d.updated_at desc, d.id limit ${listedMax + 1}`.execute(tx);
    const open = await sql`
      select t.id, t.version, t.title, t.state_key as state, t.due_at, t.created_by_run is not distinct from ${runId} as "isOwn"
        from onto_tasks t
       where t.project_id = ${id} and t.deleted_at is null and t.state_key not in ('done', 'obsolete')
       order by t.updated_at desc, t.id limit ${listedMax + 1}`.execute(tx);
    const documents = z
      .array(documentRow)
      .parse(found.rows)
      .map((each) => {
        if (each.text === null || each.text.length > room) return { ...each, text: null };
        room -= each.text.length;
        return each;
      });
    const tasks = z
      .array(taskRow)
      .parse(open.rows)
      .map(({ due_at: dueAt, ...each }) => ({
        ...each,
        dueOn: dueAt === null ? null : dayIn(timeZone, dueAt.getTime()),
      }));
    contents.push({
      id,
      name,
      documents: documents.slice(0, listedMax),
      tasks: tasks.slice(0, listedMax),
      hasMore: documents.length > listedMax || tasks.length > listedMax,
    });
  }
  return contents;
}

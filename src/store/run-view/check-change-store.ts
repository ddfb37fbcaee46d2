// How what a run is measured by has changed since it began, from its events. A fork knows what changed in the run it came from.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type CheckChange, report } from "../../domain/run/report/report-shape.ts";
import { lineage } from "./message-store.ts";

/** More than a run changes; the newest count. */
const changesMax = 100;

const rows = z.array(report.shape.check_changes.element);

/** Oldest first; without those that wait for the user. */
export async function readCheckChanges(tx: Tx, runId: string): Promise<readonly CheckChange[]> {
  const found = await sql`
    with ${lineage(runId, null)}
    select changes, why, is_approved from (
      select e.event->'changes' as changes, e.event->>'why' as why, e.event ? 'is_approved' as is_approved, e.created_at, e.seq
        from homework_run_events e join line on line.id = e.run_id
       where e.type = 'checks_changed' and not e.event ? 'is_awaiting' and (line.until is null or e.iteration <= line.until)
         and (line.until is null or e.iteration < line.until or not e.event ? 'is_approved')
       order by e.created_at desc, e.seq desc limit ${changesMax}) as newest
     order by created_at, seq`.execute(tx);
  return rows.parse(found.rows);
}

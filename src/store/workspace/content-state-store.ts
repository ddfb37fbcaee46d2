// The content of things as fingerprints: before a run first changed them, and now. Blanks, versions and times make no difference.

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import { withoutBlanks } from "../../domain/run/checks/blanks.ts";
import type { ContentState } from "../../domain/run/gate/progress.ts";
import type { RunId } from "../../domain/run/run.ts";
import { kindColumn, objectColumn, rowOf, tableOf } from "../row.ts";

/** More than an iteration writes. */
const thingsMax = 500;

export type StateOfThing = ContentState & ArtifactRef;

const stateRow = rowOf({
  id: z.string(),
  now: objectColumn,
  wasMade: z.boolean().nullable(),
  before: objectColumn.nullable(),
});

/** Things that are not there, or of kinds that are not kept, are left out. */
export async function readContentStates(
  tx: Tx,
  runId: RunId,
  artifacts: readonly ArtifactRef[],
): Promise<readonly StateOfThing[]> {
  const states: StateOfThing[] = [];
  for (const kind of kindColumn.options) {
    const ids = [...new Set(artifacts.filter((each) => each.kind === kind).map(({ id }) => id))].slice(0, thingsMax);
    if (ids.length === 0) continue;
    const { rows } = await sql`
      select e.id, to_jsonb(e) - 'search' as now, f.op = 'created' as was_made, f.before
        from ${sql.table(tableOf(kind))} e left join lateral (
          select c.op, c.before from onto_changes c where c.run_id = ${runId} and c.entity_id = e.id
           order by c.at, c.seq limit 1) f on true
       where e.id = any (${ids}::uuid[])`.execute(tx);
    for (const { id, now, wasMade, before } of z.array(stateRow).parse(rows)) {
      const after = fingerprint(kind, id, now);
      const unchanged = wasMade === null ? after : null;
      states.push({ kind, id, now: after, before: before === null ? unchanged : fingerprint(kind, id, before) });
    }
  }
  return states;
}

/** Who wrote when, and which version it is, says nothing about what stands there. */
const isVolatile = (name: string): boolean =>
  /^(?:id|version|search|props|title_grams|.*_at|.*_by|.*_by_run)$/.test(name) &&
  name !== "due_at" &&
  name !== "deleted_at";

function fingerprint(kind: string, id: string, row: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(row)
    .filter(([name]) => !isVolatile(name))
    .map(([name, value]) => [name, name === "deleted_at" ? value !== null : toVisible(value)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
  return `${kind}:${id.slice(-8)}:${hash.slice(0, 16)}`;
}

const toVisible = (value: unknown): unknown => (typeof value === "string" ? withoutBlanks(value) : value);

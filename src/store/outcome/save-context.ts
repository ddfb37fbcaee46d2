// What the tasks of an outcome know of each other: items that are new or changed are written, those that were compacted are removed.

import { statementIn, type Tx } from "../../db/database.ts";
import type { Audience, OutcomeContext } from "../../domain/homr/context/context.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { toJson } from "../json.ts";
import { findChanged } from "./find-changed.ts";

const saveItemsText = `
  insert into homr_context_items as i (id, outcome_id, kind, type, content, source_task_id, audience, details, is_tainted, created_at)
  select n.id, $1::uuid, n.kind, n.type, n.content, n."sourceTaskId", n.audience, n.details, n."isTainted",
         to_timestamp(n."atMs" / 1000.0)
    from jsonb_array_elements($2::jsonb) with ordinality as given (item, ord),
         jsonb_to_record(given.item) as n (id uuid, kind text, type text, content text, "sourceTaskId" uuid, audience uuid[], details jsonb,
           "isTainted" boolean, "atMs" float8)
   order by given.ord
  on conflict (id) do update set type = excluded.type, content = excluded.content, created_at = excluded.created_at, audience = excluded.audience, details = excluded.details,
    is_tainted = excluded.is_tainted where i.outcome_id = $1::uuid`;

const removeItemsText = "delete from homr_context_items where outcome_id = $1::uuid and id = any ($2::uuid[])";

type Row = { readonly id: string; readonly kind: string };

export async function saveContext(
  tx: Tx,
  outcomeId: OutcomeId,
  before: OutcomeContext,
  after: OutcomeContext,
): Promise<void> {
  if (before === after) return;
  const query = statementIn(tx);
  const kinds = [
    ["discovery", before.discoveries, after.discoveries],
    ["decision", before.decisions, after.decisions],
    ["constraint", before.constraints, after.constraints],
    ["injection", before.injections, after.injections],
  ] as const;
  const ids = new Set(kinds.flatMap(([, , items]) => items.map(({ id }) => id)));
  const gone = kinds.flatMap(([, items]) => items.map(({ id }) => id)).filter((id) => !ids.has(id));
  if (gone.length > 0) await query(removeItemsText, [outcomeId, gone]);
  const rows: Row[] = [
    ...findChanged(before.discoveries, after.discoveries).map((item) => ({
      ...head(item),
      kind: "discovery",
      type: item.type,
      audience: toColumn(item.audience),
      details: { resolvedAtMs: item.resolvedAtMs, memoryId: item.memoryId },
    })),
    ...findChanged(before.decisions, after.decisions).map((item) => ({
      ...head(item),
      kind: "decision",
      type: "decision",
      audience: null,
      details: { madeBy: item.madeBy, context: item.context, affectedAreas: item.affectedAreas },
    })),
    ...findChanged(before.constraints, after.constraints).map((item) => ({
      ...head(item),
      kind: "constraint",
      type: item.type,
      audience: null,
      details: { isActive: item.isActive },
    })),
    ...findChanged(before.injections, after.injections).map((item) => ({
      ...head(item),
      kind: "injection",
      type: item.type,
      audience: toColumn(item.audience),
      details: { priority: item.priority, reason: item.reason },
    })),
  ];
  if (rows.length > 0) await query(saveItemsText, [outcomeId, toJson(rows)]);
}

const toColumn = (audience: Audience) => (audience === "every" ? null : audience);

const head = ({
  id,
  content,
  sourceTaskId,
  atMs,
  isTainted,
}:
  | OutcomeContext["decisions"][number]
  | OutcomeContext["injections"][number]
  | OutcomeContext["constraints"][number]
  | OutcomeContext["discoveries"][number]) => ({
  id,
  content,
  sourceTaskId,
  atMs,
  isTainted,
});

// Turns: pieces of HOMЯ's own work with models. Taking one raises its fence; what earlier takers asked is in its journal, and
// calls whose answers were lost with them are charged. The outcome's row is locked before a turn's.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import type { TakenTurn, TurnKind } from "../../outcomes/ports/outcome-store.ts";
import type { HomrLease } from "../../runs/ports/run-store.ts";
import { readJournal } from "../journal/journal-store.ts";
import { giveUpTurnCalls } from "../journal/lost-call-store.ts";
import { whole } from "../row.ts";

const turnRow = z.object({ turn: whole, fence: whole });

/** Null: it is done already. */
export async function takeTurn(
  tx: Tx,
  { id: outcomeId, userId }: Outcome,
  kind: TurnKind,
  about: string,
): Promise<TakenTurn | null> {
  const { rows } = await sql`
    insert into homr_turns as t (outcome_id, turn, kind, about, state, fence)
    select ${outcomeId}, coalesce(max(n.turn), 0) + 1, ${kind}, ${about}, 'running', 1 from homr_turns n where n.outcome_id = ${outcomeId}
    on conflict (outcome_id, kind, about) do update set fence = t.fence + 1 where t.state = 'running'
    returning t.turn, t.fence`.execute(tx);
  if (rows.length === 0) return null;
  const { turn, fence } = turnRow.parse(rows[0]);
  const lease: HomrLease = { outcomeId, userId, turn, fence };
  if (fence === 1) return { lease, journal: [] };
  await giveUpTurnCalls(tx, lease);
  return { lease, journal: await readJournal(tx, { outcome_id: outcomeId, turn }) };
}

/** False: another worker has it now. */
export async function endTurn(
  tx: Tx,
  { outcomeId, turn, fence }: HomrLease,
  state: "done" | "failed",
): Promise<boolean> {
  const { rows } = await sql`update homr_turns set state = ${state}, ended_at = run_now()
    where outcome_id = ${outcomeId} and turn = ${turn} and fence = ${fence} and state = 'running' returning turn`.execute(
    tx,
  );
  return rows.length === 1;
}

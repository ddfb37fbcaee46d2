// What the user is told of a move of a run, and its delivery in the outbox. Of what the user does not want to hear it is kept as
// read.

import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { RunId } from "../domain/run/run.ts";
import type { Notification } from "../runs/ports.ts";
import { toJson } from "./json.ts";

/** After the run is saved: its moves number the notifications. */
export async function insertNotification(tx: Tx, runId: RunId, notification: Notification): Promise<void> {
  await sql`
    with notification as (
      insert into user_notifications (id, user_id, run_id, move, event, title, message, action_url, data, read_at)
      select gen_random_uuid(), r.user_id, r.id, r.moves, n->>'event', n->>'title', n->>'message', n->>'actionUrl',
             jsonb_build_object('run_id', r.id, 'status', r.status, 'duration_ms', r.running_ms, 'iterations', r.iteration,
               'tokens', r.tokens, 'cost_micro_usd', r.cost_micro_usd,
               'cost_usd', trim_scale(r.cost_micro_usd / 1000000.0)),
             case when exists (select from user_notification_preferences p where p.user_id = r.user_id
               and p.event = n->>'event' and not p.in_app) then run_now() end
        from homework_runs r, (select ${toJson(notification)}::jsonb as n) as told where r.id = ${runId}
      returning id
    )
    insert into notification_outbox (notification_id, channel) select id, 'in_app' from notification`.execute(tx);
}

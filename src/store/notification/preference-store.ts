// Which events a user wants to be told of, and where. Read in the user's name, written by the platform. An unset choice is
// the default: told in every way. Honoured where notifications are written (notification-store.ts).

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { notifiedEvents } from "../../domain/notification.ts";
import { rowOf } from "../row.ts";

/** `inApp` false: it comes as one that was read already. */
const preferenceRow = rowOf({ event: z.enum(notifiedEvents), inApp: z.boolean(), browser: z.boolean() });
export type Preference = z.infer<typeof preferenceRow>;

/** One for every event. */
export async function listPreferences(tx: Tx, userId: UserId): Promise<readonly Preference[]> {
  const { rows } = await sql`
    select event, in_app, browser from user_notification_preferences where user_id = ${userId}`.execute(tx);
  const chosen = z.array(preferenceRow).parse(rows);
  return notifiedEvents.map(
    (event) => chosen.find((each) => each.event === event) ?? { event, inApp: true, browser: true },
  );
}

/** As the platform. Those that are not given stay as they are. */
export async function savePreferences(tx: Tx, userId: UserId, preferences: readonly Preference[]): Promise<void> {
  for (const { event, inApp, browser } of preferences)
    await sql`insert into user_notification_preferences (user_id, event, in_app, browser)
      values (${userId}, ${event}, ${inApp}, ${browser})
      on conflict (user_id, event) do update set in_app = excluded.in_app, browser = excluded.browser`.execute(tx);
}

/** As the platform, part of a statement: whether the user does not want to hear of this event in this way. */
export const isRefused = (userId: UserId, event: string, way: "in_app" | "browser") =>
  sql<boolean>`exists (select from user_notification_preferences p
    where p.user_id = ${userId} and p.event = ${event} and not p.${sql.ref(way)})`;

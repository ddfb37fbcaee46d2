// What a user was told. Reading it is theirs; marking it as read is written by the platform, and told to their other pages.

import { asPlatform, type Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { routes } from "../../protocol/api.ts";
import { appendToFeed, lockFeed } from "../../store/feed-store.ts";
import { countUnread, findNotification, listNotifications, markRead } from "../../store/notification-store.ts";
import { listPreferences, type Preference, savePreferences } from "../../store/preference-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { toWireNotification } from "../run-wire.ts";
import { foundOrThrow, toWirePage } from "../wire.ts";

export function mountNotificationRoutes(deps: MountDeps): void {
  mountUser(deps, routes.runs.listNotifications, async ({ tx, actor, query }) => ({
    ...toWirePage(await listNotifications(tx, query), toWireNotification),
    unread_count: await countUnread(tx, actor.userId),
  }));

  mountUser(deps, routes.runs.readNotification, async ({ tx, actor, params }) => {
    const find = async () => foundOrThrow(await findNotification(tx, params.notificationId), "notification");
    await find();
    await read(tx, actor.userId, params.notificationId);
    return toWireNotification(await find());
  });

  mountUser(deps, routes.runs.notificationPreferences, async ({ tx, actor }) => ({
    preferences: (await listPreferences(tx, actor.userId)).map(toWirePreference),
  }));

  mountUser(deps, routes.runs.setNotificationPreferences, async ({ tx, actor, body }) => {
    const chosen = body.preferences.map(({ event, in_app: inApp, browser }) => ({ event, inApp, browser }));
    await asPlatform(tx, (platform) => savePreferences(platform, actor.userId, chosen));
    return { preferences: (await listPreferences(tx, actor.userId)).map(toWirePreference) };
  });

  mountUser(deps, routes.runs.readAllNotifications, async ({ tx, actor }) => ({
    read: await read(tx, actor.userId, null),
  }));
}

const toWirePreference = ({ event, inApp, browser }: Preference) => ({ event, in_app: inApp, browser });

/** One, or all with null. What was read before is no news. */
function read(tx: Tx, userId: UserId, id: string | null): Promise<number> {
  return asPlatform(tx, async (platform) => {
    await lockFeed(platform, userId);
    const marked = await markRead(platform, userId, id);
    const data = { notification_id: id, unread_count: await countUnread(platform, userId) };
    if (marked > 0) await appendToFeed(platform, userId, "notification_read", data);
    return marked;
  });
}

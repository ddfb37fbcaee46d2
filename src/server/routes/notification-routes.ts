// What a user was told. Reading it is theirs; marking it as read is written by the platform, and told to their other pages.

import { asPlatform, type Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { routes } from "../../protocol/api.ts";
import {
  countUnread,
  findNotification,
  listNotifications,
  markRead,
  type Which,
} from "../../store/notification/notification-store.ts";
import { listPreferences, type Preference, savePreferences } from "../../store/notification/preference-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { toWireListedNotification, toWireNotification } from "../run-wire.ts";
import { foundOrThrow, fromWire, toWirePage } from "../wire.ts";

export function mountNotificationRoutes(deps: MountDeps): void {
  mountUser(deps, routes.notifications.list, async ({ tx, actor, query }) => ({
    ...toWirePage(await listNotifications(tx, query), toWireListedNotification),
    unread_count: await countUnread(tx, actor.userId),
  }));

  mountUser(deps, routes.notifications.read, async ({ tx, actor, params }) => {
    const find = async () => foundOrThrow(await findNotification(tx, params.notificationId), "notification");
    await find();
    await read(tx, actor.userId, { id: params.notificationId });
    return toWireNotification(await find());
  });

  mountUser(deps, routes.notifications.visit, async ({ tx, actor, body }) => ({
    read: await read(tx, actor.userId, { visited: body.path }),
  }));

  mountUser(deps, routes.notifications.preferences, async ({ tx, actor }) => ({
    preferences: (await listPreferences(tx, actor.userId)).map(toWirePreference),
  }));

  mountUser(deps, routes.notifications.setPreferences, async ({ tx, actor, body }) => {
    await asPlatform(tx, (platform) => savePreferences(platform, actor.userId, body.preferences.map(fromWire)));
    return { preferences: (await listPreferences(tx, actor.userId)).map(toWirePreference) };
  });

  mountUser(deps, routes.notifications.readAll, async ({ tx, actor }) => ({
    read: await read(tx, actor.userId, null),
  }));
}

const toWirePreference = ({ event, inApp, browser }: Preference) => ({ event, in_app: inApp, browser });

const read = (tx: Tx, userId: UserId, which: Which): Promise<number> =>
  asPlatform(tx, (platform) => markRead(platform, userId, which));

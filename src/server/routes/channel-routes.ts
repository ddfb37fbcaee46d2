// One's channels. Reading them is their user's; they are written by the platform, since a channel carries what the user may see to the
// outside. Secrets are answered once and never again.

import { asPlatform, type Tx } from "../../db/database.ts";
import { type Channel, type ChannelId, channelsMax, usualEvents } from "../../domain/channel/channel.ts";
import type { AuditAction } from "../../domain/identity/audit.ts";
import type { Actor, UserId } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { ChannelsPort } from "../../notify/channels-port.ts";
import { codeMinutes, hashCode, newCode } from "../../notify/telegram/link-code.ts";
import { newSecret } from "../../notify/webhook/sign.ts";
import { routes } from "../../protocol/api.ts";
import { channelDelivery } from "../../protocol/routes/channels.ts";
import {
  deleteChannel,
  findChannel,
  insertChannel,
  keepSecret,
  listChannels,
  updateChannel,
} from "../../store/channel/channel-store.ts";
import type { DeliveryJobs } from "../../store/channel/delivery-jobs.ts";
import { findDelivery, listDeliveries } from "../../store/channel/delivery-store.ts";
import { planTest } from "../../store/channel/plan-deliveries.ts";
import { findBot, keepCode } from "../../store/channel/telegram-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { foundOrThrow, fromWire, toWirePage, wireOf } from "../wire.ts";

export type ChannelDeps = MountDeps & { readonly channels: ChannelsPort; readonly jobs: DeliveryJobs };

/** How long the secret before signs as well. */
const rotationHours = 24;

const toWireDelivery = wireOf(channelDelivery);

const toWireChannel = ({ id, name, events, isOn, offReason, target, createdAt }: Channel) => ({
  id,
  kind: target.kind,
  name,
  events: [...events],
  is_on: isOn,
  off_reason: offReason,
  url: target.kind === "webhook" ? target.url : null,
  created_at: createdAt,
});

export function mountChannelRoutes(deps: ChannelDeps): void {
  mountUser(deps, routes.channels.list, async ({ tx, actor }) => ({
    channels: (await listChannels(tx, actor.userId)).map(toWireChannel),
    telegram: await showTelegram(deps, tx),
  }));

  mountUser(deps, routes.channels.deliveries, async ({ tx, actor, params, query }) => {
    const { id } = await own(tx, actor.userId, params.channelId);
    return toWirePage(await listDeliveries(tx, id, query), toWireDelivery);
  });

  mountUser(deps, routes.channels.test, async ({ tx, actor, params }) => {
    const channel = await own(tx, actor.userId, params.channelId);
    if (!channel.isOn) throw new AppError("wrong_status", "The channel is off: switch it on to test it");
    const id = await asPlatform(tx, (platform) => planTest(platform, deps.jobs, channel.id));
    return toWireDelivery(foundOrThrow(await findDelivery(tx, id), "delivery"));
  });

  mountAdding(deps);
  mountChanging(deps);
}

async function showTelegram({ channels: { botId } }: ChannelDeps, tx: Tx) {
  if (botId === null) return null;
  const bot = await asPlatform(tx, (platform) => findBot(platform, botId));
  return { username: bot?.username ?? null, problem: bot?.lastError ?? null };
}

function mountAdding(deps: ChannelDeps): void {
  mountUser(deps, routes.channels.addWebhook, async ({ tx, actor, body }) => {
    refuseUrl(deps, body.url);
    const id = deps.env.newId() as ChannelId;
    const secret = newSecret();
    await refuseMore(tx, actor.userId);
    const { name, url, events = usualEvents } = body;
    await asPlatform(tx, async (platform) => {
      await insertChannel(platform, { id, userId: actor.userId, name, events, target: { kind: "webhook", url } });
      await keepSecret(platform, id, secret, rotationHours);
    });
    const channel = await own(tx, actor.userId, id);
    await audit(tx, actor, "channel_added", id);
    return { channel: toWireChannel(channel), secret };
  });

  mountUser(deps, routes.channels.linkTelegram, async ({ tx, actor }) => {
    const { botId } = deps.channels;
    if (botId === null)
      throw new AppError("unprocessable", "This installation has no Telegram bot: set telegram_bot_token");
    await refuseMore(tx, actor.userId);
    const code = newCode();
    const { bot, expiresAt } = await asPlatform(tx, async (platform) => ({
      bot: await findBot(platform, botId),
      expiresAt: await keepCode(platform, actor.userId, hashCode(code), codeMinutes),
    }));
    const username = bot?.username ?? null;
    const url = username === null ? null : `https://t.me/${username}?start=${code}`;
    return { code, url, username, expires_at: expiresAt };
  });
}

function mountChanging(deps: ChannelDeps): void {
  mountUser(deps, routes.channels.update, async ({ tx, actor, params, body }) => {
    const { id, target } = await own(tx, actor.userId, params.channelId);
    if (body.url !== undefined) {
      if (target.kind !== "webhook") throw new AppError("invalid_request", "body.url: only a webhook has an address");
      refuseUrl(deps, body.url);
    }
    await asPlatform(tx, (platform) => updateChannel(platform, id, fromWire(body)));
    await audit(tx, actor, "channel_changed", id);
    return toWireChannel(await own(tx, actor.userId, id));
  });

  mountUser(deps, routes.channels.rotateSecret, async ({ tx, actor, params }) => {
    const { id, target } = await own(tx, actor.userId, params.channelId);
    if (target.kind !== "webhook") throw new AppError("unprocessable", "Only a webhook has a secret");
    const secret = newSecret();
    await asPlatform(tx, (platform) => keepSecret(platform, id, secret, rotationHours));
    await audit(tx, actor, "channel_changed", id);
    return { secret, previous_ends_in_hours: rotationHours };
  });

  mountUser(deps, routes.channels.remove, async ({ tx, actor, params }) => {
    const { id } = await own(tx, actor.userId, params.channelId);
    await asPlatform(tx, (platform) => deleteChannel(platform, id));
    await audit(tx, actor, "channel_removed", id);
    return { ok: true as const };
  });
}

const own = async (tx: Tx, userId: UserId, id: string): Promise<Channel> =>
  foundOrThrow(await findChannel(tx, userId, id), "channel");

const audit = (tx: Tx, { userId: actorId }: Actor, action: AuditAction, id: ChannelId): Promise<void> =>
  writeAudit(tx, { actorId, action, target: `channel:${id}` });

function refuseUrl({ channels }: ChannelDeps, url: string): void {
  const problem = channels.judgeUrl(url);
  if (problem !== null) throw new AppError("invalid_request", `body.url: ${problem}`);
}

async function refuseMore(tx: Tx, userId: UserId): Promise<void> {
  const { length } = await listChannels(tx, userId);
  if (length >= channelsMax)
    throw new AppError("unprocessable", `${channelsMax} channels are the most: remove one first`);
}

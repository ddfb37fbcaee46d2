// The handler of deliveries through channels: one try per job. What it came to, and the job of the next try, are one transaction. A
// worker that dies between sending and this leaves the job to another one: the receiver gets it again, with the same id.

import { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import { readAsked } from "../domain/channel/asked.ts";
import type { DeliveryId } from "../domain/channel/channel.ts";
import { waitBeforeNextTry } from "../domain/channel/retry.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { type Answerables, findAnswerable } from "../notify/answerable.ts";
import type { Senders, Sent } from "../notify/send.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import type { JobQueue, QueuedJob } from "../queue/job-queue.ts";
import { secretsOf, switchOff } from "../store/channel/channel-store.ts";
import { deliveryJob } from "../store/channel/delivery-jobs.ts";
import {
  beginDelivery,
  type DueDelivery,
  type SettledDelivery,
  settleDelivery,
} from "../store/channel/delivery-store.ts";
import { tellUser } from "../store/notification/notification-store.ts";

export type DeliverDeps = {
  readonly db: Database;
  readonly queue: Pick<JobQueue, "enqueue" | "complete">;
  readonly senders: Senders;
  readonly answerables: Answerables;
  readonly env: Env;
  readonly logger: Logger;
};

/** A receiver that is slow keeps few others waiting. */
const concurrency = 8;

const jobData = z.object({ delivery_id: z.string() });

export function deliverHandler(deps: DeliverDeps): KindHandler {
  return { concurrency, handle: (job, signal) => deliver(deps, job, signal) };
}

type Begun = { readonly delivery: DueDelivery; readonly secrets: readonly string[]; readonly pointless: string | null };

async function deliver(deps: DeliverDeps, job: QueuedJob, signal: AbortSignal): Promise<void> {
  const { db, queue, senders } = deps;
  const id = jobData.parse(job.data).delivery_id as DeliveryId;
  const begun = await db.asSystem((tx) => begin(deps, tx, id));
  if (begun === null) {
    await db.asSystem((tx) => queue.complete(tx, job)); // Settled before, or its channel is gone.
    return;
  }
  const { delivery, pointless } = begun;
  const send = senders[delivery.channel.target.kind];
  if (pointless !== null) return settle(deps, job, delivery, { ...nothing, state: "dropped", error: pointless });
  if (send === undefined) return settle(deps, job, delivery, toSettled(deps, delivery, notConfigured));
  const sent = await send(begun, signal);
  await settle(deps, job, delivery, toSettled(deps, delivery, sent), sent);
}

const notConfigured: Sent = { kind: "failed", why: "Telegram is not set up here", status: null, afterMs: null };

async function begin({ answerables }: DeliverDeps, tx: Tx, id: DeliveryId): Promise<Begun | null> {
  const delivery = await beginDelivery(tx, id);
  if (delivery === null) return null;
  return {
    delivery,
    secrets: await secretsOf(tx, delivery.channel.id),
    pointless: await whyPointless(answerables, tx, delivery),
  };
}

/** A person is not asked what they have answered; a program is told of everything. */
async function whyPointless(
  answerables: Answerables,
  tx: Tx,
  { channel, payload }: DueDelivery,
): Promise<string | null> {
  if (!channel.isOn) return "The channel is switched off";
  if (channel.target.kind === "webhook" || readAsked(payload.data).length === 0) return null;
  const asks = findAnswerable(answerables, payload.about);
  if (asks === null || (await asks.of.isOpen(tx, asks.id, channel.userId))) return null;
  return "The question was answered before the message was sent";
}

const nothing = { status: null, error: null, nextAtMs: null, messageId: null } as const;

function toSettled({ env }: DeliverDeps, { attempts }: DueDelivery, sent: Sent): SettledDelivery {
  const { status } = sent;
  if (sent.kind === "delivered") return { ...nothing, state: "delivered", status, messageId: sent.messageId };
  const failed = { ...nothing, status, error: sent.why };
  const waitMs = sent.kind === "failed" ? waitBeforeNextTry(attempts, sent.afterMs) : null;
  if (waitMs === null) return { ...failed, state: "given_up" };
  return { ...failed, state: "pending", nextAtMs: env.now() + waitMs };
}

/** Nothing is written where another worker has the job by now. */
async function settle(
  { db, queue, logger }: DeliverDeps,
  job: QueuedJob,
  delivery: DueDelivery,
  settled: SettledDelivery,
  sent?: Sent,
): Promise<void> {
  const { id, channel } = delivery;
  if (settled.error !== null) logger.warn({ delivery: id, why: settled.error, state: settled.state }, "not delivered");
  await db.asSystem(async (tx) => {
    if (!(await queue.complete(tx, job))) return;
    if (sent?.kind === "gone") await switchOff(tx, channel.id, sent.why);
    await settleDelivery(tx, id, settled);
    if (settled.nextAtMs !== null) await queue.enqueue(tx, deliveryJob(id, settled.nextAtMs));
    if (settled.state === "given_up") await tellUser(tx, queue, tellGivenUp(delivery, settled, sent?.kind === "gone"));
  });
}

/** In the bell, where it still works. Channels are told of no such event, so this leads to no other delivery. */
function tellGivenUp({ channel, payload }: DueDelivery, { error }: SettledDelivery, isOff: boolean) {
  const what = channel.target.kind === "webhook" ? "Webhook" : "Telegram chat";
  const title = isOff ? `${what} switched off` : `${what} could not be reached`;
  return {
    userId: channel.userId,
    about: `channel:${channel.id}`,
    event: "channel_failed",
    title,
    message: `“${channel.name}” did not get “${payload.title}”. ${error ?? ""}`.trim(),
    actionUrl: "/settings/channels",
    data: { channel_id: channel.id },
  };
}

// Channels on a real database with the real queue: people with channels, notifications told to them, and workers that deliver.

import { fromKysely, PgBoss } from "pg-boss";
import { afterAll, expect } from "vitest";
import type { Channel, ChannelId, ChannelTarget } from "../../src/domain/channel/channel.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Notification } from "../../src/domain/notification.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { deliverHandler } from "../../src/loop/deliver-handler.ts";
import { startWorker, type Worker } from "../../src/loop/worker.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Answerables } from "../../src/notify/answerable.ts";
import type { Send, Senders } from "../../src/notify/send.ts";
import { insertChannel, keepSecret } from "../../src/store/channel/channel-store.ts";
import { tellUser } from "../../src/store/notification/notification-store.ts";
import { type RunWorld, runWorld } from "./run-world.ts";

export type DeliveryState = {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly waitMs: number;
};

export type ChannelWorld = RunWorld & {
  readonly addChannel: (
    userId: UserId,
    over?: Partial<Pick<Channel, "events" | "target" | "name">>,
  ) => Promise<ChannelId>;
  readonly tell: (userId: UserId, over?: Partial<Notification>) => Promise<void>;
  readonly deliveries: (channelId: ChannelId) => Promise<readonly DeliveryState[]>;
  /** Once no try is under way: as if the wait of every delivery were over. */
  readonly hurry: () => Promise<void>;
  /** Closed for you. */
  readonly deliver: (send: Send | Senders, answerables?: Answerables) => Worker;
};

const webhookTo = (url = "https://hook.example/x"): ChannelTarget => ({ kind: "webhook", url });

export async function channelWorld(): Promise<ChannelWorld> {
  const world = await runWorld();
  const { admin, db, queue } = world;
  const boss = new PgBoss({ db: fromKysely(db.system), schema: "homework_queue", migrate: false });
  const open = new Set<Worker>();
  afterAll(async () => {
    for (const worker of open) await worker.close(0);
  });
  return {
    ...world,
    addChannel: async (userId, over = {}) => {
      const id = realEnv.newId() as ChannelId;
      const boring = { name: "Hook", events: ["completed", "waiting_on_user"] as const, target: webhookTo() };
      await db.asSystem(async (tx) => {
        await insertChannel(tx, { id, userId, ...boring, ...over });
        await keepSecret(tx, id, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 24);
      });
      return id;
    },
    tell: (userId, over = {}) => db.asSystem((tx) => tellUser(tx, queue, { ...boringNotification(userId), ...over })),
    deliveries: async (channelId) => {
      const { rows } = await admin.query<DeliveryState>(
        `select id, state, attempts, last_error as error, round(1000 * extract(epoch from next_at - now()))::int as "waitMs"
           from homework.channel_deliveries where channel_id = $1 order by created_at, id`,
        [channelId],
      );
      return rows;
    },
    hurry: async () => {
      const active = "select from homework.open_jobs where queue = 'homework_deliver' and is_active";
      await expect.poll(async () => (await admin.query(active)).rowCount).toBe(0);
      const waiting = "select id from homework.open_jobs where queue = 'homework_deliver'";
      for (const { id } of (await admin.query<{ id: string }>(waiting)).rows)
        await boss.update("homework_deliver", undefined, { id, startAfter: new Date(0) });
      await admin.query("select pg_notify('homework_jobs', 'deliver')");
    },
    deliver: (send, answerables = {}) => {
      const senders: Senders = typeof send === "function" ? { webhook: send, telegram: send } : send;
      const handler = deliverHandler({ db, queue, senders, answerables, env: realEnv, logger: silentLogger });
      const worker = startWorker({ db, queue, handlers: { deliver: handler }, env: realEnv, logger: silentLogger });
      open.add(worker);
      return {
        close: async (graceMs) => {
          open.delete(worker);
          await worker.close(graceMs);
        },
      };
    },
  };
}

const boringNotification = (userId: UserId): Notification => ({
  userId,
  about: `thing:${realEnv.newId()}`,
  event: "completed",
  title: "Homework complete",
  message: "It is done",
  actionUrl: "/homework",
  data: {},
});

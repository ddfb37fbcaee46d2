// A channel: a further way in which notifications reach their user, outside of the pages. A webhook is a program of theirs, a Telegram
// chat can answer as well.

import type { Brand } from "../../lib/brand.ts";
import type { UserId } from "../identity/identity.ts";
import { notifiedEvents } from "../notification.ts";

export type ChannelId = Brand<string, "ChannelId">;
export type DeliveryId = Brand<string, "DeliveryId">;

export const channelKinds = ["webhook", "telegram"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** What one can be told of through a channel. */
export const channelEvents = notifiedEvents;
export type ChannelEvent = (typeof channelEvents)[number];

/** Something that waits for them, or that has ended: what people want to know where they are. */
export const usualEvents = [
  "waiting_on_user",
  "completed",
  "stopped",
  "failed",
  "escalation",
  "outcome_achieved",
  "outcome_stopped",
] as const satisfies readonly ChannelEvent[];

/** The event of a delivery by which a user tries a channel out. */
export const testEvent = "test";

export type ChannelTarget =
  | { readonly kind: "webhook"; readonly url: string }
  | { readonly kind: "telegram"; readonly botId: number; readonly chatId: number };

export type Channel = {
  readonly id: ChannelId;
  readonly userId: UserId;
  readonly name: string;
  readonly events: readonly ChannelEvent[];
  readonly isOn: boolean;
  /** Why the platform switched it off. */
  readonly offReason: string | null;
  readonly target: ChannelTarget;
  readonly createdAt: string;
};

/** `dropped`: there was no longer a reason to send it. */
export const deliveryStates = ["pending", "delivered", "given_up", "dropped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** More are a mistake: each of them is called for every notification. */
export const channelsMax = 20;
export const channelNameMax = 100;
export const channelUrlMax = 2_000;

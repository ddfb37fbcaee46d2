// What a try at a delivery comes to, whichever channel it went through, and what sending needs.

import type { ChannelKind } from "../domain/channel/channel.ts";
import type { DueDelivery } from "../store/channel/delivery-store.ts";

export type Sent =
  | { readonly kind: "delivered"; readonly status: number | null; readonly messageId: number | null }
  /** Tried again later; `afterMs`: as the receiver asks. */
  | { readonly kind: "failed"; readonly why: string; readonly status: number | null; readonly afterMs: number | null }
  /** The receiver will never take this one. */
  | { readonly kind: "refused"; readonly why: string; readonly status: number | null }
  /** The receiver wants nothing any more: the channel is switched off. */
  | { readonly kind: "gone"; readonly why: string; readonly status: number | null };

/** `secrets`: what webhooks are signed with, the newest first. */
export type SendRequest = { readonly delivery: DueDelivery; readonly secrets: readonly string[] };

export type Send = (request: SendRequest, signal: AbortSignal) => Promise<Sent>;

/** By kind of channel. A kind that this process cannot send to is missing. */
export type Senders = Partial<Readonly<Record<ChannelKind, Send>>>;

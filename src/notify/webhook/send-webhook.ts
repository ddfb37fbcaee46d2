// Sends a delivery to a webhook: one signed POST. Any 2xx is a yes; 410 switches the webhook off; everything else is tried again.

import { readRetryAfter } from "../../domain/channel/retry.ts";
import { assert } from "../../lib/assert.ts";
import type { DueDelivery } from "../../store/channel/delivery-store.ts";
import type { Send, Sent } from "../send.ts";
import { signWebhook } from "./sign.ts";

export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: "failed"; readonly why: string };

/** One POST that follows nothing and reaches only what it may. */
export type Post = (
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<Posted>;

export type WebhookSettings = {
  readonly post: Post;
  readonly now: () => number;
  /** Where people reach this installation, for links. */
  readonly origin: string;
};

export const webhookSender =
  ({ post, now, origin }: WebhookSettings): Send =>
  async ({ delivery, secrets }, signal) => {
    const { target } = delivery.channel;
    assert(target.kind === "webhook", "a webhook is sent to an address");
    const body = writeBody(delivery, origin);
    const headers = { "content-type": "application/json", ...signWebhook(delivery.id, now(), body, secrets) };
    return judgeAnswer(await post(target.url, { headers, body }, signal), now());
  };

/** The form that the specification recommends: what happened, when, and its facts. */
function writeBody({ event, payload }: DueDelivery, origin: string): string {
  const { about, title, message, actionUrl, data, at } = payload;
  const [thing = ""] = about.split(":", 1);
  const facts = { about, title, message, url: `${origin}${actionUrl}`, details: data };
  return JSON.stringify({ type: nameType(thing, event), timestamp: at, data: facts });
}

/** `run.completed`, `outcome.achieved`; an escalation is nothing but a question, so it was asked. */
const nameType = (thing: string, event: string): string =>
  `${thing}.${event === thing ? "asked" : event.replace(`${thing}_`, "")}`;

const gone = 410;

function judgeAnswer(posted: Posted, nowMs: number): Sent {
  if (posted.kind === "failed") return { kind: "failed", why: posted.why, status: null, afterMs: null };
  const { status, retryAfter } = posted;
  if (status >= 200 && status <= 299) return { kind: "delivered", status, messageId: null };
  const why = `The receiver answered with HTTP status ${status}`;
  if (status === gone) return { kind: "gone", why: `${why}: it wants no more`, status };
  return { kind: "failed", why, status, afterMs: readRetryAfter(retryAfter, nowMs) };
}

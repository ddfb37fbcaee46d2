// Signatures of webhooks after the Standard Webhooks specification (https://www.standardwebhooks.com): version 1, HMAC-SHA256 over
// `id.timestamp.body`. While a secret is replaced, both of them sign, so that the receiver can change at its own time.

import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
/** The specification asks for 24 to 64. */
const secretBytes = 32;

export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`;

export type SignedHeaders = {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
};

/** `secrets`: the newest first. */
export function signWebhook(id: string, nowMs: number, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => `v1,${signOnce(secret, `${id}.${timestamp}.${body}`)}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

const signOnce = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(content)
    .digest("base64");

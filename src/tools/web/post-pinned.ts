// One POST to an address on the internet, judged like the addresses of pages: its name is resolved once, and what it says is connected
// to. Redirects are not followed, and of the answer only status and `Retry-After` are looked at.

import { type Dial, pinAddresses } from "./dial.ts";
import { inTime } from "./fetch-page.ts";
import type { WebLimits } from "./limits.ts";
import { HopFailed, respond } from "./request-pinned.ts";

export type PostedAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: "failed"; readonly why: string };

export type PostRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type PostLimits = Pick<WebLimits, "resolveMs" | "connectMs" | "firstByteMs" | "totalMs">;

/** A receiver has to say yes at once and work afterwards. */
export const postLimits: PostLimits = { resolveMs: 5_000, connectMs: 5_000, firstByteMs: 15_000, totalMs: 25_000 };

export async function postPinned(
  dial: Dial,
  address: string,
  { headers, body }: PostRequest,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<PostedAnswer> {
  const url = new URL(address);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
  const pinned = await inTime(pinAddresses(dial, host, port), limits.resolveMs, deadline);
  signal.throwIfAborted();
  if (pinned === "late") return failed("The receiver's name could not be resolved in time");
  if (pinned.kind === "unknown_host") return failed("There is no server of that name");
  if (pinned.kind === "not_public") return failed("The address is not a public one of the internet");
  const length = String(Buffer.byteLength(body));
  const sent = { "user-agent": "Homework/1.0 (webhook)", ...headers, "content-length": length };
  try {
    const response = await respond(url, pinned.addresses, { method: "POST", headers: sent, body }, limits, deadline);
    response.destroy();
    return { kind: "answered", status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof HopFailed) return failed(`The receiver could not be reached: ${thrown.message}`);
    throw thrown;
  }
}

const failed = (why: string): PostedAnswer => ({ kind: "failed", why });

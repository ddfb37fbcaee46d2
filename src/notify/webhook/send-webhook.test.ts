import { expect, test } from "vitest";
import type { DueDelivery } from "../../store/channel/delivery-store.ts";
import { type Post, webhookSender } from "./send-webhook.ts";

async function typeFor(about: string, event: string): Promise<string> {
  let type = "";
  const post: Post = async (_url, { body }) => {
    type = JSON.parse(body).type;
    return { kind: "answered", status: 200, retryAfter: null };
  };
  const payload = { about, title: "t", message: "m", actionUrl: "/x", data: {}, at: "2026-01-01T00:00:00.000Z" };
  const channel = { target: { kind: "webhook", url: "https://hooks.example" } };
  const delivery = { id: "d1", event, payload, channel } as unknown as DueDelivery;
  const send = webhookSender({ post, now: () => 0, origin: "https://homework.example" });
  await send({ delivery, secrets: ["whsec_c2VjcmV0"] } as never, new AbortController().signal);
  return type;
}

test.each([
  ["run:1", "completed", "run.completed"],
  ["run:1", "waiting_on_user", "run.waiting_on_user"],
  ["outcome:1", "outcome_achieved", "outcome.achieved"],
  ["outcome:1", "outcome_stopped", "outcome.stopped"],
  ["escalation:1", "escalation", "escalation.asked"],
])("%s, %s is told as %s", async (about, event, type) => expect(await typeFor(about, event)).toBe(type));

import { expect, test } from "vitest";
import type { Env } from "../lib/env.ts";
import { routes } from "./api.ts";
import { createFollow } from "./follow.ts";

const event = (seq: number) => `id: ${seq}\nevent: change\ndata: {"seq":${seq}}\n\n`;
const noWait: Pick<Env, "sleep" | "random"> = { sleep: async () => {}, random: () => 0 };

/** A server that answers each connection with the next of these: bytes and then an end or a break, or an error. */
function server(...answers: readonly (() => Response)[]) {
  const asked: (string | null)[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get("last-event-id"));
    const answer = answers[asked.length - 1];
    if (!answer) throw new TypeError("fetch failed");
    return answer();
  };
  return { asked, follow: createFollow({ baseUrl: "http://server.test", fetch }, noWait) };
}

const streaming =
  (text: string, ending: "ends" | "breaks" = "ends") =>
  () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      pull: (controller) => (ending === "ends" ? controller.close() : controller.error(new TypeError("terminated"))),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };

const refusing = (status: number, code: string) => () =>
  Response.json({ error: { code, message: "no", details: {} } }, { status });

const input = { params: { projectId: "p" }, query: {} };

/** Follows until this many events have come. */
async function take({ follow }: ReturnType<typeof server>, count: number, after?: number): Promise<readonly number[]> {
  const stop = new AbortController();
  const seqs: number[] = [];
  const options = { signal: stop.signal, ...(after === undefined ? {} : { after }) };
  for await (const { seq } of follow(routes.projects.stream, input, options)) {
    seqs.push(seq);
    if (seqs.length === count) stop.abort();
  }
  return seqs;
}

test("comes back after an end and asks for what follows", async () => {
  const from = server(streaming(event(4) + event(5)), streaming(event(6)));
  expect(await take(from, 3, 3)).toEqual([4, 5, 6]);
  expect(from.asked).toEqual(["3", "5"]);
});

test("comes back after a break in the middle of an event and gets it whole", async () => {
  const from = server(streaming(event(1) + event(2).slice(0, 9), "breaks"), streaming(event(2)));
  expect(await take(from, 2)).toEqual([1, 2]);
  expect(from.asked).toEqual([null, "1"]);
});

test.each([
  [503, "shutting_down"],
  [429, "rate_limited"],
])("waits out a %i", async (status, code) => {
  expect(await take(server(refusing(status, code), streaming(event(1))), 1)).toEqual([1]);
});

test.each([
  [401, "not_signed_in"],
  [404, "not_found"],
])("gives up on a %i", async (status, code) => {
  await expect(take(server(refusing(status, code)), 1)).rejects.toMatchObject({ status, code });
});

test("comments and retry lines are no events", async () => {
  expect(await take(server(streaming(`retry: 100\n\n: alive\n\n${event(7)}`)), 1)).toEqual([7]);
});

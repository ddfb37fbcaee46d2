import { expect, test } from "vitest";
import type { Instant } from "../lib/env.ts";
import { createLimiter, type Entered, type Limiter, waitMaxMs } from "./limiter.ts";

/** Time moves only while someone sleeps. */
function limiterOf(concurrency: number): { limiter: Limiter; now: () => number } {
  let nowMs = 1_000_000;
  const env = {
    now: () => nowMs as Instant,
    sleep: async (ms: number, signal?: AbortSignal) => {
      await Promise.resolve();
      signal?.throwIfAborted();
      nowMs += ms;
    },
  };
  return { limiter: createLimiter({ env, concurrencyOf: () => concurrency }), now: () => nowMs };
}

const never = new AbortController().signal;

function leave(entered: Entered): void {
  if (entered.kind === "limited") expect.fail("limited");
  entered.leave();
}

test("no more calls at a time than allowed", async () => {
  const { limiter } = limiterOf(2);
  const first = await limiter.enter("openai", never);
  await limiter.enter("openai", never);
  const third = limiter.enter("openai", never);
  leave(first);
  expect((await third).kind).toBe("entered");
});

test("one credential does not stand in another's way", async () => {
  const { limiter, now } = limiterOf(1);
  await limiter.enter("openai", never);
  const before = now();
  expect((await limiter.enter("anthropic", never)).kind).toBe("entered");
  expect(now()).toBe(before);
});

test("whoever finds no place in time is told when to come again", async () => {
  const { limiter, now } = limiterOf(1);
  await limiter.enter("openai", never);
  const late = await limiter.enter("openai", never);
  expect(late).toMatchObject({ kind: "limited" });
  expect(late.kind === "limited" && late.untilMs > now()).toBe(true);
});

test("a place that is left twice is one place", async () => {
  const { limiter } = limiterOf(1);
  const first = await limiter.enter("openai", never);
  leave(first);
  leave(first);
  await limiter.enter("openai", never);
  expect((await limiter.enter("openai", never)).kind).toBe("limited");
});

test("a short wait is waited", async () => {
  const { limiter, now } = limiterOf(4);
  const until = now() + waitMaxMs;
  limiter.notBefore("openai", until);
  expect((await limiter.enter("openai", never)).kind).toBe("entered");
  expect(now()).toBe(until);
});

test("a longer one is told at once", async () => {
  const { limiter, now } = limiterOf(4);
  const before = now();
  limiter.notBefore("openai", before + waitMaxMs + 1);
  expect(await limiter.enter("openai", never)).toMatchObject({ kind: "limited", untilMs: before + waitMaxMs + 1 });
  expect(now()).toBe(before);
});

test("an earlier time does not shorten a later one", async () => {
  const { limiter, now } = limiterOf(4);
  limiter.notBefore("openai", now() + 60_000);
  limiter.notBefore("openai", now() + 1);
  expect((await limiter.enter("openai", never)).kind).toBe("limited");
});

test("whoever gives up stands in line no longer", async () => {
  const { limiter } = limiterOf(1);
  const first = await limiter.enter("openai", never);
  const stop = new AbortController();
  const second = limiter.enter("openai", stop.signal);
  stop.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  leave(first);
  expect((await limiter.enter("openai", never)).kind).toBe("entered");
});

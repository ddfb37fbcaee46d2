import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keys } from "../data/keys.ts";
import { createRefresher } from "./refresher.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setup(answerMs = 0) {
  const asked: string[] = [];
  const invalidateQueries = async ({ queryKey = [] }: { queryKey?: readonly unknown[] } = {}) => {
    asked.push(queryKey.join("/"));
    await new Promise((resolve) => setTimeout(resolve, answerMs));
  };
  return { asked, refresh: createRefresher({ invalidateQueries } as never, 500) };
}

test("a burst of events fetches each thing once, and soon", async () => {
  const { asked, refresh } = setup();
  for (let n = 0; n < 30; n++) refresh(keys.runs, keys.run("a"));
  await vi.advanceTimersByTimeAsync(20);
  expect(asked).toEqual(["runs", "run/a"]);
});

test("a steady flow of events fetches about twice a second", async () => {
  const { asked, refresh } = setup();
  for (let n = 0; n < 100; n++) {
    refresh(keys.runs);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.length).toBeLessThanOrEqual(20);
});

test("what an event made old while answers were under way is fetched afterwards", async () => {
  const { asked, refresh } = setup(2_000);
  refresh(keys.runs);
  await vi.advanceTimersByTimeAsync(1_000);
  refresh(keys.runs);
  await vi.advanceTimersByTimeAsync(900);
  expect(asked).toEqual(["runs"]);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toEqual(["runs", "runs"]);
});

test("an answer that never comes holds the rest up for some seconds only", async () => {
  const { asked, refresh } = setup(1_000_000);
  refresh(keys.runs);
  await vi.advanceTimersByTimeAsync(100);
  refresh(keys.notifications);
  await vi.advanceTimersByTimeAsync(5_100);
  expect(asked).toEqual(["runs", "notifications"]);
});

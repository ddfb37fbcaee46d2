import { QueryClient, QueryObserver } from "@tanstack/react-query";
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
  return { asked, refresh: createRefresher({ invalidateQueries, isFetching: () => 0 } as never, 500) };
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

test("a first answer that was asked for before the event is asked for again", async () => {
  const queryClient = new QueryClient();
  const refresh = createRefresher(queryClient, 500);
  let saved = "before";
  const queryFn = async () => {
    const read = saved;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return read;
  };
  const shown = new QueryObserver(queryClient, { queryKey: keys.runs, queryFn });
  const leave = shown.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(100);
  saved = "after";
  refresh(keys.runs);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown.getCurrentResult().data).toBe("before");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shown.getCurrentResult().data).toBe("after");
  leave();
});

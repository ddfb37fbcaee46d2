import { expect, test } from "vitest";
import { makeWireEvent } from "../../../../../test/helpers/sample-events.ts";
import { EventLog } from "./event-log.ts";

const made = (seq: number) => makeWireEvent("entry_recorded", { summary: `step ${seq}` }, { seq });

/** A server with so many events, and what it was asked for. */
function served(count: number, without: readonly number[] = []) {
  const asked: number[] = [];
  const server = { count, isAway: false };
  const fetchAfter = async (seq: number, limit: number) => {
    asked.push(seq);
    if (server.isAway) throw new Error("away");
    const all = Array.from({ length: server.count }, (_, n) => n + 1).filter((n) => n > seq && !without.includes(n));
    return all.slice(0, limit).map(made);
  };
  return { asked, server, log: new EventLog(count, fetchAfter) };
}

const numbers = (log: EventLog) => log.inOrder().map(({ seq }) => seq);

test("only the blocks one looks at are fetched, and each once", async () => {
  const { log, asked } = served(10_000);
  await Promise.all([log.need(9_990, 10_000), log.need(9_995, 10_000)]);
  await log.need(9_801, 9_900);
  expect(asked).toEqual([9_800]);
  expect(log.state()).toMatchObject({ last: 10_000, loaded: 200 });
});

test("everything is there once, in order, also what happened meanwhile", async () => {
  const { log, server } = served(1_050);
  server.count = 1_060;
  const loading = log.loadAll();
  log.append(made(1_060));
  await loading;
  expect(numbers(log)).toEqual(Array.from({ length: 1_060 }, (_, n) => n + 1));
});

test("an event that comes before those between it and the known ones leaves a gap that is fetched", async () => {
  const { log, server } = served(10);
  server.count = 15;
  log.append(made(15));
  expect(log.state().last).toBe(15);
  await log.need(1, 15);
  expect(numbers(log)).toHaveLength(15);
});

test("the same event twice is one", () => {
  const { log } = served(0);
  log.append(made(1));
  log.append(made(1));
  expect(log.state()).toMatchObject({ last: 1, loaded: 1 });
});

test("a number the server does not have is not asked for again and again", async () => {
  const { log, asked } = served(300, [7, 250]);
  await log.loadAll();
  await log.loadAll();
  expect(asked).toEqual([0, 200]);
  expect(log.state().loaded).toBe(298);
});

test("a failure is kept until it is tried again", async () => {
  const { log, server } = served(10);
  server.isAway = true;
  await log.need(1, 10);
  expect(log.state().error?.message).toBe("away");
  await expect(log.loadAll()).rejects.toThrow("away");
  server.isAway = false;
  expect(await log.loadAll()).toHaveLength(10);
  expect(log.state().error).toBeNull();
});

test("who listens is told of every change, until they stop", () => {
  const { log } = served(0);
  let told = 0;
  const stop = log.subscribe(() => told++);
  log.append(made(1));
  log.grow(1);
  log.grow(5);
  stop();
  log.append(made(2));
  expect(told).toBe(2);
});

test("once closed nothing more is loaded; opened again it goes on", async () => {
  const { log, asked } = served(2_000);
  log.close();
  await log.loadAll();
  expect(asked).toEqual([]);
  log.open();
  expect(await log.loadAll()).toHaveLength(2_000);
});

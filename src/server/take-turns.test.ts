import { expect, test } from "vitest";
import type { Instant } from "../lib/env.ts";
import { takeTurns } from "./take-turns.ts";

/** Time goes on only where a test says so; what waits for it is woken then. */
function clock() {
  let nowMs = 0;
  const sleeping: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => nowMs as Instant,
    sleep: (ms: number) => new Promise<void>((wake) => void sleeping.push({ until: nowMs + ms, wake })),
    pass: async (ms: number) => {
      nowMs += ms;
      for (const { until, wake } of sleeping) if (until <= nowMs) wake();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

/** Turns whose work ends when the test says so. */
function setUp(limits = { atOnce: 2, perUser: 3, inAll: 4, restFactor: 3 }) {
  const time = clock();
  const turns = takeTurns(limits, "searches", time);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (userId: string, name: string) =>
    turns(userId, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string, work: Promise<string>) => {
    ends.get(name)?.();
    expect(await work).toBe(name);
    await Promise.resolve();
  };
  return { take, begun, end, pass: time.pass };
}

test("one user has one turn at a time, and others get theirs meanwhile", async () => {
  const { take, begun, end } = setUp();
  const [first, second] = [take("ann", "a1"), take("ann", "a2")];
  const other = take("bob", "b1");
  await Promise.resolve();
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1", first);
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await Promise.all([end("a2", second), end("b1", other)]);
});

test("no more than the limit at once", async () => {
  const { take, begun, end } = setUp();
  const all = [take("ann", "a1"), take("bob", "b1"), take("cem", "c1")] as const;
  await Promise.resolve();
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1", all[1]);
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await Promise.all([end("a1", all[0]), end("c1", all[2])]);
});

test("who asks for too many, or comes when too many wait, is told so at once", async () => {
  const { take, end } = setUp();
  const of = (name: string) => take("ann", name);
  const taken = [of("a1"), of("a2"), of("a3")] as const;
  await expect(of("a4")).rejects.toMatchObject({ code: "busy" });
  const others = ["b", "c", "d"].map((name) => take(name, name));
  await expect(take("e", "e")).rejects.toMatchObject({ code: "busy" });
  await Promise.resolve();
  for (const [name, work] of [
    ["b", others[0]],
    ["c", others[1]],
    ["d", others[2]],
  ] as const)
    if (work) await end(name, work);
  for (const [index, work] of taken.entries()) await end(`a${index + 1}`, work);
});

test("a turn that fails is over", async () => {
  const turns = takeTurns({ atOnce: 1, perUser: 3, inAll: 4, restFactor: 3 }, "searches", clock());
  await expect(turns("ann", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns("ann", async () => "yes")).toBe("yes");
});

test("who took long rests before the next turn, and others do not wait for that", async () => {
  const { take, begun, end, pass } = setUp();
  const [first, second] = [take("ann", "a1"), take("ann", "a2")];
  await pass(0);
  await pass(1_000);
  await end("a1", first);
  const other = take("bob", "b1");
  await pass(2_900);
  expect(begun).toEqual(["a1", "b1"]);
  await pass(200);
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await Promise.all([end("a2", second), end("b1", other)]);
});

test("someone new comes before those who had a turn already", async () => {
  const { take, begun, end, pass } = setUp({ atOnce: 1, perUser: 3, inAll: 9, restFactor: 0 });
  const flood = [take("ann", "a1"), take("ann", "a2"), take("ann", "a3")] as const;
  await pass(1);
  await end("a1", flood[0]);
  const other = take("bob", "b1");
  await pass(1);
  await end("a2", flood[1]);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1", other);
  await end("a3", flood[2]);
});

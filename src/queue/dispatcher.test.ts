import { expect, test } from "vitest";
import { patienceMs } from "../../test/helpers/patience.ts";
import type { Env } from "../lib/env.ts";
import { realEnv } from "../main/env.ts";
import { Dispatcher, type KindHandler } from "./dispatcher.ts";
import type { JobRef, QueuedJob, WorkQueue } from "./job-queue.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** A hundred times as fast. */
const env: Env = { ...realEnv, sleep: (ms, signal) => realEnv.sleep(ms / 100, signal) };
const jobOf = (id: string): QueuedJob => ({ kind: "iteration", id, attempt: 0, data: null });
const dispatch = (queue: WorkQueue, iteration: KindHandler): Dispatcher =>
  new Dispatcher({ queue, handlers: { iteration }, env, logger: silent });

function makeQueue(ids: readonly string[], ours: (job: JobRef) => boolean = () => true) {
  const waiting = ids.map(jobOf);
  const seen = { asked: [] as number[], released: [] as [string, number][], supervised: 0, failures: 0 };
  const queue: WorkQueue = {
    fetch: async (kind, limit) => {
      if (kind !== "iteration") return [];
      seen.asked.push(limit);
      if (seen.failures > 0) {
        seen.failures -= 1;
        throw new Error("away");
      }
      return waiting.splice(0, limit);
    },
    touch: async (jobs) => jobs.filter(ours),
    release: async ({ id }, afterMs) => void seen.released.push([id, afterMs]),
    supervise: async () => void seen.supervised++,
  };
  return { queue, seen, add: (id: string) => waiting.push(jobOf(id)) };
}

const until = async (isSo: () => boolean) => {
  for (const end = realEnv.now() + patienceMs; realEnv.now() < end && !isSo(); ) await realEnv.sleep(2);
};

test("never works on more than it may, and asks only for what it has room for", async () => {
  const { queue, seen } = makeQueue(["a", "b", "c", "d", "e"]);
  let now = 0;
  let most = 0;
  const done: string[] = [];
  const handle = async ({ id }: QueuedJob) => {
    most = Math.max(most, ++now);
    await realEnv.sleep(5);
    now -= 1;
    done.push(id);
  };
  const dispatcher = dispatch(queue, { concurrency: 2, handle });
  await until(() => done.length === 5);
  await dispatcher.close(100);
  expect(done.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  expect(most).toBe(2);
  expect(Math.max(...seen.asked)).toBe(2);
});

test("a database that is away for a moment is asked again", async () => {
  const { queue, seen } = makeQueue(["a"]);
  seen.failures = 3;
  const done: string[] = [];
  const handle = async ({ id }: QueuedJob) => void done.push(id);
  const dispatcher = dispatch(queue, { concurrency: 2, handle });
  await until(() => done.length === 1);
  await dispatcher.close(100);
  expect(done).toEqual(["a"]);
});

test("a handler that lost its job is told to stop", async () => {
  const { queue } = makeQueue(["mine", "lost"], ({ id }) => id === "mine");
  const aborted: string[] = [];
  const handle = ({ id }: QueuedJob, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        aborted.push(id);
        resolve();
      });
    });
  const dispatcher = dispatch(queue, { concurrency: 2, handle });
  await until(() => aborted.length > 0);
  expect(aborted).toEqual(["lost"]);
  await dispatcher.close(0);
  expect(aborted).toEqual(["lost", "mine"]);
});

test("what fails is given back, later each time; what is stopped is given back at once", async () => {
  const { queue, seen } = makeQueue(["bad", "slow"]);
  const handle = ({ id }: QueuedJob, signal: AbortSignal) =>
    id === "bad"
      ? Promise.reject(new Error("no"))
      : new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  const dispatcher = dispatch(queue, { concurrency: 2, handle });
  await until(() => seen.released.length === 1);
  await dispatcher.close(0);
  expect(seen.released).toEqual([
    ["bad", 1_000],
    ["slow", 0],
  ]);
});

test("takes nothing more once it stops, and waits for what is in flight", async () => {
  const { queue, add } = makeQueue(["a"]);
  const done: string[] = [];
  const began = Promise.withResolvers<void>();
  const handle = async ({ id }: QueuedJob) => {
    began.resolve();
    await realEnv.sleep(20);
    done.push(id);
  };
  const dispatcher = dispatch(queue, { concurrency: 4, handle });
  await began.promise;
  const closing = dispatcher.close(60_000);
  add("late");
  await closing;
  expect(done).toEqual(["a"]);
});

test("a process that was frozen gives a sign of life before it looks for dead workers", async () => {
  const { queue } = makeQueue(["a"]);
  const did: string[] = [];
  let frozenMs = 0;
  const noBeats = new AbortController();
  const dispatcher = new Dispatcher({
    queue: {
      ...queue,
      touch: async (jobs) => {
        did.push("touch");
        return jobs;
      },
      supervise: async () => void did.push("supervise"),
    },
    handlers: { iteration: { concurrency: 1, handle: (_, signal) => realEnv.sleep(600_000, signal) } },
    env: {
      ...env,
      now: () => (realEnv.now() + frozenMs) as ReturnType<Env["now"]>,
      // The timer of the signs of life is the one that does not come around in time.
      sleep: (ms, signal) => env.sleep(ms === 3_000 ? 60_000_000 : ms, signal ?? noBeats.signal),
    },
    logger: silent,
  });
  await until(() => did.length >= 2);
  expect(did).toEqual(did.map(() => "supervise"));
  const before = did.length;
  frozenMs = 20_000;
  await until(() => did.includes("touch"));
  await until(() => did.length >= before + 3);
  await dispatcher.close(0);
  const first = did.slice(before).filter((each, at) => at > 0 || each === "touch");
  expect(first.slice(0, 2)).toEqual(["touch", "supervise"]);
});

test("what was taken away is not given back", async () => {
  const { queue, seen } = makeQueue(["gone"]);
  const began = Promise.withResolvers<void>();
  const handle = (_job: QueuedJob, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      began.resolve();
    });
  const dispatcher = dispatch(queue, { concurrency: 1, handle });
  await began.promise;
  dispatcher.notice({ kind: "iteration", dropped: "gone" });
  await dispatcher.close(1_000);
  expect(seen.released).toEqual([]);
});

test("while it is busy it asks for several at once, and soon", async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `${n}`);
  const asked = async (gatherMs: number) => {
    const { queue, seen } = makeQueue(ids);
    const done: string[] = [];
    const handle = async ({ id }: QueuedJob) => {
      await realEnv.sleep(2 + (Number(id) % 7));
      done.push(id);
    };
    const dispatcher = dispatch(queue, { concurrency: 8, gatherMs, handle });
    await until(() => done.length === 40);
    await dispatcher.close(100);
    return seen.asked.length;
  };
  expect(await asked(500)).toBeLessThan(await asked(0));
});

test("a dispatcher that is stopped while it gathers takes nothing more", async () => {
  const { queue, seen, add } = makeQueue(["a", "b", "c"]);
  const rest = Promise.withResolvers<void>();
  const handle = () => rest.promise;
  const dispatcher = dispatch(queue, { concurrency: 4, gatherMs: 60_000, handle });
  await until(() => seen.asked.length === 1);
  dispatcher.wake(); // There is room for one more, and it waits for more room.
  add("late");
  await realEnv.sleep(20);
  const closing = dispatcher.close(1_000);
  rest.resolve();
  await closing;
  expect(seen.asked).toHaveLength(1);
});

/** Of two kinds; each fetch says which one it was for. */
function makeTwoKinds() {
  const waiting: QueuedJob[] = [
    { ...jobOf("slow"), kind: "schedule" },
    jobOf("a"),
    jobOf("b"),
    { ...jobOf("next"), kind: "schedule" },
  ];
  const seen = { asked: [] as string[], released: [] as [string, number][] };
  const queue: WorkQueue = {
    fetch: async (kind, limit) => {
      seen.asked.push(kind);
      const found = waiting.filter((job) => job.kind === kind).slice(0, limit);
      for (const job of found) waiting.splice(waiting.indexOf(job), 1);
      return found;
    },
    touch: async (jobs) => jobs,
    release: async ({ id }, afterMs) => void seen.released.push([id, afterMs]),
    supervise: async () => {},
  };
  return { queue, seen, waiting };
}

test("a kind whose room is full does not keep another waiting", async () => {
  const { queue, waiting } = makeTwoKinds();
  const rest = Promise.withResolvers<void>();
  const done: string[] = [];
  const dispatcher = new Dispatcher({
    queue,
    handlers: {
      schedule: { concurrency: 1, handle: () => rest.promise },
      iteration: { concurrency: 1, handle: async ({ id }) => void done.push(id) },
    },
    env,
    logger: silent,
  });
  await until(() => done.length === 2);
  expect([done, waiting.map(({ id }) => id)]).toEqual([["a", "b"], ["next"]]);
  rest.resolve();
  await dispatcher.close(1_000);
});

test("a kind without a handler is left to other processes", async () => {
  const { queue, seen, waiting } = makeTwoKinds();
  const done: string[] = [];
  const dispatcher = dispatch(queue, { concurrency: 2, handle: async ({ id }) => void done.push(id) });
  await until(() => done.length === 2);
  dispatcher.notice({ kind: "schedule", dropped: null });
  await dispatcher.close(100);
  expect(new Set(seen.asked)).toEqual(new Set(["iteration"]));
  expect(waiting.map(({ id }) => id)).toEqual(["slow", "next"]);
});

test("each kind is tried again by its own rules", async () => {
  const { queue, seen } = makeTwoKinds();
  const fail: KindHandler = { concurrency: 2, handle: () => Promise.reject(new Error("no")) };
  const handlers = { schedule: fail, iteration: fail };
  const dispatcher = new Dispatcher({ queue, handlers, env, logger: silent });
  await until(() => seen.released.length === 4);
  await dispatcher.close(100);
  expect(new Map(seen.released)).toEqual(
    new Map([
      ["slow", 30_000],
      ["next", 30_000],
      ["a", 1_000],
      ["b", 1_000],
    ]),
  );
});

test("what is dropped of one kind does not stop a job of another with the same id", async () => {
  const { queue } = makeQueue(["same"]);
  const aborted: string[] = [];
  const began = Promise.withResolvers<void>();
  const handle = (_job: QueuedJob, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      began.resolve();
      signal.addEventListener("abort", () => {
        aborted.push("same");
        resolve();
      });
    });
  const dispatcher = dispatch(queue, { concurrency: 1, handle });
  await began.promise;
  dispatcher.notice({ kind: "schedule", dropped: "same" });
  expect(aborted).toEqual([]);
  dispatcher.notice({ kind: "iteration", dropped: "same" });
  expect(aborted).toEqual(["same"]);
  await dispatcher.close(0);
});

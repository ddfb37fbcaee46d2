// Planted bugs about who may write: fences, deliveries, signs of life, locks and running time.

import type { RunId } from "../../../src/domain/run/run.ts";
import type { FencedOperation } from "../memory/rules.ts";
import { rightRules } from "../memory/rules.ts";
import type { PlantedBug } from "../simulate.ts";
import { wrongRule, wrongSave, wrongTx } from "./bug.ts";

const unfenced = (name: string, operation: FencedOperation): PlantedBug =>
  wrongRule(name, (right) => ({ isOurs: (at, lease, record) => at === operation || right.isOurs(at, lease, record) }));

/** A worker that believes its run is as it left it. */
const commitWithoutFence: PlantedBug = {
  name: "a commit does not look at the fence",
  store: (store) => {
    let mine: { readonly runId: RunId; readonly fence: number } | null = null;
    return {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work({
            ...tx,
            lockRun: async (runId) => {
              const locked = await tx.lockRun(runId);
              if (locked === null || mine?.runId !== runId) return locked;
              return { ...locked, run: { ...locked.run, fence: mine.fence } };
            },
            save: async (change) => {
              await tx.save(change);
              if (change.lease === "begin") mine = { runId: change.run.id, fence: change.run.fence };
            },
          }),
        ),
    };
  },
};

export const leaseBugs: readonly PlantedBug[] = [
  unfenced("an entry is recorded without looking at the fence", "recordEntry"),
  unfenced("writes are kept without looking at the fence", "recordWrites"),
  unfenced("a call is reserved without looking at the fence", "reserveCall"),
  unfenced("an answer is journaled without looking at the fence", "settleCall"),
  unfenced("an effect is intended without looking at the fence", "intendEffect"),
  unfenced("an effect is ended without looking at the fence", "finishEffect"),
  commitWithoutFence,
  wrongSave("taking a run does not raise its fence", (saved) =>
    saved.lease === "begin" ? { ...saved, run: { ...saved.run, fence: saved.before.fence } } : saved,
  ),
  wrongRule("an old delivery may acknowledge", () => ({ takesAcknowledgement: () => true })),
  wrongRule("an old delivery may give signs of life", () => ({
    takesSignOfLife: ({ state }) => state === "active",
  })),
  wrongRule("an old delivery may give a job back", () => ({ takesBack: ({ state }) => state === "active" })),
  wrongTx("an acknowledgement is believed without asking", () => ({ acknowledge: async () => true })),
  wrongRule("jobs expire by the worker's clock", (right) => ({
    isExpired: (job, _databaseNowMs, workerNowMs) => right.isExpired(job, workerNowMs, workerNowMs),
  })),
  wrongRule("jobs of the dead never expire", () => ({ isExpired: () => false })),
  wrongRule("a job expires at half its time", () => ({
    isExpired: (job, nowMs) => job.state === "active" && job.heartbeatMs + 5_000 < nowMs,
  })),
  wrongRule("a delayed job comes at once", () => ({ isDue: ({ state }) => state !== "active" })),
  wrongRule("the newest job goes first", () => ({ fetchOrder: (a, b) => b.order - a.order })),
  wrongRule("a dead worker's time counts until someone comes", () => ({
    leasedMs: ({ leasedAtMs }, nowMs) => (leasedAtMs === null ? 0 : Math.max(0, nowMs - leasedAtMs)),
  })),
  wrongRule("the time of an attempt is forgotten", () => ({ leasedMs: () => 0 })),
  wrongSave("a lease is not let go of, so waiting counts", (saved) =>
    saved.lease === "release" ? { ...saved, lease: "keep" } : saved,
  ),
  wrongTx("the run is read without locking it", (_tx, { runs, world }) => ({
    lockRun: async (runId) => {
      const record = runs.get(runId);
      if (record === undefined) return null;
      return {
        run: record.run,
        attempts: record.attempts,
        isLeased: record.leasedAtMs !== null,
        leasedMs: rightRules.leasedMs(record, world.databaseNowMs),
        isOwnerShut: false,
      };
    },
  })),
  wrongRule("a call is locked before its run", () => ({
    lockToSettle: async (tx, runId, callId) => {
      await tx.lock("call", callId);
      await tx.lock("run", runId);
    },
  })),
  {
    name: "a transaction that fails is committed as far as it got",
    store: (store) => ({
      ...store,
      transaction: async (work) => {
        const failures: unknown[] = [];
        const result = await store.transaction((tx) => work(tx).catch((thrown: unknown) => void failures.push(thrown)));
        if (failures.length > 0) throw failures[0];
        return result as Awaited<ReturnType<typeof work>>;
      },
    }),
  },
];

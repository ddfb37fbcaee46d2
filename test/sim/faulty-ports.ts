// Puts the world's faults around a store and a queue: a point before and after everything, one at every await inside a
// transaction, and acknowledgements that get lost after the commit happened.

import type { OutcomeTx } from "../../src/outcomes/ports/outcome-store.ts";
import type { WorkQueue } from "../../src/queue/job-queue.ts";
import type { RunStore, RunTx } from "../../src/runs/ports/run-store.ts";
import type { OutcomeKeeping } from "./backend.ts";
import { type Actor, Died, never, unavailable, type World } from "./world.ts";

/** `isIdle`: nothing was done, so nothing can get lost after it. */
type Guard = <T>(label: string, work: () => Promise<T>, isIdle?: (result: T) => boolean) => Promise<T>;

export function guardOf(world: World, actor: Actor): Guard {
  return async (label, work, isIdle = () => false) => {
    await world.point(actor, `${label}: before`);
    const result = await alive(world.io(work()));
    if (actor.isDead) return never();
    if (isIdle(result)) return result;
    const isLost = world.faults.losesAcknowledgement({ actor: actor.name, label, inside: false });
    await world.point(actor, `${label}: ${isLost ? "acknowledgement lost" : "after"}`);
    if (isLost) throw unavailable(`simulated: ${label} happened, its acknowledgement got lost`);
    return result;
  };
}

/** Whoever dies inside a transaction undoes it and is never heard of again. */
async function alive<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Died) return never();
    throw thrown;
  }
}

export function faultyStore<Writes>(world: World, actor: Actor, store: RunStore<Writes>): RunStore<Writes> {
  const guard = guardOf(world, actor);
  const inside = (label: string) => world.pointInside(actor, label);
  return {
    transaction: (work) =>
      guard("transaction", () =>
        store.transaction(async (tx) => {
          const result = await work(faultyTx(tx, inside));
          await inside("commit");
          return result;
        }),
      ),
    recordEntry: (lease, entry) => guard(`entry ${entry.key}`, () => store.recordEntry(lease, entry)),
    recordWrites: (lease, work) =>
      guard("writes", () =>
        store.recordWrites(lease, async (writes) => {
          await inside("writes begin");
          const entry = await work(writes);
          await inside("writes commit");
          return entry;
        }),
      ),
    reserveCall: (lease, call) => guard(`reserve ${call.key}`, () => store.reserveCall(lease, call)),
    settleCall: (lease, call, ...settled) =>
      guard(`settle ${call.key}`, () => store.settleCall(lease, call, ...settled)),
    noteSilence: (lease, call, silence) => guard(`silence ${call.key}`, () => store.noteSilence(lease, call, silence)),
    intendEffect: (lease, head) => guard(`intend ${head.key}`, () => store.intendEffect(lease, head)),
    keepHandle: (lease, head, handle) => guard(`handle ${head.key}`, () => store.keepHandle(lease, head, handle)),
    isAtWork: (lease) => guard("at work", () => store.isAtWork(lease)),
    finishEffect: (lease, head, ended) => guard(`finish ${head.key}`, () => store.finishEffect(lease, head, ended)),
    hear: (lease, head, shown) => guard(`hear ${head.key}`, () => store.hear(lease, head, shown)),
  };
}

export function faultyOutcomes<Writes>(
  world: World,
  actor: Actor,
  { outcomes, journal }: OutcomeKeeping<Writes>,
): OutcomeKeeping<Writes> {
  const guard = guardOf(world, actor);
  const inside = (label: string) => world.pointInside(actor, label);
  return {
    outcomes: {
      transaction: (work) =>
        guard("transaction of an outcome", () =>
          outcomes.transaction(async (tx) => {
            const result = await work(faultyOutcomeTx(tx, inside));
            await inside("commit");
            return result;
          }),
        ),
    },
    journal: {
      ...journal,
      recordEntry: (lease, entry) => guard(`entry ${entry.key}`, () => journal.recordEntry(lease, entry)),
      reserveCall: (lease, call) => guard(`reserve ${call.key}`, () => journal.reserveCall(lease, call)),
      settleCall: (lease, call, ...settled) =>
        guard(`settle ${call.key}`, () => journal.settleCall(lease, call, ...settled)),
    },
  };
}

type Inside = (label: string) => Promise<void>;

const pointed =
  (inside: Inside) =>
  <Args extends readonly unknown[], T>(label: string, work: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    await inside(label);
    return work(...args);
  };

function faultyOutcomeTx(tx: OutcomeTx, inside: Inside): OutcomeTx {
  const at = pointed(inside);
  return {
    lockOutcome: at("lockOutcome", tx.lockOutcome),
    insertOutcome: at("insertOutcome", tx.insertOutcome),
    save: at("saveOutcome", tx.save),
    tell: at("tell", tx.tell),
    findAttempt: at("findAttempt", tx.findAttempt),
    findMemories: at("findMemories", tx.findMemories),
    countReviews: at("countReviews", tx.countReviews),
    takeTurn: at("takeTurn", tx.takeTurn),
    endTurn: at("endTurn", tx.endTurn),
    enqueue: at("enqueueTurn", tx.enqueue),
    acknowledge: at("acknowledge", tx.acknowledge),
    runs: faultyTx(tx.runs, inside),
  };
}

/** Every call of a transaction is a place where others may get in between, and where its process may die. */
function faultyTx(tx: RunTx, inside: Inside): RunTx {
  const at = pointed(inside);
  return {
    lockUser: at("lockUser", tx.lockUser),
    lockRun: at("lockRun", tx.lockRun),
    insertRun: at("insertRun", tx.insertRun),
    save: at("save", tx.save),
    readNotification: at("readNotification", tx.readNotification),
    recordOf: at("recordOf", tx.recordOf),
    countSlots: at("countSlots", tx.countSlots),
    maxSlots: at("maxSlots", tx.maxSlots),
    nextInLine: at("nextInLine", tx.nextInLine),
    takeUpMessages: at("takeUpMessages", tx.takeUpMessages),
    readJournal: at("readJournal", tx.readJournal),
    markSilent: at("markSilent", tx.markSilent),
    workedMs: at("workedMs", tx.workedMs),
    giveUpCalls: at("giveUpCalls", tx.giveUpCalls),
    enqueue: at("enqueue", tx.enqueue),
    tellOutcome: at("tellOutcome", tx.tellOutcome),
    isTaskAtWork: at("isTaskAtWork", tx.isTaskAtWork),
    dropJob: at("dropJob", tx.dropJob),
    acknowledge: at("acknowledge", tx.acknowledge),
  };
}

export function faultyQueue(world: World, actor: Actor, queue: WorkQueue): WorkQueue {
  const guard = guardOf(world, actor);
  return {
    fetch: (kind, limit) =>
      guard(
        "fetch",
        () => queue.fetch(kind, limit),
        (jobs) => jobs.length === 0,
      ),
    touch: (jobs) => guard("touch", () => queue.touch(jobs)),
    release: (job, afterMs) => guard("release", () => queue.release(job, afterMs)),
    supervise: () =>
      guard(
        "supervise",
        () => queue.supervise(),
        () => true,
      ),
  };
}

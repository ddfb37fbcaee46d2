import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { cancel, steer } from "../../src/domain/run/commands.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import type { EntryHead, RunStore } from "../../src/runs/ports/run-store.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { makeRun } from "../helpers/make-run.ts";
import { runWorld } from "../helpers/run-world.ts";
import type { Backend } from "./backend.ts";
import { quiet } from "./faults.ts";
import { memoryBackend } from "./memory/memory-backend.ts";
import { sqlBackend, takeOverClock } from "./sql/sql-backend.ts";
import { World } from "./world.ts";

// The store in memory stands for the real one in every simulation: both have to hear the same.

const limits = { maxConcurrentRuns: 1 };
const real = await runWorld(1);
await takeOverClock(real);

const headOf = (lane: string, key: string): EntryHead => ({
  key: lane === "planner" ? key : `${lane}/${key}`,
  lane: { id: lane, title: null },
  tool: null,
  args: null,
});

/** Everything that two lanes hear in an iteration, in the words that were said. */
async function listen<Writes>(world: World, backend: Backend<Writes>, userId: UserId): Promise<unknown> {
  const actor = world.makeActor("worker");
  const store: RunStore<Writes> = backend.storeFor(actor);
  const runId = world.random.id() as RunId;
  const state = { status: "queued", iteration: 1, hasSlot: false } as const;
  await store.transaction((tx) => createRun(tx, { ...makeRun(), id: runId, userId, fence: 0, state }, limits));
  const [job] = await backend.queueFor(actor).fetch("iteration", 1);
  if (job === undefined) throw new Error("there is a job");
  const taken = await takeRun(store, { ...job, runId, iteration: 1 }, "test", limits);
  if (taken === null) throw new Error("it can be taken");
  const { lease } = taken;
  const ids = new Map<string, string>();
  const say = async (text: string) => {
    await store.transaction((tx) => commandRun(tx, userId, runId, (run) => steer(run, text), limits));
    world.timeline.nowMs += 1_000;
  };
  const hear = async (lane: string, key: string, shown: readonly string[] = [], fence = lease.fence) => {
    const known = shown.map((text) => ids.get(text) ?? "");
    const heard = await store.hear({ ...lease, fence }, headOf(lane, key), known);
    if (heard === "lost") return heard;
    for (const { id, text } of heard) ids.set(text, id);
    return heard.map(({ text, kind }) => `${kind} ${text}`);
  };
  const told: unknown[] = [await hear("planner", "heard:0")];
  await say("first");
  told.push(
    await hear("planner", "heard:0"),
    await hear("exec:1", "heard:0"),
    await hear("exec:1", "heard:1", ["first"]),
  );
  await say("second");
  await say("third");
  told.push(await hear("exec:1", "heard:2", ["first"]), await hear("planner", "heard:1", ["first"]));
  told.push(await hear("planner", "heard:2", ["first", "second", "third"], lease.fence - 1));
  await say("fourth");
  told.push(
    await hear("planner", "heard:2", ["first"], lease.fence - 1),
    (await backend.findRun(runId))?.unreadMessages,
  );
  await store.transaction((tx) => commandRun(tx, userId, runId, cancel, limits));
  told.push(await hear("planner", "heard:2", ["first", "second", "third"]));
  const record = (await backend.look()).runs.get(runId);
  return {
    told,
    entries: record?.entries.map(({ key, kind, state }) => ({ key, kind, state })),
    messages: record?.messages.map(({ text, consumedIteration }) => ({ text, consumedIteration })),
    events: record?.events.map(({ event }) => ("entry" in event ? event.entry : event.type)),
    unread: record?.run.unreadMessages,
  };
}

const makeWorld = (isReal: boolean) => new World({ seed: 1, hasJitter: false, isReal, faults: () => quiet() });

test("the store in memory hears what the real one hears", async () => {
  const memoryWorld = makeWorld(false);
  const inMemory = await listen(memoryWorld, memoryBackend(memoryWorld), "user" as UserId);
  const sqlWorld = makeWorld(true);
  const inSql = await listen(sqlWorld, sqlBackend(sqlWorld, real, new Map()), await real.makeUser());
  expect(inSql).toEqual(inMemory);
  expect(inSql).toMatchObject({
    told: [
      [],
      ["steer first"],
      ["steer first"],
      [],
      ["steer second", "steer third"],
      ["steer second", "steer third"],
      [],
      "lost",
      1,
      "lost",
    ],
  });
});

// Effects that go on without us, on a real database: what is started, adopted, let go of and ended, attempt by attempt.

import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import type { Tx } from "../db/database.ts";
import { cancel, pause } from "../domain/run/commands.ts";
import type { Run } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { StoredJournal } from "./journal.ts";
import { type EffectResult, Interrupted, type LastingEffect } from "./ports/engine.ts";
import { takeRun } from "./take-run.ts";

const world = await runWorld(1_000);
const user = await world.makeUser();

/** Things outside, by key; each ends when it is told to. */
class Things {
  readonly started: string[] = [];
  readonly adopted: string[] = [];
  readonly stopped: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<EffectResult<string>>>();

  end(key: string, ended: EffectResult<string> = { kind: "done", result: "it is done" }): void {
    this.#endOf(key).resolve(ended);
  }

  #endOf(key: string): PromiseWithResolvers<EffectResult<string>> {
    const end = this.#ends.get(key) ?? Promise.withResolvers();
    this.#ends.set(key, end);
    return end;
  }

  effect(over: Partial<LastingEffect<{ key: string }, string>> = {}): LastingEffect<{ key: string }, string> {
    return {
      start: async (key) => {
        this.started.push(key);
        return { key };
      },
      adopt: async ({ key }, signal) => {
        this.adopted.push(key);
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
        return Promise.race([this.#endOf(key).promise, aborted]);
      },
      stop: async ({ key }) => void this.stopped.push(key),
      ...over,
    };
  }
}

/** Another attempt at the run's first iteration. */
async function attempt({ id }: Run) {
  const job = { id: realEnv.newId(), attempt: 1, runId: id, iteration: 1 };
  const taken = await takeRun(world.store, job, "test", { maxConcurrentRuns: 1_000 });
  if (taken === null) throw new Error("the run cannot be taken");
  const stop = new AbortController();
  return { journal: new StoredJournal<Tx>(world.store, taken, stop.signal, realEnv), stop };
}

const entryOf = async ({ id }: Run) =>
  (await world.admin.query("select state, handle, result from homework.journal_entries where run_id = $1", [id])).rows;

const begin = async () => {
  const run = await world.create(user);
  return { run, things: new Things(), key: `${run.id}:1:agent` };
};

test("the next attempt waits for the same thing and takes its result, and the one after it only reads that", async () => {
  const { run, things, key } = await begin();
  const first = await attempt(run);
  const cut = expect(first.journal.startOrAdopt("agent", things.effect())).rejects.toThrow(Interrupted);
  await expect.poll(() => things.adopted.length).toBe(1);
  expect(await entryOf(run)).toEqual([{ state: "intended", handle: { key }, result: null }]);
  const second = await attempt(run);
  const adopted = second.journal.startOrAdopt("agent", things.effect());
  things.end(key);
  expect(await adopted).toEqual({ kind: "done", result: "it is done" });
  await cut;
  const third = await attempt(run);
  expect(await third.journal.startOrAdopt("agent", things.effect())).toEqual(await adopted);
  expect([things.started, things.adopted.length, things.stopped]).toEqual([[key], 2, []]);
  expect(await entryOf(run)).toMatchObject([{ state: "done", result: "it is done" }]);
});

test("a worker that stops leaves it running", async () => {
  const { run, things } = await begin();
  const { journal, stop } = await attempt(run);
  const cut = journal.startOrAdopt("agent", things.effect());
  await expect.poll(() => things.adopted.length).toBe(1);
  stop.abort(new Error("this process stops"));
  await expect(cut).rejects.toThrow("this process stops");
  expect(things.stopped).toEqual([]);
});

test.each([
  ["canceled", cancel],
  ["paused", pause],
] as const)("where its run was %s it is ended", async (_, command) => {
  const { run, things, key } = await begin();
  const { journal, stop } = await attempt(run);
  const cut = journal.startOrAdopt("agent", things.effect());
  await expect.poll(() => things.adopted.length).toBe(1);
  await world.command(run, command);
  stop.abort(new Error("the job was taken away"));
  await expect(cut).rejects.toThrow("taken away");
  expect(things.stopped).toEqual([key]);
});

test("where the run was canceled while it started, it is ended as soon as it runs", async () => {
  const { run, things, key } = await begin();
  const { journal } = await attempt(run);
  const start = async (name: string) => {
    await world.command(run, cancel);
    return { key: name };
  };
  await expect(journal.startOrAdopt("agent", things.effect({ start }))).rejects.toThrow(Interrupted);
  expect([things.adopted, things.stopped]).toEqual([[], [key]]);
});

/** An attempt that dies after it started the thing, before its handle was kept. */
async function dieBeforeTheHandle(run: Run, things: Things): Promise<void> {
  const { journal } = await attempt(run);
  const start = async (key: string): Promise<{ key: string }> => {
    things.started.push(key);
    throw new Interrupted({ kind: "lost" });
  };
  await expect(journal.startOrAdopt("agent", things.effect({ start }))).rejects.toThrow(Interrupted);
}

test("without a handle it is found by its key, and not started again", async () => {
  const { run, things, key } = await begin();
  await dieBeforeTheHandle(run, things);
  const { journal } = await attempt(run);
  const find = async (name: string) => (things.started.includes(name) ? { key: name } : null);
  things.end(key);
  expect(await journal.startOrAdopt("agent", things.effect({ find }))).toMatchObject({ kind: "done" });
  expect([things.started, things.adopted]).toEqual([[key], [key]]);
});

test("what is looked for and was never started is started", async () => {
  const { run, things, key } = await begin();
  await dieBeforeTheHandle(run, new Things());
  const { journal } = await attempt(run);
  things.end(key);
  expect(await journal.startOrAdopt("agent", things.effect({ find: async () => null }))).toMatchObject({
    kind: "done",
  });
  expect(things.started).toEqual([key]);
});

test("what cannot be looked for is uncertain, for every attempt", async () => {
  const { run, things } = await begin();
  await dieBeforeTheHandle(run, new Things());
  for (const _ of [1, 2]) {
    const { journal } = await attempt(run);
    expect(await journal.startOrAdopt("agent", things.effect())).toEqual({ kind: "uncertain" });
  }
  expect([things.started, things.adopted]).toEqual([[], []]);
  expect(await entryOf(run)).toMatchObject([{ state: "uncertain" }]);
});

test("what is gone without a result is uncertain", async () => {
  const { run, things, key } = await begin();
  const { journal } = await attempt(run);
  things.end(key, { kind: "uncertain" });
  expect(await journal.startOrAdopt("agent", things.effect())).toEqual({ kind: "uncertain" });
});

test("where waiting for it fails, the iteration has failed and it is ended", async () => {
  const { run, things, key } = await begin();
  const { journal } = await attempt(run);
  const adopt = async () => Promise.reject(new Error("cannot read its output"));
  await expect(journal.startOrAdopt("agent", things.effect({ adopt }))).rejects.toThrow("cannot read");
  expect(things.stopped).toEqual([key]);
});

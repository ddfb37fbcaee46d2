// A run that a worker of the test has taken, so that a test can write entries and calls of models as engines do, without one.

import type { Tx } from "../../src/db/database.ts";
import { realEnv } from "../../src/main/env.ts";
import {
  type Lane,
  type ModelCall,
  plannerLane,
  type RunStore,
  type TakenRun,
} from "../../src/runs/ports/run-store.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { makeEntry } from "./make-entry.ts";
import type { Person, TestApp } from "./test-app.ts";

const limits = { maxConcurrentRuns: 50 };

/** What a call of a model came to. */
export type Call = {
  readonly key: string;
  readonly lane?: Lane;
  readonly role?: string;
  readonly messages?: number;
  /** Null: it brought no answer. */
  readonly answer?: unknown;
  readonly did?: string;
  readonly error?: string;
  readonly cachedTokens?: number;
};

export class TakenRunOf {
  readonly store: RunStore<Tx>;
  readonly #app: TestApp;
  readonly #taken: TakenRun;

  constructor(app: TestApp, store: RunStore<Tx>, taken: TakenRun) {
    this.#app = app;
    this.store = store;
    this.#taken = taken;
  }

  get runId(): string {
    return this.#taken.run.id;
  }

  get lease() {
    return this.#taken.lease;
  }

  /** A tool's entry, or the platform's. */
  async did(key: string, summary: string, over: Parameters<typeof makeEntry>[1] = {}): Promise<void> {
    const { iteration } = this.lease;
    const entry = makeEntry({ type: "entry_recorded", iteration, entry: key, summary }, { tookMs: 5, ...over });
    await this.store.recordEntry(this.lease, entry);
    await this.#tick();
  }

  /** A call of a model and, where it was answered, its entry. */
  async asked({ key, lane = plannerLane, role = "planner", messages = 0, ...came }: Call): Promise<void> {
    const about = { key, role, model: "lab/model", reservedMicroUsd: 100, lane, messages };
    const call: ModelCall = { ...about, callId: realEnv.newId() };
    await this.store.reserveCall(this.lease, call);
    const { answer = null, did = "", error = null, cachedTokens = 0 } = came;
    const tokens = { inputTokens: 1_000, cachedTokens, writtenTokens: 0, outputTokens: 10 };
    const event = { type: "entry_recorded", iteration: this.lease.iteration, entry: key, summary: did } as const;
    const result = { result: { kind: "answered", answer }, artifacts: [] };
    const entry = answer === null ? null : makeEntry(event, { kind: "model", lane, result });
    await this.store.settleCall(this.lease, call, { costMicroUsd: 7, pricedBy: "table", ...tokens }, entry, error);
    await this.#tick();
  }

  /** Times are kept in milliseconds: what is written next ends later. */
  async #tick(): Promise<void> {
    await this.#app.admin.query("select pg_sleep(0.002)");
  }
}

/** Hands a run over, and takes its first iteration. */
export async function takenRun(app: TestApp, by: Person, objective = "Find a hall"): Promise<TakenRunOf> {
  const body = { objective };
  const { run_id: runId } = (await app.call("POST", "/api/homework/runs", by.session, { body })).body;
  return takeNext(app, runId);
}

/** Takes the iteration of the run that is due. */
export async function takeNext(app: TestApp, runId: string): Promise<TakenRunOf> {
  const store = runStore(app.db, app.queue, () => {});
  for (const { id, attempt, data } of await app.queue.fetch("iteration", 50)) {
    const job = data as { run_id: never; iteration: number };
    if (job.run_id !== runId) continue;
    const taken = await takeRun(store, { id, attempt, runId: job.run_id, iteration: job.iteration }, "test", limits);
    if (taken !== null) return new TakenRunOf(app, store, taken);
  }
  throw new Error("bug: nothing to take");
}

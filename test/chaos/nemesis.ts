// Breaks things at random: kills workers, the server and the postmaster, ends connections, freezes a worker for longer than
// its lease lasts. It remembers what it did when, and whose work it interrupted, so that recovery can be measured.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import { unreachable } from "../../src/lib/assert.ts";
import type { Random } from "../sim/random.ts";
import { answers, type ChaosDatabase, type Observer, terminateBackend } from "./chaos-database.ts";
import type { Fleet } from "./fleet.ts";

/** With how often each is chosen. Most are kills of workers, since recovery from those is what we publish. */
const weights = {
  kill_worker: 8,
  kill_server: 4,
  kill_postmaster: 2,
  terminate_backend: 4,
  freeze_worker: 2,
} as const;
export type Fault = keyof typeof weights;
export const faults = Object.keys(weights) as readonly Fault[];

/** An iteration that was under way when its worker was killed. */
export type InterruptedLease = { readonly runId: string; readonly iteration: number; readonly attempt: number };
export type WorkerKill = {
  readonly slot: number;
  readonly atMs: number;
  /** Null where the database could not be asked. */
  readonly leases: readonly InterruptedLease[] | null;
};
export type Outage = { readonly fromMs: number; readonly untilMs: number };

export type NemesisOptions = {
  readonly kills: number;
  /** Between two faults, at least and at most. */
  readonly pauseMs: readonly [number, number];
  /** Longer than a lease lasts without a sign of life. */
  readonly freezeMs: readonly [number, number];
};

/** A killed process is started again within this. */
const startAfterMs = 2_000;
/** What the dead had sent is committed by then, or never. */
const lastWordsMs = 200;
const lookMs = 50;
const outageMaxMs = 60_000;

export class Nemesis {
  readonly counts: Record<Fault, number> = {
    kill_worker: 0,
    kill_server: 0,
    kill_postmaster: 0,
    terminate_backend: 0,
    freeze_worker: 0,
  };
  readonly workerKills: WorkerKill[] = [];
  readonly outages: Outage[] = [];
  readonly #options: NemesisOptions;
  readonly #random: Random;
  readonly #fleet: Fleet;
  readonly #database: ChaosDatabase;
  readonly #observer: Observer;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: NemesisOptions, random: Random, fleet: Fleet, database: ChaosDatabase, observer: Observer) {
    this.#options = options;
    this.#random = random;
    this.#fleet = fleet;
    this.#database = database;
    this.#observer = observer;
  }

  get kills(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Until all kills are done, or it is told to stop; then waits for the database to be back. */
  async rage(signal: AbortSignal): Promise<void> {
    const deck = shuffled(faults, this.#random); // Each class comes at least once, where there are enough kills.
    while (this.kills < this.#options.kills && !signal.aborted) {
      await wait(this.#random.between(...this.#options.pauseMs), signal);
      const fault = deck[0] ?? this.#choose();
      if (signal.aborted || !(await this.#carryOut(fault))) continue;
      deck.shift();
      this.counts[fault] += 1;
    }
    await Promise.all(this.#underWay);
  }

  #choose(): Fault {
    return this.#random.pick(faults.flatMap((fault) => Array.from({ length: weights[fault] }, () => fault)));
  }

  /** False where there was nothing to break just now. */
  async #carryOut(fault: Fault): Promise<boolean> {
    switch (fault) {
      case "kill_worker":
        return this.#killWorker();
      case "kill_server":
        return this.#fleet.killServer(this.#random.between(0, startAfterMs));
      case "kill_postmaster":
        return this.#killPostmaster();
      case "terminate_backend":
        return terminateBackend(this.#database);
      case "freeze_worker":
        return this.#freezeWorker();
      default:
        return unreachable(fault);
    }
  }

  async #killWorker(): Promise<boolean> {
    const atWork = this.#fleet.workersAtWork();
    if (atWork.length === 0) return false;
    const slot = this.#random.pick(atWork);
    const atMs = Date.now();
    const name = await this.#fleet.killWorker(slot, this.#random.between(0, startAfterMs));
    await wait(lastWordsMs);
    this.workerKills.push({ slot, atMs, leases: await this.#observer.glance((db) => leasesOf(db, name)) });
    return true;
  }

  /** One at a time: with both frozen nobody could recover anything. */
  #freezeWorker(): boolean {
    const atWork = this.#fleet.workersAtWork();
    if (atWork.length < 2) return false;
    this.#fleet.freezeWorker(this.#random.pick(atWork), this.#random.between(...this.#options.freezeMs));
    return true;
  }

  #killPostmaster(): boolean {
    if (this.#underWay.size > 0) return false; // It is still coming back.
    const fromMs = Date.now();
    if (!this.#database.kill()) return false;
    const back = this.#untilBack(fromMs).finally(() => this.#underWay.delete(back));
    this.#underWay.add(back);
    return true;
  }

  async #untilBack(fromMs: number): Promise<void> {
    await wait(lastWordsMs);
    while (Date.now() - fromMs < outageMaxMs && !(await answers(this.#database))) await wait(lookMs);
    this.outages.push({ fromMs, untilMs: Date.now() });
  }
}

const leaseRows = z.array(z.object({ id: z.string(), iteration: z.number(), attempts: z.number() }));

async function leasesOf(db: Database, workerName: string): Promise<readonly InterruptedLease[]> {
  const { rows } = await sql`select id, iteration, attempts from homework_runs
    where leased_by = ${workerName} and leased_at is not null and status = 'running'`.execute(db.system);
  return leaseRows.parse(rows).map(({ id, iteration, attempts }) => ({ runId: id, iteration, attempt: attempts }));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

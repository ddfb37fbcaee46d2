// The world of one simulation: time, chance, who acts in it, what went wrong, and a trace of everything. Every await of the
// product on a port goes through `point`, where the world may end its process, freeze it, or let it wait.

import { createHash } from "node:crypto";
import { AppError } from "../../src/lib/app-error.ts";
import type { Env, Instant } from "../../src/lib/env.ts";
import type { FaultPlan } from "./faults.ts";
import { type Random, seeded } from "./random.ts";
import { Timeline } from "./timeline.ts";

/** A process, or one request to it. Dead ones never hear of anything again. */
export type Actor = {
  readonly name: string;
  isDead: boolean;
  frozenUntilMs: number;
  /** Its clock against the world's. */
  readonly clockOffMs: number;
  /** Told when it dies, so that someone can take its place. */
  readonly onDeath: () => void;
};

export type Violation = { readonly invariant: string; readonly detail: string; readonly atMs: number };

/** Unwinds a transaction whose process has died. */
export class Died extends Error {}

/** One for all: nobody looks at it, and making errors takes time. */
const abortion = new Error("aborted");

/** The world's own doing, told apart from the same code thrown by someone else. */
export class DatabaseAway extends AppError {}

export const unavailable = (why: string): AppError => new DatabaseAway("database_unavailable", why);
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

type Wait = { readonly minMs: number; readonly maxMs: number };
const shortWait: Wait = { minMs: 0, maxMs: 20 };
/** Longer than the ten seconds after which a job is given to someone else. */
const freezeWait: Wait = { minMs: 8_000, maxMs: 45_000 };
const pastLeaseMs = 16_000;
const slowWait: Wait = { minMs: 100, maxMs: 9_000 };
const clockBeginsMs = 1_800_000_000_000;

export type WorldOptions = {
  readonly seed: number;
  readonly faults: (random: Random) => FaultPlan;
  /** Real databases are waited for. */
  readonly isReal?: boolean;
  /** Without: every wait takes its shortest time. */
  readonly hasJitter?: boolean;
  readonly onTrace?: (line: string) => void;
};

export class World {
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly timeline: Timeline;
  readonly isReal: boolean;
  violation: Violation | null = null;
  isCalm = false;
  /** The database's clock against the world's. */
  databaseClockOffMs = 0;
  points = 0;
  readonly #hash = createHash("sha256");
  #unhashed = "";
  readonly #onTrace: ((line: string) => void) | undefined;
  readonly #hasJitter: boolean;
  readonly #pendingIo = new Set<Promise<void>>();

  constructor({ seed, faults, isReal = false, hasJitter = true, onTrace }: WorldOptions) {
    this.random = seeded(seed);
    this.faults = faults(this.random);
    this.isReal = isReal;
    this.#hasJitter = hasJitter;
    this.#onTrace = onTrace;
    this.timeline = new Timeline(this.random.next, () => this.#settle());
  }

  get nowMs(): number {
    return clockBeginsMs + this.timeline.nowMs;
  }

  get databaseNowMs(): number {
    return this.nowMs + this.databaseClockOffMs;
  }

  makeActor(name: string, onDeath: () => void = () => {}): Actor {
    const isOff = this.faults.strikes("worker_clock_off");
    const clockOffMs = isOff ? this.random.between(-120_000, 120_000) : 0;
    return { name, isDead: false, frozenUntilMs: 0, clockOffMs, onDeath };
  }

  trace(line: string): void {
    const entry = `${this.timeline.nowMs} ${line}`;
    this.#unhashed += entry;
    if (this.#unhashed.length > 20_000) this.#flush();
    this.#onTrace?.(entry);
  }

  /** Of everything that happened, and of `state`. */
  hash(state: unknown): string {
    this.#flush();
    return this.#hash.copy().update(JSON.stringify(state)).digest("hex");
  }

  report(invariant: string, detail: string): void {
    this.trace(`VIOLATION ${invariant}: ${detail}`);
    this.violation ??= { invariant, detail, atMs: this.timeline.nowMs };
  }

  /** A process waits for the database. */
  point(actor: Actor, label: string): Promise<void> {
    return this.#point(actor, label, shortWait, "before");
  }

  /** A process waits for someone else: a provider, the outside world. */
  pointOutside(actor: Actor, label: string, wait: Wait): Promise<void> {
    return this.#point(actor, label, wait, "outside");
  }

  /** The same inside a transaction: whoever dies there undoes it. A real database is not left with locks meanwhile. */
  pointInside(actor: Actor, label: string): Promise<void> {
    return this.#point(actor, label, shortWait, "inside");
  }

  kill(actor: Actor): void {
    if (actor.isDead) return;
    actor.isDead = true;
    this.trace(`${actor.name} dies`);
    actor.onDeath();
  }

  /** Real I/O is part of the moment it happens in. */
  async io<T>(work: Promise<T>): Promise<T> {
    if (!this.isReal) return work;
    const watched = work.then(
      () => {},
      () => {},
    );
    this.#pendingIo.add(watched);
    void watched.finally(() => this.#pendingIo.delete(watched));
    return work;
  }

  /** Called when the actor can hear it: not while it is frozen, and never when it is dead. */
  later(actor: Actor, afterMs: number, happen: () => void, onDead: () => void = () => {}): void {
    this.timeline.at(this.timeline.nowMs + afterMs, () => {
      if (actor.isDead) onDead();
      else if (actor.frozenUntilMs > this.timeline.nowMs)
        this.later(actor, actor.frozenUntilMs - this.timeline.nowMs + this.wait(shortWait), happen, onDead);
      else happen();
    });
  }

  wait({ minMs, maxMs }: Wait): number {
    return this.#hasJitter ? this.random.between(minMs, maxMs) : minMs;
  }

  envOf(actor: Actor): Env {
    return {
      now: () => (this.nowMs + actor.clockOffMs) as Instant,
      newId: this.random.id,
      random: this.random.next,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(abortion);
          signal?.addEventListener("abort", () => reject(abortion), { once: true });
          this.later(actor, ms, resolve);
        }),
    };
  }

  #point(actor: Actor, label: string, wait: Wait, where: "before" | "inside" | "outside"): Promise<void> {
    const inside = where === "inside";
    if (actor.isDead) return inside ? Promise.reject(new Died()) : never();
    this.points += 1;
    const fault = this.faults.atPoint({ actor: actor.name, label, inside });
    this.trace(`${actor.name} ${label}${fault === "none" ? "" : ` ${fault}`}`);
    if (fault === "crash") {
      this.kill(actor);
      return inside ? Promise.reject(new Died()) : never();
    }
    if (fault === "away" && where !== "outside") return Promise.reject(unavailable("simulated: the database is away"));
    if (fault === "freeze")
      actor.frozenUntilMs = this.timeline.nowMs + (this.#hasJitter ? this.wait(freezeWait) : pastLeaseMs);
    const waitMs = this.wait(fault === "slow" ? slowWait : wait);
    if (inside && this.isReal) return Promise.resolve();
    return new Promise((resolve, reject) =>
      this.later(actor, waitMs, resolve, inside ? () => reject(new Died()) : () => {}),
    );
  }

  #flush(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = "";
  }

  async #settle(): Promise<void> {
    // Ticks come once no promise can get on. Nothing else is waited for without I/O, and a turn of the event loop takes much longer.
    if (!this.isReal) return new Promise((resolve) => process.nextTick(resolve));
    do {
      await Promise.all(this.#pendingIo);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#pendingIo.size > 0);
  }
}

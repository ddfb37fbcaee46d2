// Locks on rows as a database has them: whoever comes second waits, for at most ten seconds, and a circle of people waiting
// for each other is noticed at once.

import { unavailable, type World } from "../world.ts";

/** A transaction, to the locks. */
export type LockOwner = { readonly name: string; readonly held: Set<string>; waitsFor: string | null };

type Waiter = { readonly owner: LockOwner; readonly grant: () => void; readonly refuse: (error: Error) => void };

/** `lock_timeout` of our connections (src/db/database.ts). */
const timeoutMs = 10_000;

export class RowLocks {
  readonly #world: World;
  readonly #owners = new Map<string, LockOwner>();
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(world: World) {
    this.#world = world;
  }

  isHeld(key: string): boolean {
    return this.#owners.has(key);
  }

  get isIdle(): boolean {
    return this.#owners.size === 0;
  }

  acquire(owner: LockOwner, key: string): Promise<void> {
    const holder = this.#owners.get(key);
    if (holder === owner) return Promise.resolve();
    if (holder === undefined) {
      this.#give(owner, key);
      return Promise.resolve();
    }
    const circle = this.#circle(owner, key);
    if (circle !== null) {
      this.#world.report("no_deadlock", circle);
      return Promise.reject(unavailable("simulated: deadlock"));
    }
    return this.#wait(owner, key);
  }

  releaseAll(owner: LockOwner): void {
    for (const key of owner.held) {
      this.#owners.delete(key);
      const next = this.#waiting.get(key)?.shift();
      if (next === undefined) continue;
      this.#give(next.owner, key);
      next.grant();
    }
    owner.held.clear();
  }

  #wait(owner: LockOwner, key: string): Promise<void> {
    const line = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, line);
    owner.waitsFor = key;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { owner, grant: resolve, refuse: reject };
      line.push(waiter);
      const { timeline } = this.#world;
      timeline.at(timeline.nowMs + timeoutMs, () => {
        const at = line.indexOf(waiter);
        if (at === -1) return;
        line.splice(at, 1);
        owner.waitsFor = null;
        reject(unavailable("simulated: a lock was not to be had in time"));
      });
    });
  }

  #give(owner: LockOwner, key: string): void {
    this.#owners.set(key, owner);
    owner.held.add(key);
    owner.waitsFor = null;
  }

  /** Who waits for whom, if it leads back to `owner`. */
  #circle(owner: LockOwner, key: string): string | null {
    const path = [`${owner.name} wants ${key}`];
    for (let wanted: string | null = key; wanted !== null; ) {
      const holder = this.#owners.get(wanted);
      if (holder === undefined) return null;
      if (holder === owner) return path.join(", ");
      wanted = holder.waitsFor;
      path.push(`${holder.name} wants ${wanted}`);
    }
    return null;
  }
}

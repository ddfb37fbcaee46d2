// The events of one run as far as they are loaded. They are numbered without a gap, so any part can be fetched by itself; what
// is loaded never changes. Knows nothing of React: `fetchAfter` and the listeners come in from outside.

import type { RunEvent } from "../../../../../src/protocol/api.ts";

/** As many as one request may bring. */
const blockSize = 200;
/** Requests at once while everything is loaded. */
const atOnce = 4;

type FetchAfter = (seq: number, limit: number, signal: AbortSignal) => Promise<readonly RunEvent[]>;

export type EventLogState = {
  /** The number of the last event there is. */
  readonly last: number;
  readonly loaded: number;
  /** By number; those that are not loaded are missing. */
  readonly bySeq: ReadonlyMap<number, RunEvent>;
  readonly error: Error | null;
};

export class EventLog {
  readonly #fetchAfter: FetchAfter;
  readonly #listeners = new Set<() => void>();
  readonly #bySeq = new Map<number, RunEvent>();
  /** Numbers that the server does not have, though it has later ones. */
  readonly #holes = new Set<number>();
  readonly #underWay = new Map<number, Promise<void>>();
  #closing = new AbortController();
  #state: EventLogState;

  constructor(last: number, fetchAfter: FetchAfter) {
    this.#fetchAfter = fetchAfter;
    this.#state = { last, loaded: 0, bySeq: this.#bySeq, error: null };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): EventLogState => this.#state;

  /** A view that shows the log calls this, and `close` when it leaves: requests under way are aborted then. */
  open(): void {
    if (this.#closing.signal.aborted) this.#closing = new AbortController();
  }

  close(): void {
    this.#closing.abort();
  }

  /** One that has just happened. Those between it and what was known are fetched when they are looked at. */
  append(event: RunEvent): void {
    this.#bySeq.set(event.seq, event);
    this.#holes.delete(event.seq);
    this.#tell({ last: Math.max(this.#state.last, event.seq), error: null });
  }

  /** There are at least this many. */
  grow(last: number): void {
    if (last > this.#state.last) this.#tell({ last });
  }

  /** Fetches what is missing of them; a failure is kept in the state and can be tried again. */
  async need(from: number, to: number): Promise<void> {
    const firsts = this.#missingBlocks(Math.max(1, from), Math.min(to, this.#state.last));
    await Promise.all(firsts.map((first) => this.#fetchBlock(first)));
  }

  /** Everything there is by now, in order; throws where a part cannot be fetched. */
  async loadAll(): Promise<readonly RunEvent[]> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const missing = this.#missingBlocks(1, this.#state.last);
      if (missing.length === 0) break;
      await Promise.all(missing.slice(0, atOnce).map((first) => this.#fetchBlock(first)));
      if (this.#state.error) throw this.#state.error;
    }
    return this.inOrder();
  }

  inOrder(): readonly RunEvent[] {
    return [...this.#bySeq.values()].sort((one, other) => one.seq - other.seq);
  }

  #missingBlocks(from: number, to: number): readonly number[] {
    const firsts = new Set<number>();
    for (let seq = from; seq <= to; seq++) {
      if (!this.#bySeq.has(seq) && !this.#holes.has(seq)) firsts.add(seq - ((seq - 1) % blockSize));
    }
    return [...firsts];
  }

  #fetchBlock(first: number): Promise<void> {
    const known = this.#underWay.get(first);
    if (known !== undefined) return known;
    const fetching = this.#load(first).finally(() => this.#underWay.delete(first));
    this.#underWay.set(first, fetching);
    return fetching;
  }

  async #load(first: number): Promise<void> {
    const { signal } = this.#closing;
    try {
      const events = await this.#fetchAfter(first - 1, blockSize, signal);
      for (const event of events) this.#bySeq.set(event.seq, event);
      const end = Math.min(first + blockSize - 1, this.#state.last);
      for (let seq = first; seq <= end; seq++) if (!this.#bySeq.has(seq)) this.#holes.add(seq);
      this.#tell({ error: null });
    } catch (cause) {
      if (signal.aborted) return;
      this.#tell({ error: cause instanceof Error ? cause : new Error(String(cause)) });
    }
  }

  #tell(change: Partial<EventLogState>): void {
    this.#state = { ...this.#state, ...change, loaded: this.#bySeq.size };
    for (const listener of this.#listeners) listener();
  }
}

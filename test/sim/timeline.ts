// Virtual time: what is to happen, in the order of its time and, where two are due at once, in an order the seed chooses.
// Between two happenings every promise that can get on does, so nothing depends on how quick the machine is.

type Happening = { readonly atMs: number; readonly order: number; readonly happen: () => void };

export class Timeline {
  nowMs = 0;
  readonly #heap: Happening[] = [];
  readonly #chance: () => number;
  readonly #settle: () => Promise<void>;

  /** `settle` waits until everything that was set off has come to rest. */
  constructor(chance: () => number, settle: () => Promise<void>) {
    this.#chance = chance;
    this.#settle = settle;
  }

  at(atMs: number, happen: () => void): void {
    const heap = this.#heap;
    const added: Happening = { atMs: Math.max(atMs, this.nowMs), order: this.#chance(), happen };
    let at = heap.push(added) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(added, heap[above] as Happening)) break;
      heap[at] = heap[above] as Happening;
      at = above;
    }
    heap[at] = added;
  }

  /** Until `isOver`, or until nothing is left to happen. */
  async play(isOver: () => boolean): Promise<void> {
    await this.#settle();
    while (!isOver()) {
      const next = this.#take();
      if (next === null) return;
      this.nowMs = next.atMs;
      next.happen();
      await this.#settle();
    }
  }

  #take(): Happening | null {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Happening, heap[below] as Happening)) below += 1;
      if (!isBefore(heap[below] as Happening, last)) break;
      heap[at] = heap[below] as Happening;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Happening, b: Happening): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

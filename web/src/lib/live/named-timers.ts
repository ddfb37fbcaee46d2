// Timers by name, each at most once: setting one again begins it anew.

export class NamedTimers<Name extends string> {
  readonly #running = new Map<Name, ReturnType<typeof setTimeout>>();

  set(name: Name, ms: number, work: () => void): void {
    this.clear(name);
    const timer = setTimeout(() => {
      this.#running.delete(name);
      work();
    }, ms);
    this.#running.set(name, timer);
  }

  clear(...names: readonly Name[]): void {
    for (const name of names) {
      clearTimeout(this.#running.get(name));
      this.#running.delete(name);
    }
  }

  isSet(name: Name): boolean {
    return this.#running.has(name);
  }
}

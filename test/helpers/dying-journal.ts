// A journal under which an attempt dies, as if its process were killed there: from then on everything asked of it throws.

import type { Tx } from "../../src/db/database.ts";
import type { Entry, Journal } from "../../src/runs/ports/engine.ts";

/** At this entry, before it is begun or right after it was kept. */
export type Death = { readonly key: string; readonly when: "before" | "after" };

export function dieAt(journal: Journal<Tx>, { key, when }: Death, makeError: () => Error): Journal<Tx> {
  let isDead = false;
  const living = async <T>(entry: Entry, work: () => Promise<T>): Promise<T> => {
    const isHere = keyOf(entry) === key;
    isDead ||= isHere && when === "before";
    if (isDead) throw makeError();
    const done = await work();
    isDead ||= isHere;
    if (isDead) throw makeError();
    return done;
  };
  return {
    signal: journal.signal,
    has: (asked) => journal.has(asked),
    recall: (asked) => journal.recall(asked),
    once: (entry, work) => living(entry, () => journal.once(entry, work)),
    write: (entry, work) => living(entry, () => journal.write(entry, work)),
    ask: (call, ask) => living(call.key, () => journal.ask(call, ask)),
    effect: (entry, isRepeatable, act, tell) => living(entry, () => journal.effect(entry, isRepeatable, act, tell)),
    startOrAdopt: (entry, effect, tell) => living(entry, () => journal.startOrAdopt(entry, effect, tell)),
    hear: (entry, shown) => living(entry, () => journal.hear(entry, shown)),
  };
}

const keyOf = (entry: Entry): string => (typeof entry === "string" ? entry : entry.key);

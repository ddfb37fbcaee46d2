// Plays the golden run once for every place where something can go wrong, with that one thing going wrong there: the process
// dies, freezes past its lease, finds no database, or is not told that its commit happened.

import { type GoldenEnd, type GoldenFaults, playGolden } from "./golden-run.ts";
import type { StoreBug } from "./memory/memory-backend.ts";

export type SweepKind = "crash" | "freeze" | "away" | "lost_acknowledgement";

export type Swept = {
  readonly boundaries: number;
  /** Where the end was another, or an invariant was broken. */
  readonly wrong: readonly { readonly at: number; readonly where: string; readonly end: GoldenEnd }[];
};

const isWorker = (actor: string): boolean => actor.startsWith("worker");

/** No database is asked there. */
const isOutside = (label: string): boolean => label.startsWith("provider") || label.startsWith("outside");

/** One fault of this kind at the boundary of this number; `where` is filled in when it happens. */
function oneFault(kind: SweepKind, at: number): { readonly faults: GoldenFaults; where: string | null } {
  let count = 0;
  const isHere = (actor: string, label: string): boolean => {
    if (!isWorker(actor) || (kind === "away" && isOutside(label))) return false;
    count += 1;
    if (count === at) played.where = `${actor} ${label}`;
    return count === at;
  };
  const played: { faults: GoldenFaults; where: string | null } = {
    where: null,
    faults:
      kind === "lost_acknowledgement"
        ? { losesAcknowledgement: ({ actor, label }) => isHere(actor, label) }
        : { atPoint: ({ actor, label }) => (isHere(actor, label) ? kind : "none") },
  };
  return played;
}

/** `every`: 1 is each boundary, 3 each third. */
export async function sweep(kind: SweepKind, quietEnd: string, every = 1, bug?: StoreBug): Promise<Swept> {
  const wrong: { at: number; where: string; end: GoldenEnd }[] = [];
  for (let [at, boundaries] = [1, 0]; ; at += every, boundaries++) {
    const played = oneFault(kind, at);
    const end = await playGolden(played.faults, bug);
    if (played.where === null) return { boundaries, wrong };
    if (end.violation !== null || JSON.stringify(end.state) !== quietEnd) wrong.push({ at, where: played.where, end });
  }
}

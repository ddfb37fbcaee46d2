// Plays the golden run once for every place where something can go wrong, with that one thing going wrong there: the process
// dies, freezes past its lease, finds no database, or is not told that its commit happened.

import { type GoldenEnd, type GoldenFaults, playGolden } from "./golden-run.ts";
import type { StoreBug } from "./memory/memory-backend.ts";

export const sweepKinds = ["crash", "freeze", "away", "lost_acknowledgement"] as const;
export type SweepKind = (typeof sweepKinds)[number];

export type Swept = {
  /** At how many of them something went wrong, and of how many kinds they were. */
  readonly boundaries: number;
  readonly kinds: number;
  /** Where the end was another, or an invariant was broken. */
  readonly wrong: readonly { readonly at: number; readonly where: string; readonly end: GoldenEnd }[];
};

const isWorker = (actor: string): boolean => actor.startsWith("worker");

/** No database is asked there. */
const isOutside = (label: string): boolean => label.startsWith("provider") || label.startsWith("outside");

/** No two boundaries of one kind differ in more than the place in the run: `reserve exec:2/llm:1: after` is `reserve exec:/llm:: after`. */
const kindOf = (label: string): string => label.replaceAll(/\d+(\.\d+)?/g, "");

/** Calls `onBoundary` with its number, from 1; a fault happens where that says so. */
function faultsWhere(kind: SweepKind, onBoundary: (at: number, actor: string, label: string) => boolean): GoldenFaults {
  let count = 0;
  const isHere = (actor: string, label: string): boolean => {
    if (!isWorker(actor) || (kind === "away" && isOutside(label))) return false;
    count += 1;
    return onBoundary(count, actor, label);
  };
  return kind === "lost_acknowledgement"
    ? { losesAcknowledgement: ({ actor, label }) => isHere(actor, label) }
    : { atPoint: ({ actor, label }) => (isHere(actor, label) ? kind : "none") };
}

/** The kind of each boundary of a run in which nothing goes wrong. */
async function readKinds(kind: SweepKind, bug?: StoreBug): Promise<readonly string[]> {
  const kinds: string[] = [];
  await playGolden(
    faultsWhere(kind, (_at, _actor, label) => {
      kinds.push(kindOf(label));
      return false;
    }),
    bug,
  );
  return kinds;
}

/** `every`: 1 is each boundary; with 8 it is each eighth, and the first of each kind. */
export async function sweep(kind: SweepKind, quietEnd: string, every = 1, bug?: StoreBug): Promise<Swept> {
  const wrong: { at: number; where: string; end: GoldenEnd }[] = [];
  const kinds = await readKinds(kind, bug);
  const swept = kinds.flatMap((each, at) => (at % every === 0 || kinds.indexOf(each) === at ? [at + 1] : []));
  for (const at of swept) {
    let where = null as string | null;
    const faults = faultsWhere(kind, (here, actor, label) => {
      if (here === at) where = `${actor} ${label}`;
      return here === at;
    });
    const end = await playGolden(faults, bug);
    if (where === null) throw new Error(`boundary ${at} of ${kinds.length} was not reached`);
    if (end.violation !== null || JSON.stringify(end.state) !== quietEnd) wrong.push({ at, where, end });
  }
  return { boundaries: swept.length, kinds: new Set(kinds).size, wrong };
}

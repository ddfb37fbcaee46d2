// What undoing a run comes to: which things it made go away, which rows are put back as they were, and what stands in the
// way. Decides from facts that were read before; what somebody else did since is never overwritten unless it was named.

import type { ChangeOp } from "../entity/entity.ts";
import type { EntityKind } from "../entity/kinds.ts";

export type UndoKind = EntityKind | "project" | "edge";

export type Thing = {
  readonly kind: UndoKind;
  readonly id: string;
  readonly projectId: string;
  /** Of an edge: its kind of link. */
  readonly title: string;
};

/** How a thing is named in a choice: `task:0198…`. */
export const refOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind}:${id}`;

/** Something that somebody else did, or keeps. */
export type Trace = {
  readonly at: string;
  readonly op: ChangeOp;
  readonly userId: string | null;
  readonly userName: string | null;
  /** The run that did it; null for a person. */
  readonly runId: string | null;
};

/** What the run did to one thing, from its first change that was not taken back. */
export type Touched = Thing & {
  /** The number of that change in its project's history: what stood there before it is what is put back. */
  readonly firstSeq: number;
  /** The run made it: undone, it is not there. Else its row is put back. */
  readonly isMade: boolean;
  /** False: its row is gone for good. */
  readonly isThere: boolean;
  /** It lay in the bin before. */
  readonly wasBinned: boolean;
  /** Its user may still write there. */
  readonly mayWrite: boolean;
  /** The user's place for the pages of all their runs: it stays while it is used. */
  readonly isShared: boolean;
  /** The last change by somebody else since, and how many there were. */
  readonly changedSince: { readonly last: Trace; readonly count: number } | null;
};

/** What was found to hold on to something that would go, or to stand where something would be put back. */
export type Obstacle = {
  readonly ref: string;
  readonly reason: "in_use" | "place_taken" | "would_loop";
  /** The thing in the way, and who put it there; null where several are. */
  readonly by: (Thing & { readonly trace: Trace | null }) | null;
  /** A link that can be taken out of the way. */
  readonly linkId: string | null;
};

export type Choice = { readonly skip: ReadonlySet<string>; readonly force: ReadonlySet<string> };

export type Conflict = {
  readonly thing: Thing;
  readonly reason: "changed_since" | "no_access" | Obstacle["reason"];
  readonly trace: Trace | null;
  readonly by: Thing | null;
  readonly canForce: boolean;
};

export type UndoPlan = {
  readonly remove: readonly Touched[];
  readonly restore: readonly Touched[];
  /** Links of others that are taken out of the way, because that was chosen. */
  readonly unlink: readonly string[];
  /** Stays, because others use it too. */
  readonly kept: readonly Thing[];
  readonly skipped: readonly Thing[];
  /** Nothing is done while there are any. */
  readonly conflicts: readonly Conflict[];
};

/** What would go and what would be put back, before anyone has looked at what stands in the way. */
export function candidates(touched: readonly Touched[], { skip }: Choice) {
  const wanted = touched.filter((thing) => thing.mayWrite && !skip.has(refOf(thing)));
  return {
    remove: wanted.filter(({ isMade, isThere }) => isMade && isThere),
    restore: wanted.filter(({ isMade }) => !isMade),
  };
}

export function planUndo(touched: readonly Touched[], obstacles: readonly Obstacle[], choice: Choice): UndoPlan {
  // What the run made and is gone already needs nothing.
  const open = touched.filter(({ isMade, isThere }) => !isMade || isThere);
  const skipped = open.filter((thing) => choice.skip.has(refOf(thing)));
  const { remove, restore } = candidates(open, choice);
  const inTheWay = Map.groupBy(obstacles, ({ ref }) => ref);
  const kept = remove.filter((thing) => thing.isShared && inTheWay.has(refOf(thing)));
  const isKept = new Set(kept.map(refOf));
  const wanted = open.filter((thing) => !choice.skip.has(refOf(thing)) && !isKept.has(refOf(thing)));
  const conflicts = wanted.flatMap((thing) => conflictsOf(thing, inTheWay.get(refOf(thing)) ?? [], choice));
  const forced = obstacles.filter(({ ref, linkId }) => linkId !== null && choice.force.has(ref));
  return {
    remove: remove.filter((thing) => !isKept.has(refOf(thing))),
    restore,
    unlink: forced.flatMap(({ linkId }) => (linkId === null ? [] : [linkId])),
    kept: kept.map(toThing),
    skipped: skipped.map(toThing),
    conflicts,
  };
}

function conflictsOf(thing: Touched, obstacles: readonly Obstacle[], { force }: Choice): readonly Conflict[] {
  const ref = refOf(thing);
  const base = { thing: toThing(thing), by: null };
  if (!thing.mayWrite) return [{ ...base, reason: "no_access", trace: null, canForce: false }];
  const found: Conflict[] = [];
  if (thing.changedSince !== null)
    found.push({ ...base, reason: "changed_since", trace: thing.changedSince.last, canForce: true });
  for (const { reason, by, linkId } of obstacles)
    found.push({ ...base, reason, trace: by?.trace ?? null, by: by && toThing(by), canForce: linkId !== null });
  return found.filter(({ canForce }) => !canForce || !force.has(ref));
}

const toThing = ({ kind, id, projectId, title }: Thing): Thing => ({ kind, id, projectId, title });

/** Whether there is nothing to do and nothing to ask. */
export const isNothingLeft = ({ remove, restore, conflicts }: UndoPlan): boolean =>
  remove.length + restore.length + conflicts.length === 0;

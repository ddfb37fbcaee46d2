// What is to become of things that others have worked on since: remembered while the dry run is asked again and again, because
// a thing that was decided about is no conflict any more. Pure.

import type { Undone } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";

export type UndoConflict = Undone["conflicts"]["items"][number];
export type UndoChoice = "skip" | "force";

export type UndoChoices = {
  /** Every conflict seen so far, in the order they came up. */
  readonly seen: readonly UndoConflict[];
  readonly chosen: Readonly<Record<string, UndoChoice>>;
};

export const noChoices: UndoChoices = { seen: [], chosen: {} };

export function withSeen(choices: UndoChoices, conflicts: readonly UndoConflict[]): UndoChoices {
  const known = new Set(choices.seen.map(({ thing }) => thing.ref));
  const added = conflicts.filter(({ thing }) => !known.has(thing.ref));
  return added.length === 0 ? choices : { ...choices, seen: [...choices.seen, ...added] };
}

export function withChoice(choices: UndoChoices, ref: string, choice: UndoChoice): UndoChoices {
  return { ...choices, chosen: { ...choices.chosen, [ref]: choice } };
}

/** What cannot be overwritten is left as it is. */
export function withAll(choices: UndoChoices, choice: UndoChoice): UndoChoices {
  const chosen = choices.seen.map(({ thing, can_force: can }) => [thing.ref, can ? choice : "skip"] as const);
  return { ...choices, chosen: Object.fromEntries(chosen) };
}

export function toUndoBody({ chosen }: UndoChoices) {
  const named = (choice: UndoChoice) =>
    Object.entries(chosen)
      .filter(([, each]) => each === choice)
      .map(([ref]) => ref);
  return { skip: named("skip"), force: named("force") };
}

/** Who did it, and when that is known. */
export function whoWords({ who }: UndoConflict): string | null {
  if (who === null) return null;
  if (who.run_id !== null) return "by another run";
  return who.name === null ? null : `by ${who.name}`;
}

export const restoredWords = (restored: number, left: number): string => {
  if (restored + left === 0) return "There is nothing left to restore";
  const back = `${counted(restored, "thing")} restored`;
  return left === 0 ? back : `${back}; ${left} changed since or without a place, left as it is`;
};

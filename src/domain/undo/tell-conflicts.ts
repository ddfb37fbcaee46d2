// What stands in the way of taking a run's writes back, counted by what it is: others' work, others' use, or a right that is gone.

import type { Conflict } from "./undo-plan.ts";

type Told = { readonly ref: string; readonly reason: Conflict["reason"] };

const kindOf = {
  changed_since: "work",
  no_access: "right",
  in_use: "use",
  place_taken: "use",
  would_loop: "use",
} as const;

/** As the beginning of a sentence; each thing counts once in a kind, however often it is in the way. */
export function tellConflicts(conflicts: readonly Told[]): string {
  const count = (kind: (typeof kindOf)[Told["reason"]]) =>
    new Set(conflicts.filter(({ reason }) => kindOf[reason] === kind).map(({ ref }) => ref)).size;
  const [work, use, right] = [count("work"), count("use"), count("right")];
  const parts = [
    ...(work > 0 ? [`others have worked on ${things(work)} since`] : []),
    ...(use > 0 ? [`others use ${things(use)} or its place`] : []),
    ...(right > 0 ? [`you may no longer write to ${things(right)}`] : []),
  ].join(", and ");
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}

const things = (count: number): string => `${count} ${count === 1 ? "thing" : "things"}`;

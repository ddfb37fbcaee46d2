// What the start of an agent before this one came to, for the next one: whether it left DONE, and what stood against that.

import type { Proof } from "../run/checks/check.ts";
import { wasNotAsked } from "../run/checks/not-asked.ts";
import type { Run } from "../run/run.ts";
import { isDoneCheck } from "./done-check.ts";

export type LastStart = {
  readonly hasClaimed: boolean;
  /** What the checks found, once each. */
  readonly points: readonly string[];
  /** Why it goes on, where the checks do not say it; null: they do, or nothing is known. */
  readonly why: string | null;
};

type Before = Pick<Run, "checks" | "lastProofs" | "guidance">;

const saidSomething = "The user has said something new: take it up first.";
const goesOn = "The task goes on: look whether anything is missing.";
const tooEarly = "DONE was created although the state or the last words name something that remains.";

/** `hadDone`: DONE was seen there; null: it was not looked for, and the check of DONE says it. */
export function readLastStart({ checks, lastProofs, guidance }: Before, hadDone: boolean | null): LastStart {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const isClaim = ({ checkId }: Proof): boolean => {
    const check = byId.get(checkId);
    return check !== undefined && (isDoneCheck(check) || check.target.kind === "plan_complete");
  };
  const red = lastProofs.filter((proof) => !proof.isGreen && !isClaim(proof) && !wasNotAsked(proof));
  const points = [...new Set(red.map(({ seen }) => seen.trim()))];
  const hasClaimed = hadDone ?? lastProofs.some((proof) => proof.isGreen && isClaim(proof));
  return { hasClaimed, points, why: tellWhy(guidance, hasClaimed, points.length > 0) };
}

export const listReasons = ({ points, why }: LastStart): readonly string[] => [
  ...points,
  ...(why === null ? [] : [why]),
];

function tellWhy(guidance: Before["guidance"], hasClaimed: boolean, hasPoints: boolean): string | null {
  switch (guidance?.next) {
    case "replan":
      return saidSomething;
    // Both only repeat what the checks found.
    case "mend_what_failed":
    case "as_planned":
      return hasClaimed && !hasPoints ? tooEarly : null;
    default:
      return guidance?.why ?? (hasClaimed && !hasPoints ? goesOn : null);
  }
}

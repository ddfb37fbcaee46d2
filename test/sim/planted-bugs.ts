// Bugs that were planted to see whether the simulation finds them. One that survives is an invariant that is missing.

import { claimBugs } from "./bugs/claim-bugs.ts";
import { moveBugs } from "./bugs/move-bugs.ts";
import { sessionBugs } from "./bugs/session-bugs.ts";
import { workBugs } from "./bugs/work-bugs.ts";
import { type PlantedBug, play } from "./simulate.ts";

export const plantedBugs: readonly PlantedBug[] = [...claimBugs, ...moveBugs, ...workBugs, ...sessionBugs];

export const seedsMax = 250;

export type Hunted = { readonly bug: string; readonly seeds: number; readonly foundBy: string | null };

/** How many seeds it takes to find it. */
export async function hunt(bug: PlantedBug): Promise<Hunted> {
  for (let seed = 1; seed <= seedsMax; seed++) {
    const { violation } = await play(seed, { bug });
    if (violation !== null) return { bug: bug.name, seeds: seed, foundBy: violation.invariant };
  }
  return { bug: bug.name, seeds: seedsMax, foundBy: null };
}

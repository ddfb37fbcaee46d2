// Bugs that were planted to see whether the simulation finds them. One that survives is an invariant that is missing.

import { leaseBugs } from "./bugs/lease-bugs.ts";
import { moveBugs } from "./bugs/move-bugs.ts";
import { sessionBugs } from "./bugs/session-bugs.ts";
import { workBugs } from "./bugs/work-bugs.ts";
import { type PlantedBug, play } from "./simulate.ts";

export const plantedBugs: readonly PlantedBug[] = [...leaseBugs, ...moveBugs, ...workBugs, ...sessionBugs];

export const seedsMax = 250;

export type Hunted = { readonly bug: string; readonly seed: number; readonly foundBy: string | null };

/** The first seed that finds it, or `likelySeed` if that one does. */
export async function hunt(bug: PlantedBug, likelySeed?: number): Promise<Hunted> {
  const seeds = Array.from({ length: seedsMax }, (_, n) => n + 1);
  for (const seed of likelySeed === undefined ? seeds : [likelySeed, ...seeds]) {
    const { violation } = await play(seed, { bug });
    if (violation !== null) return { bug: bug.name, seed, foundBy: violation.invariant };
  }
  return { bug: bug.name, seed: seedsMax, foundBy: null };
}

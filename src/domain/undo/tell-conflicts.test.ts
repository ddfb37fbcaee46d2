import { expect, test } from "vitest";
import { tellConflicts } from "./tell-conflicts.ts";

const conflict = (ref: string, reason: Parameters<typeof tellConflicts>[0][number]["reason"]) => ({ ref, reason });

test.each([
  [[conflict("a", "changed_since")], "Others have worked on 1 thing since"],
  [[conflict("a", "no_access"), conflict("b", "no_access")], "You may no longer write to 2 things"],
  [[conflict("a", "in_use"), conflict("a", "place_taken")], "Others use 1 thing or its place"],
  [
    [conflict("a", "no_access"), conflict("b", "changed_since"), conflict("c", "would_loop")],
    "Others have worked on 1 thing since, and others use 1 thing or its place, and you may no longer write to 1 thing",
  ],
])("%j is told by what it is", (conflicts, words) => {
  expect(tellConflicts(conflicts)).toBe(words);
});

import { expect, test } from "vitest";
import { planCheck } from "../run/checks/adopt.ts";
import type { Check } from "../run/checks/check.ts";
import { anyFile } from "./any-file.ts";
import { doneCheck } from "./done-check.ts";
import { tellConditions } from "./done-conditions.ts";

const check = (target: Check["target"], givenBy: Check["givenBy"] = "platform"): Check => ({
  id: `${givenBy}:${JSON.stringify(target)}`,
  deliverableId: "work",
  target,
  givenBy,
});

test.each([
  [check({ kind: "file_exists", path: anyFile }), "At least one file in the work folder was made or changed."],
  [
    check({ kind: "judge", rubric: "It is there." }),
    "Another agent reviews the whole diff and finds the task complete and correct.",
  ],
  [
    check({ kind: "judge", rubric: "No new dependency." }, "user"),
    "Another agent reviews the whole diff and finds that this holds: No new dependency.",
  ],
  [
    check({ kind: "command_succeeds", program: "npm", args: ["test"] }, "user"),
    "Asked for by the user: npm test succeeds.",
  ],
])("a condition is a sentence: %#", (given, sentence) => expect(tellConditions([given])).toEqual([sentence]));

test("DONE and the plan are the claim, and the same condition is told once", () => {
  const judge = { kind: "judge", rubric: "It is there." } as const;
  const other = { ...check(judge), id: "judge:other" };
  expect(tellConditions([planCheck, doneCheck, check(judge), other])).toHaveLength(1);
});

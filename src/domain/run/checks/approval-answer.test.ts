import { expect, test } from "vitest";
import { readApproval } from "./approval-answer.ts";

const kindOf = (answer: string) => readApproval(answer).kind;

test.for([
  "approve",
  "Approve.",
  " YES! ",
  "yes please",
  '"approve all"',
  "“go ahead”.",
  "ok",
  "approve\n",
  "Approve  all",
])("%j approves", (answer) => expect(kindOf(answer)).toBe("approved"));

test.for(["reject", "No.", "n", "reject all!", "no thanks"])("%j rejects", (answer) =>
  expect(kindOf(answer)).toBe("rejected"),
);

test.for([
  "yes, but leave the floor as it is",
  "approve the first one only",
  "yes?",
  "approve?",
  "not yes",
  "don't approve",
  "yes no",
  "no, approve",
  "yeah",
  "approve\nand delete the rest",
  "y\u200bes",
  "",
  ".",
  "approved 3, rejected 1",
])("%j approves of nothing: it is a wish", (answer) => expect(kindOf(answer)).toBe("edited"));

test("a wish is kept as it was said", () => {
  expect(readApproval(" Yes, but in blue. ")).toEqual({ kind: "edited", wish: "Yes, but in blue." });
});

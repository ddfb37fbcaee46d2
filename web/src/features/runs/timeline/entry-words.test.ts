import { expect, test } from "vitest";
import { entryWords } from "./entry-words.ts";

const judged = (result: string | null, summary = "{…") =>
  entryWords({ kind: "model", role: "judge", summary, result, calls: 0 });

test("a verdict is told in words", () => {
  expect(judged('{"complete":true,"score":1,"missing":[],"quotes":["a"]}')).toBe("Agreed: the work is complete");
  expect(judged('{"complete":false,"missing":["prices","dates"]}')).toBe("Disagreed. Missing: prices; dates");
  expect(judged('{"complete":false}')).toBe("Disagreed: the work is not complete");
});

test("a verdict that cannot be read is not shown raw", () => {
  expect(judged('{"complete":tr')).toBe("Gave its verdict");
  expect(judged(null, "Answer broke off")).toBe("Answer broke off");
});

test("a model that asked for tools has decided what to do; others are told as they are", () => {
  const model = { kind: "model", role: "planner", result: null } as const;
  expect(entryWords({ ...model, summary: "Asked for 2 tool calls", calls: 2 })).toBe("Decided what to do next");
  expect(entryWords({ ...model, summary: "I looked around", calls: 0 })).toBe("I looked around");
});

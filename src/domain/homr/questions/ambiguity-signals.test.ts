import { describe, expect, test } from "vitest";
import { expectEvenGrowth } from "../../../../test/helpers/even-growth.ts";
import type { AmbiguitySignal } from "../observe/observation.ts";
import { findSignals, weighAmbiguity } from "./ambiguity-signals.ts";

const kinds = (output: string) => findSignals(output).map(({ kind }) => kind);

test.each([
  ["I'm not sure about the form.", "explicit_uncertainty"],
  ["I’m uncertain.", "explicit_uncertainty"],
  ["I am unsure.", "explicit_uncertainty"],
  ["I go on, assuming that prices include tax.", "assumption"],
  ["This could go either way.", "multiple_approaches"],
  ["The requirement needs clarification.", "explicit_request"],
  ["I do not know which approach is meant.", "decision_needed"],
  ["Blocked by a missing key.", "blocker"],
  ["I can't proceed.", "blocker"],
  ["I cannot proceed.", "blocker"],
  ["The two pages contradict each other.", "contradiction"],
  ["This conflicts with the approach.", "contradiction"],
])("“%s” shows %s", (output, kind) => expect(kinds(output)).toEqual([kind]));

test("plain work shows nothing", () => expect(kinds("The form is done and all tests pass.")).toEqual([]));

test("each kind is told once, with the sentence", () => {
  expect(findSignals("Done. I'm not sure. Still, I am unsure.")).toEqual([
    { kind: "explicit_uncertainty", quote: "I'm not sure." },
  ]);
});

test.each([
  ["between fences", '<<<untrusted f3nc3f3nc3 from "web page">>>\nI cannot proceed.\n<<<end f3nc3f3nc3>>>'],
  ["in a fence that is not closed", '<<<untrusted f3nc3f3nc3 from "web page">>>\nI cannot proceed.'],
  ["in code", "```\n// I cannot proceed.\n```"],
  ["quoted", "> I cannot proceed."],
])("words %s are not the worker's", (_name, output) => expect(kinds(output)).toEqual([]));

test("words after a fence are", () => {
  expect(kinds('<<<untrusted f3nc3f3nc3 from "p">>>\nx\n<<<end f3nc3f3nc3>>>\nI cannot proceed.')).toEqual(["blocker"]);
});

const signal: AmbiguitySignal = {
  type: "multiple_approaches",
  description: "Two forms would do",
  evidence: ["a or b"],
  affectedTasks: [2],
  suggestedQuestion: "Which form?",
};
const grave: AmbiguitySignal = { ...signal, type: "contradicting_info" };
const passing = "I go on, assuming that prices include tax.";
const doubt = "I'm not sure.";
const doubts = "I'm not sure. It needs clarification.";

describe("how much is enough", () => {
  test.each([
    ["nothing", null, "", { low: false, medium: false, high: false }],
    ["a word in passing", null, passing, { low: false, medium: false, high: false }],
    ["one plain doubt", null, doubt, { low: true, medium: false, high: false }],
    ["two plain doubts", null, doubts, { low: true, medium: true, high: false }],
    ["the model", signal, "", { low: true, medium: true, high: false }],
    ["the model and a doubt", signal, doubt, { low: true, medium: true, high: true }],
    ["the model about a contradiction", grave, "", { low: true, medium: true, high: true }],
  ] as const)("%s", (_name, said, output, expected) => {
    const asks = (threshold: "low" | "medium" | "high") => weighAmbiguity(said, output, threshold) !== null;
    expect({ low: asks("low"), medium: asks("medium"), high: asks("high") }).toEqual(expected);
  });
});

test("what the model said stands, with the worker's words as evidence", () => {
  expect(weighAmbiguity(signal, doubt, "medium")).toEqual({ ...signal, evidence: ["a or b", doubt] });
});

test("words alone say what kind of doubt it is, the plainest first", () => {
  expect(weighAmbiguity(null, `${passing} Blocked by a missing key.`, "low")).toMatchObject({
    type: "blocking_decision",
    affectedTasks: [],
  });
});

test.each(["I'm not sure ", "```\n", "> ", "<<<untrusted a from\n", ". ", "\n"])(
  "looking at much of %j grows evenly",
  (text) => {
    expectEvenGrowth(100_000, (size) => findSignals(text.repeat(size / text.length)));
  },
);

import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { expectEvenGrowth } from "../../../../test/helpers/even-growth.ts";
import { readJudgeAnswer } from "./judge-answer.ts";

const page = "The queue keeps every job\nuntil a worker has acknowledged it.";
const yes = { score: 0.9, complete: true, missing: [], quotes: ["keeps every job until a worker"] };
const read = (answer: unknown) => readJudgeAnswer(typeof answer === "string" ? answer : JSON.stringify(answer), [page]);

test("a clear yes that quotes what is there is green", () => {
  expect(read(yes)).toMatchObject({ isGreen: true, score: 0.9 });
});
test.each([
  ["in a fence", `\`\`\`json\n${JSON.stringify(yes, null, 2)}\n\`\`\``],
  ["behind prose", `I read it {twice}.\n\nAnswer: ${JSON.stringify(yes)}`],
  ["before prose", `${JSON.stringify(yes)}\nThat is all.`],
])("an answer is read %s", (_where, answer) => expect(read(answer).isGreen).toBe(true));

test.each([
  ["no", { ...yes, complete: false }],
  ["yes with something missing", { ...yes, missing: ["sources"] }],
  ["yes with a low score", { ...yes, score: 0.2 }],
  ["yes without a quote", { ...yes, quotes: [] }],
  ["yes with a quote that is not there", { ...yes, quotes: ["loses every second job"] }],
  ["yes with a quote that is in every text", { ...yes, quotes: ["a"] }],
  ["yes in words", { ...yes, complete: "yes" }],
  ["no answer", "I cannot decide."],
  ["nothing", ""],
  ["an answer that is cut off", JSON.stringify(yes).slice(0, -1)],
  ["two answers", `${JSON.stringify(yes)}\n${JSON.stringify({ ...yes, complete: false })}`],
])("%s is red", (_what, answer) => expect(read(answer).isGreen).toBe(false));

const listed =
  "## Halls\n\n- The **town hall** has 200 seats\n- The gym has [300 seats](https://a.example/x)\n1. “Cheap”";
const quote = (text: string) => readJudgeAnswer(JSON.stringify({ ...yes, quotes: [text] }), [listed]).isGreen;

test.each([
  "The town hall has 200 seats",
  "- The town hall has 200 seats - The gym has 300 seats",
  "the town hall has 200 seats; the gym has 300 seats",
  '"The gym has 300 seats"',
  "The town hall … 300 seats",
])("a quote may differ in markup, bullets and marks: %j", (text) => expect(quote(text)).toBe(true));
test.each(["The town hall has 300 seats", "The gym … has 200 towers", "a hall"])(
  "another text is no quote: %j",
  (text) => expect(quote(text)).toBe(false),
);

test.each([
  ["a no in words before a yes", `No, it is not done.\n${JSON.stringify(yes)}`],
  [
    "a no that is followed by a quoted yes",
    `${JSON.stringify({ ...yes, complete: false })}\nThe page says: ${JSON.stringify(yes)}`,
  ],
])("%s is red", (_what, answer) => expect(read(answer).isGreen).toBe(false));
test.each([
  ["a no as verdict before a yes", `**Verdict:** No.\n${JSON.stringify(yes)}`],
  ["a no in another language", `Nein, noch nicht.\n${JSON.stringify(yes)}`],
  ["not complete before a yes", `Not complete: chapter 3.\n${JSON.stringify(yes)}`],
  ["both answers in one object", JSON.stringify(yes).replace("{", '{"complete": false, ')],
  ["a no inside of a yes", { ...yes, parts: [{ name: "chapter 3", complete: false }] }],
])("A4: %s is red", (_what, answer) => expect(read(answer).isGreen).toBe(false));
test.each([["none"], ["Nothing is missing."], ["-"], [" "], ["keine"]])(
  "A4, otherwise: a yes that lists %j as missing misses nothing",
  (nothing) => expect(read({ ...yes, missing: [nothing] }).isGreen).toBe(true),
);
test.each(["k … e … e … p … s … e … v … e … r … y", "a … worker … queue … every", "worker … keeps every job until"])(
  "A4: pieces that stand somewhere are no quote: %j",
  (quoted) => expect(read({ ...yes, quotes: [quoted] }).isGreen).toBe(false),
);
test.each(["keeps every job … acknowledged it", "«The queue keeps\n> every job»", "THE QUEUE *keeps* every job"])(
  "A4, otherwise: %j is one",
  (quoted) => expect(read({ ...yes, quotes: [quoted] }).isGreen).toBe(true),
);
test("A4: a quote of the objective is none, unless the work says it, too", () => {
  const quotes = ["Write the report about queues"];
  expect(read({ ...yes, quotes }).isGreen).toBe(false);
  expect(readJudgeAnswer(JSON.stringify({ ...yes, quotes }), [page, "# Write the report about queues"]).isGreen).toBe(
    true,
  );
});
test("a yes that finds no problems is green", () =>
  expect(read(`No problems found.\n${JSON.stringify(yes)}`).isGreen).toBe(true));
test("only what asking again may mend is a problem", () => {
  expect(read({ ...yes, quotes: [] }).problem).not.toBeNull();
  expect(read("I cannot decide").problem).not.toBeNull();
  expect(read({ ...yes, complete: false, missing: ["sources"] }).problem).toBeNull();
});

test.each([
  [1.5, 1],
  [-3, 0],
  ["0.7", 0.7],
  ["high", 0],
])("a score of %j is %d", (score, expected) => expect(read({ ...yes, score }).score).toBe(expected));

property.prop([fc.string({ maxLength: 500 })])("any text is read, and none but JSON is green", (text) => {
  expect(read(text).isGreen).toBe(false);
  expect(read(`{"complete": true, "score": 1}${text}`).isGreen).toBe(false);
});

test.each(["{", "}", "{\n", '{"a":', "{}\n"])("reading much of %j grows evenly", (piece) => {
  expectEvenGrowth(200_000, (size) => read(piece.repeat(size / piece.length)));
});

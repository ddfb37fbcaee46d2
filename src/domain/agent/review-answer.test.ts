import { expect, test } from "vitest";
import type { ChangedLines } from "./changed-lines.ts";
import { readReviewAnswer } from "./review-answer.ts";

const texts: Readonly<Record<string, string>> = {
  "src/sum.ts": "export const sum = (a: number, b: number) =>\n  a - b;\n\nexport const zero = 0;\n",
  "README.md": "# Sums\n\nThey are added up.\n",
};
const files = {
  read: (path: string) => texts[path] ?? null,
  changed: new Set(["src/sum.ts"]),
  lines: new Map([["src/old.ts", { added: [], removed: ["export const subtract = true;"], notes: [] }]]),
};
const read = (answer: unknown) => readReviewAnswer(typeof answer === "string" ? answer : JSON.stringify(answer), files);
const quote = { file: "src/sum.ts", line: 4, quote: "export const zero = 0;" };

test("a yes that quotes a changed line is one", () => {
  expect(read({ complete: true, findings: [], quotes: [quote] })).toEqual({
    isGreen: true,
    seen: "the reviewer says yes and quotes src/sum.ts:4 “export const zero = 0;”",
    problem: null,
  });
});

test("a wrong line is corrected, not believed", () => {
  expect(read({ complete: true, quotes: [{ ...quote, line: 99 }] }).seen).toContain("src/sum.ts:4");
});

test.each([
  ["a line that is nowhere", { ...quote, quote: "export const one = 1;" }],
  ["a file that was not changed", { file: "README.md", line: 3, quote: "They are added up." }],
  ["too little", { ...quote, quote: "0;" }],
  ["a file outside", { file: "../../etc/passwd", line: 1, quote: "root:x:0:0:root" }],
])("a yes that quotes %s is a no, and is asked for again", (_, wrong) => {
  const answer = read({ complete: true, quotes: [wrong] });
  expect([answer.isGreen, answer.problem]).toEqual([false, expect.stringContaining("word for word")]);
});

test("a quote that is too short is told as such, to the reviewer and in the proof", () => {
  const answer = read({ complete: true, quotes: [{ ...quote, quote: "0;" }] });
  const why = "Too short to be found: “0;”; a quote needs at least 8 characters, or is a whole line that was changed.";
  expect(answer.seen).toBe(`the reviewer says yes, but quotes nothing that this run changed. ${why.slice(0, -1)}`);
  expect(answer.problem).toContain(why);
  const finding = read({ complete: false, findings: [{ ...quote, quote: "0;", problem: "Why zero?" }] });
  expect(finding.seen).toContain("src/sum.ts (its quote is too short to be found): Why zero?");
  expect(finding.problem).toContain(why);
});

test("a finding is told with the place where its quote really stands", () => {
  const finding = { file: "src/sum.ts", line: 1, quote: "a - b;", problem: "It subtracts." };
  const whole = { ...finding, quote: "(a: number, b: number) =>\n  a - b;" };
  expect(read({ complete: false, findings: [whole], quotes: [] })).toMatchObject({
    isGreen: false,
    seen: "the reviewer found 1 problem:\n1. src/sum.ts:1 “(a: number, b: number) => a - b;”: It subtracts.",
    problem: null,
  });
});

test("a removed line can be quoted as well", () => {
  const finding = {
    file: "src/old.ts",
    line: 1,
    quote: "export const subtract = true;",
    problem: "It is still needed.",
  };
  expect(read({ complete: false, findings: [finding] }).problem).toBeNull();
});

test("a no whose quotes are all invented is asked for again, and stays a no", () => {
  const answer = read({ complete: false, findings: [{ ...quote, quote: "eval(userInput)", problem: "Dangerous." }] });
  expect(answer).toMatchObject({ isGreen: false, seen: expect.stringContaining("its quote is not there") });
  expect(answer.problem).toContain("None of your quotes");
});

test("a finding whose quote is invented is dropped beside one that stands there; each has its line", () => {
  const standing = [quote, { file: "README.md", line: 1, quote: "They are added up." }].map((place) => ({
    ...place,
    problem: "Wrong.\nMend it.",
  }));
  const { seen } = read({
    complete: false,
    findings: [{ ...quote, quote: "eval(userInput)", problem: "Dangerous." }, ...standing, "No tests."],
  });
  expect(seen.split("\n")).toEqual([
    "the reviewer found 2 problems:",
    "1. src/sum.ts:4 “export const zero = 0;”: Wrong. Mend it.",
    "2. README.md:3 “They are added up.”: Wrong. Mend it.",
  ]);
});

test("yes with a finding is a no", () => {
  expect(read({ complete: true, findings: [{ ...quote, problem: "But this." }], quotes: [quote] }).isGreen).toBe(false);
});

test.each([
  ["prose", "Looks good to me!"],
  ["half an object", '{"complete": true, "quotes": ['],
  ["nothing", ""],
])("%s is no answer", (_, text) => {
  expect(read(text)).toMatchObject({ isGreen: false, problem: expect.stringContaining("JSON") });
});

test("only the last object counts, whatever was said before it", () => {
  const said = `I first thought {"complete": false, "findings": ["x"]} but:\n\`\`\`json\n${JSON.stringify({ complete: true, quotes: [quote] })}\n\`\`\``;
  expect(read(said).isGreen).toBe(true);
});

/** A change of one file, as the diff tells it. */
const readOf = (lines: Partial<ChangedLines>, quoted: string, text: string | null = null) => {
  const changes = new Map([["x", { added: [], removed: [], notes: [], ...lines }]]);
  const answer = { complete: true, findings: [], quotes: [{ file: "x", line: 1, quote: quoted }] };
  const one = { read: () => text, changed: new Set(["x"]), lines: changes };
  return readReviewAnswer(JSON.stringify(answer), one).isGreen;
};
const binary = "Binary files a/x and b/x differ";

test.each([
  ["a version of five characters", { added: ["1.2.4"], removed: ["1.2.3"] }, "1.2.4", "1.2.4\n", true],
  ["a part of that line", { added: ["1.2.4"], removed: ["1.2.3"] }, "2.4", "1.2.4\n", false],
  ["the line that was there before", { added: ["1.2.4"], removed: ["1.2.3"] }, "1.2.3", "1.2.4\n", true],
  ["a short line that was not changed", { added: ["1.2.4"] }, "name", "name\n1.2.4\n", false],
  ["a bracket, all that was changed", { added: ["}"] }, "}", "f() {\n}\n", true],
  ["a bracket beside a longer change", { added: ["}", "return width;"] }, "}", "return width;\n}\n", false],
  ["a short line of a deleted file", { removed: ["a"], notes: ["deleted file mode 100644"] }, "a", null, true],
  ["an empty file that was deleted", { notes: ["deleted file mode 100644"] }, "deleted file mode 100644", null, true],
  ["a mode", { notes: ["old mode 100644", "new mode 100755"] }, "new mode 100755", "run\n", true],
  ["another mode", { notes: ["old mode 100644", "new mode 100755"] }, "new mode 100777", "run\n", false],
  ["a binary file", { notes: [binary] }, binary, "\0", true],
  ["nothing at all", { added: [""] }, "", "\n", false],
])("a yes that quotes %s", (_, lines, quoted, text, isGreen) => expect(readOf(lines, quoted, text)).toBe(isGreen));

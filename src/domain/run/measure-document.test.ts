import { expect, test } from "vitest";
import { addedText, headingKey, measureDocuments } from "./measure-document.ts";

const measure = (content: string, before: string | null = null) => measureDocuments([{ content, before }]);
const words = (content: string, before: string | null = null) => measure(content, before).words;
/** A text of so many words, each of them another. */
const text = (count: number, of = "word") => Array.from({ length: count }, (_, n) => `${of}${letters(n)}`).join(" ");
const letters = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");

test("prose is counted by its words", () => expect(words("The harbour is 3 km wide, they say.")).toBe(7));
test("one word 700 times is hardly a word", () => expect(words("filler ".repeat(700))).toBeLessThan(5));
test("a sentence 100 times is one sentence", () =>
  expect(words("This sentence is here again and again. ".repeat(100))).toBeLessThan(15));
test("a text that says something new all the time counts in full", () => expect(words(text(700))).toBe(700));
test("an ordinary repetition of a phrase costs little", () => {
  const honest = `${text(100)} as a matter of fact ${text(100, "other")} as a matter of fact ${text(50, "third")}`;
  expect(words(honest)).toBeGreaterThan(250);
});
test("code is no prose", () => {
  expect(words(`Two words\n\`\`\`\n${text(50)}\n\`\`\`\n`)).toBe(2);
  expect(words(`Two words\n~~~js\n${text(50)}\n~~~\nand more`)).toBe(4);
  expect(words(`Two words\n\`\`\`\n${text(50)}`)).toBe(2);
});
test("markup and addresses are no prose", () => {
  expect(words("[the paper](https://example.org/a/very/long/path)")).toBe(2);
  expect(words("See <span class='a b c d'>this</span> <!-- not that one there -->")).toBe(2);
});
test("words of scripts without blanks are counted, too", () =>
  expect(words("港の幅は三キロメートルだと言われています")).toBeGreaterThan(5));

test("headings are those outside of code", () => {
  const { headings } = measure("# Costs\n\n```\n# Risks\n```\n\n## 2. **Open questions**:\n\nSummary\n-------\n");
  expect([...headings]).toEqual(["costs", "open questions", "summary"]);
});
test.each([
  ["1. Costs", "Costs"],
  ["*Costs*", "costs"],
  ["Costs:", "COSTS"],
])("the heading %j is %j", (a, b) => expect(headingKey(a)).toBe(headingKey(b)));
test("another heading is another one", () => expect(headingKey("Costs")).not.toBe(headingKey("Cost")));

test("sources are different pages, not different forms of one", () => {
  const { urls } = measure(
    "https://a.org/x https://a.org/x/ http://a.org/x#part https://a.org/y\n```\nhttps://b.org\n```",
  );
  expect(urls).toEqual(["a.org/x", "a.org/y"]);
});
test("links to things of this installation are found by their id", () => {
  const id = "0190a1b2-0000-7000-8000-00000000000a";
  expect(measure(`[the note](/projects/p/documents/${id}) and ${id}`).linkedIds).toEqual([id]);
});

// In a document that was there before, only what the run added counts.
const old = `# Paper\n\n${text(400)}. ${text(400, "more")}.`;
test("a blank appended to an old page adds nothing", () => expect(words(`${old} \n`, old)).toBe(0));
test("what was added to an old page counts", () =>
  expect(words(`${old}\n\n## New\n\n${text(60, "new")}.`, old)).toBe(61));
test("an old page that is rewritten counts by what is new in it", () =>
  expect(words(text(100, "else"), old)).toBe(100));
test("a changed word brings its sentence, not the page", () => {
  const before = "One sentence stays here. Another one is changed soon. A third one stays.";
  expect(addedText({ content: before.replace("soon", "now"), before })).toBe("Another one is changed now.");
});
test("moving passages around adds nothing", () => expect(words("b b b.\na a a.", "a a a.\nb b b.")).toBe(0));
test("old headings are there, but not added", () => {
  const { headings, addedHeadings } = measure(`${old}\n\n## New`, old);
  expect([[...headings], [...addedHeadings]]).toEqual([["paper", "new"], ["new"]]);
});

test.each(["a ", "```\n", "# a\n", "](", "<a", "https://a", "a.\n", "!["])("200 kB of %j are measured", (piece) =>
  expect(measure(piece.repeat(200_000 / piece.length), "a").words).toBeLessThan(50),
);

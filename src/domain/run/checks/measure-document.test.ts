import { expect, test } from "vitest";
import { addedText, headingKey, measureDocuments, removedText, sourceKey } from "./measure-document.ts";

const measure = (content: string, before: string | null = null) => measureDocuments([{ content, before }]);
const words = (content: string, before: string | null = null) => measure(content, before).words;
/** A text of so many words, each of them another. */
const text = (count: number, of = "word") => Array.from({ length: count }, (_, n) => `${of}${letters(n)}`).join(" ");
const letters = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");

test("prose is counted by its words", () => expect(words("The harbour is 3 km wide, they say.")).toBe(7));
test("at most counts what a reader sees: figures and the cells of tables, too, but no markup and no address", () => {
  expect(measure("| Way | Cost |\n|---|---|\n| roof | 4,200 EUR |").length).toBe(5);
  expect(measure("**Two** words <!-- and a comment --> https://a.example/page").length).toBe(2);
  expect(measure("one more word", "one more").length).toBe(3);
  expect(measure("1. First\n2. Second thing\n   10) Third\n\nIn 2030 it was 4.5").length).toBe(9);
});
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
// A2: filler of every kind, and beside each the honest text that it looks like.
const shuffled = (words: readonly string[], count: number) =>
  Array.from({ length: count }, (_, n) => words[(n * n * 7 + n * 3 + Math.floor(n / 5)) % words.length]).join(" ");
const sentences = [
  "We open at nine.",
  "Our coffee is good today.",
  "People sit in the sun.",
  "Nothing else happens here.",
];
const plainWords = ["good", "plan", "costs", "time", "people", "work"];
test.each([
  ["a cycle of four sentences", sentences.join(" ").concat(" ").repeat(60), 25],
  ["six words in ever another order", shuffled(plainWords, 700), 12],
  [
    "the same sentence with another number",
    Array.from({ length: 99 }, (_, n) => `Point ${n} is item${n}.`).join(" "),
    12,
  ],
  ["words cut into letters by characters without a shape", [..."transparently speaking"].join("\u200b"), 2],
  ["letters of the Hangul filler", "\u3164 ".repeat(700), 0],
  ["words cut by underscores and stars", "t_r_a_n_s_p_a_r_e_n_t **b**old", 2],
  ["a long piece of data", `data ${"aGVsbG8gd29ybGQgdGhpcyBpcyBu+b3QgcHJvc2U/".repeat(40)}`, 1],
  ["entities", "&nbsp;&amp; &lt; &#160; one", 1],
  ["words of an address", "https://example.org/these/are/all/words/of/it www.example.org/and/these", 0],
  ["an indented block of code", `Two words\n\n${text(50).replaceAll(/^/gm, "    ")}`, 2],
  ["an element of code", `Two words\n<pre>\n${text(50)}\n</pre>`, 2],
  ["a comment", `Two words\n<!--\n${text(50)}\n-->`, 2],
  ["a comment that is never closed", `Two words <!-- ${text(50)}`, 2],
])("A2: %s is hardly a word", (_what, filler, atMost) => expect(words(filler)).toBeLessThanOrEqual(atMost));
test.each([
  ["an item of a list that goes on below", `- one\n\n    ${text(50)}`, 51],
  ["a sentence that begins with code", `\`\`\`npm start\`\`\` runs it.\n\n${text(50)}`, 52],
  ["a word about an element", `The <pre> element is old. ${text(50)}`, 54],
  ["a table", `| place | price |\n|---|---|\n| ${text(20)} | ${text(20, "x")} |`, 42],
  ["soft hyphens", "Donau\u00addampf\u00adschiff fährt", 2],
  ["a Chinese sentence behind an address", "见https://a.example/x，港口的宽度是三公里，船只很多。", 5],
])("A2, otherwise: %s counts", (_what, honest, atLeast) => expect(words(honest)).toBeGreaterThanOrEqual(atLeast));
test("A2, otherwise: lorem ipsum counts as words, so the judge has to read it", () =>
  expect(words("Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor")).toBe(12));

test("words of scripts without blanks are counted, too", () =>
  expect(words("港の幅は三キロメートルだと言われています")).toBeGreaterThan(5));

test("headings are those outside of code", () => {
  const { headings } = measure("# Costs\n\n```\n# Risks\n```\n\n## 2. **Open questions**:\n\nSummary\n-------\n");
  expect([...headings]).toEqual(["costs", "open questions", "summary"]);
});
test.each([
  "<!--\n# Risks\n-->",
  "<pre>\n# Risks\n</pre>",
  "> # Risks",
  "    # Risks",
  "`# Risks`",
  "~~~\n# Risks\n~~~",
])("A2: a heading in %j is none", (hidden) =>
  expect([...measure(`# Costs\n\n${hidden}\n\nText`).headings]).toEqual(["costs"]),
);
test.each(["# Risks", "   ## Risks ##", "Risks\n=====", "### 3.1 **Risks**:", "# [Risks](https://a.example)"])(
  "A2, otherwise: %j is the heading",
  (shown) => expect([...measure(`Text\n\n${shown}\n`).headings]).toEqual(["risks"]),
);
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
test.each([
  "http://a.example/x",
  "https://A.Example/x/",
  "https://www.a.example/x#part",
  "https://a.example:443/x?utm_source=mail&utm_medium=x",
  "https://a.example/x?fbclid=1",
])("A2, otherwise: %s is the page that was opened", (cited) =>
  expect(sourceKey(cited)).toBe(sourceKey("https://a.example/x")),
);
test.each(["https://a.example/y", "https://b.example/x", "https://a.example/x?page=2", "https://a.example/x/y"])(
  "A2: %s is another page",
  (cited) => expect(sourceKey(cited)).not.toBe(sourceKey("https://a.example/x")),
);
test("A2: an address in a comment or in code is no source", () =>
  expect(measure("<!-- https://a.example/x -->\n\n    https://b.example\n").urls).toEqual([]));
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
const paragraphs = `# Paper\n\nThe harbour of Linz is three kilometres long.\nShips come from the Black Sea.\n\nIt was built in 1938.`;
test.each([
  ["a paragraph that stands there twice", `${paragraphs}\n\nThe harbour of Linz is three kilometres long.`],
  [
    "a paragraph somewhere else",
    paragraphs.replace("\n\nIt was built in 1938.", "").replace("# Paper", "# Paper\n\nIt was built in 1938."),
  ],
  [
    "other line breaks",
    paragraphs.replace("harbour of Linz ", "harbour of\nLinz ").replace("long.\nShips", "long. Ships"),
  ],
  ["a character without a shape in every sentence", paragraphs.replaceAll(".", "\u200b.")],
  ["hard blanks", paragraphs.replaceAll(" ", "\u00a0")],
  ["emphasis", paragraphs.replaceAll("Linz", "**Linz**")],
  ["other capitals", paragraphs.toUpperCase()],
  ["a comment", `${paragraphs}\n<!-- ${text(50)} -->`],
])("A2: %s adds nothing to an old page", (_what, now) => expect(words(now, paragraphs)).toBeLessThanOrEqual(2));
test("A2: words put into a block of code that was there are no prose", () => {
  const before = `# Paper\n\n\`\`\`\nold\n\`\`\`\n`;
  expect(words(before.replace("old", `old\n${text(60)}`), before)).toBe(0);
});
test("A2, otherwise: a paragraph between old ones counts by its words", () =>
  expect(words(paragraphs.replace("\n\nIt was", `\n\n${text(30)}.\n\nIt was`), paragraphs)).toBe(30));

test("what an old page has lost is known, and blanks are no change", () => {
  const now = paragraphs.replace("Ships come from the Black Sea.\n", "");
  expect(removedText({ content: now, before: paragraphs })).toBe("Ships come from the Black Sea.");
  expect([measure(now, paragraphs).isOldChanged, words(now, paragraphs)]).toEqual([true, 0]);
  expect(measure(`${paragraphs}\u200b \n<!-- x -->&nbsp;`, paragraphs).isOldChanged).toBe(false);
});
test("old headings are there, but not added", () => {
  const { headings, addedHeadings } = measure(`${old}\n\n## New`, old);
  expect([[...headings], [...addedHeadings]]).toEqual([["paper", "new"], ["new"]]);
});

test.each(["a ", "```\n", "# a\n", "](", "<a", "https://a", "a.\n", "!["])("200 kB of %j are measured", (piece) =>
  expect(measure(piece.repeat(200_000 / piece.length), "a").words).toBeLessThan(50),
);

import { describe, expect, test } from "vitest";
import { expectEvenGrowth } from "../../../test/helpers/even-growth.ts";
import { widthOf } from "../plain-text.ts";
import { parseMarkdown } from "./parse-blocks.ts";
import { renderMarkdown } from "./render-markdown.ts";

const plain = { hasColor: false, paint: (_: string, text: string) => text };
const tagged = { hasColor: true, paint: (style: string, text: string) => `<${style}>${text}</>` };

const check = (markdown: string, lines: readonly string[], width = 40) =>
  expect(renderMarkdown(markdown, width, plain)).toEqual(lines);

describe("without colours", () => {
  test("a paragraph is wrapped to the width", () =>
    check(
      "The kitchen is measured and\nthe **offers** are in.",
      ["The kitchen is", "measured and the", "offers are in."],
      17,
    ));
  test("headings keep their marks", () =>
    check("# Plan\n\nText\n## Next\nMore", ["# Plan", "", "Text", "", "## Next", "", "More"]));
  test("underlined headings are headings", () => check("Plan\n====\nNext\n----\n", ["# Plan", "", "## Next"]));
  test("lists stay tight and hang", () =>
    check(
      "- one two three four\n- five\n\n  more\n  1. deep\n  2. deeper\n",
      ["• one two", "  three four", "• five", "", "  more", "  1. deep", "  2. deeper"],
      14,
    ));
  test("a list right below a paragraph is a list", () => check("Todo:\n- a\n- b", ["Todo:", "", "• a", "• b"]));
  test("items apart by empty lines are one list", () => check("1. a\n\n2. b\n\nEnd", ["1. a", "2. b", "", "End"]));
  test("numbers go on from the first", () => check("3. a\n3. b", ["3. a", "4. b"]));
  test("tags around a text are not shown", () => check("<div>\nA **b**\n</div>", ["A b"]));
  test("tasks with texts apart have boxes", () =>
    check("- [x] Paint\n\n  Twice\n\n- [ ] Dry", ["[x] Paint", "", "    Twice", "[ ] Dry"]));
  test("tasks have boxes", () => check("- [ ] Measure\n- [x] Paint", ["[ ] Measure", "[x] Paint"]));
  test("code stays as it is", () => check("```js\nif (a  <  b)   go();\n```", ["    if (a  <  b)   go();"]));
  test("code without an end ends with the text", () => check("```\na\n# b", ["    a", "    # b"]));
  test("quotes have a line beside them", () => check("> one\n> two", ["│ one two"]));
  test("a rule is a line", () => check("a\n\n---\n\nb", ["a", "", "─".repeat(40), "", "b"]));
  test("a year at the start of a line is no list", () => check("since\n2024. It grew", ["since 2024. It grew"]));
  test("links show where they lead", () =>
    check("[Offer](https://a.test/1) and [here](/projects/1)", ["Offer (https://a.test/1) and here"]));
  test("links show the address that is given below", () =>
    check("[Offer][1]\n\n[1]: https://a.test", ["Offer (https://a.test)"]));
  test("a footnote is no link", () =>
    check("Red[^1]\n\n[^1]: https://a.test", ["Red[^1]", "", "[^1]: https://a.test"]));
  test("an address is shown once", () =>
    check("See https://a.test/b or <https://a.test>", ["See https://a.test/b or https://a.test"]));
  test("marks inside words are text", () =>
    check("snake_case_name, 2 * 3 * 4, a\\*b", ["snake_case_name, 2 * 3 * 4, a*b"]));
  test("comments and tags are not shown", () => check("<!-- a\nb -->\nA<br>B <b>c</b> &amp; d", ["A", "B c & d"]));
  test("pictures are named", () => check("![A plan](https://a.test/x.png)", ["[picture: A plan]"]));
  test("an empty text has no lines", () => check(" \n\n", []));
});

describe("a table", () => {
  const table = "| Offer | Price |\n|---|---:|\n| Red **tiles** | 12 \\| 13 |\n| Blue | 9 |";
  test("is aligned", () =>
    check(table, ["Offer      Price", "─────────  ───────", "Red tiles  12 | 13", "Blue       9"]));
  test("wraps its cells where the terminal ends", () =>
    check(
      "| A | B |\n|---|---|\n| one two three four | five six seven eight |",
      ["A         B", "────────  ────────", "one two   five six", "three     seven", "four      eight"],
      18,
    ));
});

test("colours show what is what", () =>
  expect(renderMarkdown("# A\n## B\nIt is **very `odd`** and [here](https://a.test)", 80, tagged)).toEqual([
    "<underline><bold>A</></>",
    "",
    "<cyan><bold>B</></>",
    "",
    "It is <bold>very</> <cyan><bold>odd</></> and <underline>here</> <dim>(https://a.test)</>",
  ]));

test("nothing in it can steer the terminal", () => {
  const esc = "\u001b[2J";
  const all = `# ${esc}\n${esc} &#27;[2J &#x1b;[2J\n- ${esc}\n\n\`\`\`\n${esc}\n\`\`\`\n\n| ${esc} | b |\n|---|---|\n| ${esc} | \u009b |`;
  const shown = renderMarkdown(all, 40, plain).join("");
  expect(["\u001b", "\u009b"].filter((steers) => shown.includes(steers))).toEqual([]);
});

test("wide characters take two cells", () => {
  const lines = renderMarkdown("台所 の 計画 を 立てる", 10, plain);
  expect(lines.map(widthOf).every((width) => width <= 10)).toBe(true);
  expect(lines.length).toBeGreaterThan(1);
});

test("nesting and length have an end", () => {
  expect(renderMarkdown("> ".repeat(5_000), 40, plain).length).toBeGreaterThan(0);
  expect(renderMarkdown("**".repeat(50_000), 40, plain).length).toBeGreaterThan(0);
  expect(renderMarkdown(`a ${"`".repeat(3_000)} ${"[".repeat(1_500)}`, 40, plain).length).toBeGreaterThan(0);
  expect(renderMarkdown("*a **b ".repeat(700) + "b** a*".repeat(10), 40, plain).length).toBeGreaterThan(0);
  expect(renderMarkdown(`${"> > > > a\nb\n".repeat(2_000)}`, 40, plain).length).toBeGreaterThan(0);
});

test.each(["```\n", "~~~\n", "<!--", "<!-- -->\n", "> \n\n", "> a\nb\n", "- a\n", "- a\n\n\n", "    a\n\n"])(
  "much of %j grows evenly",
  (part) => expectEvenGrowth(200_000, (size) => parseMarkdown(part.repeat(size / part.length))),
);

import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { expectEvenGrowth } from "../../../test/helpers/even-growth.ts";
import { judgeBoxes } from "./plan-boxes.ts";

const isDone = (markdown: string) => judgeBoxes(markdown).isComplete;
const fenced = (text: string, fence = "```") => `${fence}\n${text}\n${fence}`;

test.each([
  ["small and large marks", "- [x] A\n- [X] B"],
  ["check marks", "- [✓] A\n- [✔] B"],
  ["every kind of bullet", "* [x] A\n+ [x] B\n1. [x] C\n2) [x] D\n• [x] E"],
  ["nested boxes", "- [x] A\n  - [x] B\n\t- [x] C"],
  ["Windows line ends", "- [x] A\r\n- [x] B\r\n"],
  ["an open box in a fence", `- [x] A\n${fenced("- [ ] B")}`],
  ["an open box in a fence within a list", "- [x] A\n  ```md\n  - [ ] B\n  ```"],
  ["a shorter fence inside a longer one", `- [x] A\n${fenced("```\n- [ ] B\n```\n- [ ] C", "````")}`],
  ["an optional section", "- [x] A\n## Optional\n- [ ] B"],
  ["an optional section with a remark", "- [x] A\n## Nice to have (v2)\n- [ ] B"],
  ["an optional section, numbered and bold", "- [x] A\n## 3. **Stretch goals**\n- [ ] B"],
  ["an optional section with signs around it", "- [x] A\n## ✨ Optional ✨\n- [ ] B"],
  ["an optional section of two names", "- [x] A\n## Optional / nice to have\n- [ ] B"],
  ["an optional section, underlined", "- [x] A\n\nOptional\n--------\n- [ ] B"],
  ["a section below an optional one", "- [x] A\n## Future work\n### Core\n- [ ] B"],
  ["a step that says it is optional", "- [x] A\n- [ ] (optional) B\n- [ ] C (optional)"],
  ["dates, versions and links in brackets", "- [2026-01-29] a\n- [v1.0] b\n- [x](http://a) c\n- [#12] d\n- [x] A"],
])("a plan is done with %s", (_what, markdown) => expect(isDone(markdown)).toBe(true));

test.each([
  ["nothing in it", ""],
  ["no boxes", "Everything is done. [x] is a mark."],
  ["an empty pair of brackets only", "- [] A\n- [  ] B"],
  ["an open box", "- [x] A\n- [ ] B"],
  ["an open box without a title", "- [x] A\n- [ ]"],
  ["an open box and no blank", "- [x] A\n- [ ]B"],
  ["a box half done", "- [x] A\n- [~] B"],
  ["a box with a dash", "- [x] A\n- [-] B"],
  ["an open box below a done one", "- [x] A\n  - [ ] B"],
  ["an open box in a quote", "- [x] A\n> - [ ] B"],
  ["boxes that are optional only", "## Optional\n- [x] A"],
  ["boxes in a fence only", fenced("- [x] A")],
  ["a fence that is never closed before an open box", "- [x] A\n```\n- [ ] B"],
  ["done boxes in a fence that is never closed", "Such as:\n```\n- [x] A"],
  ["a section after the optional one", "- [x] A\n## Optional\n- [ ] B\n## Release\n- [ ] C"],
  ["a section above the optional one's level", "## A\n- [x] A\n### Optional\n- [ ] B\n## C\n- [ ] C"],
  ["a heading that only begins like an optional one", "- [x] A\n## Optional parameters\n- [ ] B"],
  ["a heading that only ends like an optional one", "- [x] A\n## Make the name optional\n- [ ] B"],
  ["an optional heading inside a fence", `- [x] A\n${fenced("# Optional")}\n- [ ] B`],
  ["a section that is optional by one of two names", "- [x] A\n## Release and future work\n- [ ] B"],
  ["low priority, which is not optional", "- [x] A\n## Low priority\n- [ ] B"],
])("a plan is not done with %s", (_what, markdown) => expect(isDone(markdown)).toBe(false));

test("what is open is named", () => {
  expect(judgeBoxes("- [x] A\n- [ ] Write **it**\n")).toEqual({ isComplete: false, open: ["Write **it**"] });
});

test("a plan that is too long to be read is not done", () => {
  expect(isDone("- [x] A\n".repeat(200_000))).toBe(false);
});

/** Pages made of what matters to the reader. */
const page = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."- [x] A|- [ ] B|  * [X] C|1. [ ] D|- [~] E|```|````|~~~|```js|## Optional|## Tasks".split("|"),
      ),
      fc.constantFrom(..."### Later|Text|---|- [2026-01-29] v|> - [x] q|- [x] (optional) z|".split("|")),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 20 },
  )
  .map((lines) => lines.join("\n"));

property.prop([page])("one more open box at the top is always seen", (text) => {
  expect(isDone(`- [ ] first\n${text}`)).toBe(false);
});
property.prop([page])("a plan that is done has a done box", (text) => {
  if (isDone(text)) expect(text).toMatch(/\[[xX✓✔]\]/u);
});
property.prop([page])("one open box at the end, in its own section, is never hidden by what is before it", (text) => {
  expect(isDone(`${text}\n# Last\n- [ ] last`)).toBe(false);
});
property.prop([page, fc.nat({ max: 200 })])(
  "what an example in a fence ticks is never done by cutting it",
  (text, at) => {
    const example = `\`\`\`\`\`\n${text.replaceAll("`````", "")}\n\`\`\`\`\``;
    expect(isDone(example.slice(0, at))).toBe(false);
  },
);
property.prop([page, fc.nat({ max: 200 })])("a box that is cut inside its brackets is not done", (text, at) => {
  const cut = text.slice(0, at).replace(/\[[xX✓✔]\].*/gsu, "[x");
  expect(isDone(cut)).toBe(false);
});

test.each([
  "- [ ] a\n",
  "```a\n",
  "`".repeat(90),
  "~~~\n````\n",
  "#",
  "# \n",
  "> ",
  "- ",
  "\n---",
  "-\t[x",
  "- [ ](",
  "1",
])("reading much of %j grows evenly", (piece) => {
  expectEvenGrowth(200_000, (size) => judgeBoxes(piece.repeat(size / piece.length)));
});

import { expect, test } from "vitest";
import { editText } from "./edit-text.ts";

const page = "# Plan\n\nOne.\n\n## Costs\n\n| a | 1 |\n\n## Risks\n\nRain.\n";

const check = (edits: Parameters<typeof editText>[1], before = page) => editText(before, edits);

test("a passage that stands there once is replaced", () =>
  expect(check([{ find: "| a | 1 |", replace: "| a | 1 |\n| b | 2 |" }])).toMatchObject({
    ok: true,
    text: page.replace("| a | 1 |", "| a | 1 |\n| b | 2 |"),
  }));

test("a passage that stands there twice is refused, and nothing is changed", () =>
  expect(
    check([
      { find: "Rain.", replace: "Snow." },
      { find: "#", replace: "" },
    ]),
  ).toEqual({
    ok: false,
    why: expect.stringContaining('Edit 2: the passage "#" stands there 5 times'),
  }));

test("a passage that differs by blanks is shown as it reads", () =>
  expect(check([{ find: "# Plan\nOne.", replace: "x" }])).toEqual({
    ok: false,
    why: expect.stringContaining('It reads: "# Plan\n\nOne."'),
  }));

test("what is added below a heading stands at the end of its section", () =>
  expect(check([{ under_heading: "Costs", insert: "In total 3." }])).toMatchObject({
    ok: true,
    text: page.replace("| a | 1 |\n\n", "| a | 1 |\n\nIn total 3.\n\n"),
  }));

test("below the last heading it stands at the end of the text", () =>
  expect(check([{ under_heading: "## Risks", insert: "Wind." }])).toMatchObject({
    ok: true,
    text: `${page.trimEnd()}\n\nWind.\n`,
  }));

test("a section ends before a heading of its own level, not before one below it", () => {
  const nested = "## A\n\n### B\n\nb\n\n## C\n";
  expect(check([{ under_heading: "A", insert: "end" }], nested)).toMatchObject({
    text: "## A\n\n### B\n\nb\n\nend\n\n## C\n",
  });
});

test("a heading inside of code is no heading", () =>
  expect(check([{ under_heading: "Code", insert: "x" }], "```\n# Code\n```\n")).toMatchObject({ ok: false }));

test("a heading that stands there twice is refused", () =>
  expect(check([{ under_heading: "A", insert: "x" }], "# A\n\n# A\n")).toMatchObject({ ok: false }));

test("the changed passage is shown with what stands around it", () => {
  const edited = check([{ find: "Rain.", replace: "Hail." }]);
  expect(edited.ok && edited.passages[0]).toContain("## Risks\n\nHail.");
});

test("what is shown is the text after all edits, and edits near each other share a passage", () => {
  const far = "x".repeat(1_000);
  const edited = editText(`one two three ${far} four`, [
    { find: "one", replace: "the first" },
    { find: "first two", replace: "second" },
    { find: "four", replace: "five" },
  ]);
  expect(edited).toEqual({
    ok: true,
    text: `the second three ${far} five`,
    passages: [`the second three ${"x".repeat(153)}…`, `…${"x".repeat(159)} five`],
  });
});

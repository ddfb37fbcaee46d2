import { expect, test } from "vitest";
import { snippetWords } from "./snippet-words.ts";

const read = (text: string) =>
  snippetWords([{ text, match: false }])
    .map((piece) => piece.text)
    .join("");

test.for([
  [
    "a table keeps rows and cells apart, and loses its frame",
    "## Offers\n\n| Company | Price |\n|---|---:|\n| Hauler & Sons | 4,200 € |\n| Swift Boxes | 3,650 € |",
    "Offers: Company, Price; Hauler & Sons, 4,200 €; Swift Boxes, 3,650 €…",
  ],
  ["a list after a table is no row of it", "| A | b |\n\n- ask\n- visit them.", "A, b · ask · visit them."],
  [
    "code is apart from prose, line by line",
    "Stand upright.\n\n```sh\n# from inside\ngate open --for 10m\n```\nSee the plan.",
    "Stand upright. from inside · gate open --for 10m · See the plan.",
  ],
  ["after a full stop a blank is enough", "One.\n\nTwo!\n\nThree", "One. Two! Three…"],
  [
    "a heading leads to what follows",
    "# Before the first box\nThe lift carries 630 kg.",
    "Before the first box: The lift carries 630 kg.",
  ],
  ["lines of a paragraph belong together", "One and\ntwo.", "One and two."],
  [
    "marks of links, stress and boxes go",
    "See [the **plan**](https://example.org/a) and *this*:\n- [x] done.",
    "See the plan and this: done.",
  ],
  ["a link that is cut off", "See [the plan](https://exam", "See the plan…"],
  ["what is left out is told without a space", "… moves on … and ends …", "…moves on… and ends…"],
  ["a rule is nothing", "One.\n\n---\n\nTwo.", "One. Two."],
  ["a minus and a star that mark nothing stay", "5 - 3 and 2 * 3.", "5 - 3 and 2 * 3."],
] as const)("%s", ([, text, words]) => expect(read(text)).toBe(words));

test("matches stay marked, also inside of marks", () =>
  expect(
    snippetWords([
      { text: "the **", match: false },
      { text: "move", match: true },
      { text: "** is | ", match: false },
      { text: "moving", match: true },
      { text: " |", match: false },
    ]),
  ).toEqual([
    { text: "…the ", match: false },
    { text: "move", match: true },
    { text: " is, ", match: false },
    { text: "moving", match: true },
    { text: "…", match: false },
  ]));

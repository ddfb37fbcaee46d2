import { expect, test } from "vitest";
import { asksReader } from "./asks.ts";

test.each([
  ["Should I implement approach A or B?"],
  ["I looked at both. Which option do you prefer?"],
  ["Would you like me to go on?"],
  ["The schema can be changed. Is that okay?"],
  ["Please confirm the approach before proceeding."],
  ["I need your decision on the name."],
  ["Waiting for your input."],
  ["Let me know which one to take."],
])("%j asks", (text) => expect(asksReader(text)).toBe(true));

test.each([
  [""],
  ["I should implement the conservative approach."],
  ["Why did it fail? The path was wrong, and I mended it."],
  ["Let me know if you have any questions."],
  ["The page asks the user for a name."],
  ["> Should I go on?\n\nI went on."],
  ["```\nconst x = should I ? 1 : 2\n```"],
  ["It can be done, and I did it."],
  ["Which of them is faster is written on the page."],
])("%j does not", (text) => expect(asksReader(text)).toBe(false));

test("a question far from the end is not meant any more", () => {
  expect(asksReader(`Should I use A? ${"I used A and wrote a page about it. ".repeat(100)}`)).toBe(false);
});

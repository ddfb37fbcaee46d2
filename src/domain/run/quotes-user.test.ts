import { expect, test } from "vitest";
import { quotesUser } from "./quotes-user.ts";

const said = { question: null, text: "Please keep it short, 200 words are enough." };
const check = (why: string, message: { question: string | null; text: string }, expected: boolean) =>
  expect(quotesUser(why, [message])).toBe(expected);

test("words of the user in a row are a quote", () => check('The user: "200 words are enough"', said, true));
test("marks, case and blanks do not matter", () => check("KEEP it…  short", said, true));
test("what the planner thinks is none", () => check("It is hard to write 800 words.", said, false));
test("no reason is none", () => check("", said, false));
test("no message is none", () => expect(quotesUser("200 words are enough", [])).toBe(false));
test("a message of a word is quoted whole", () => {
  check("The user said: kürzer", { question: null, text: "Kürzer!" }, true);
  check("The user said so", { question: null, text: "Kürzer!" }, false);
});
test("a sentence without blanks is quoted by its signs", () => {
  check("用户说：二百字就够了", { question: null, text: "请写短一点，二百字就够了。" }, true);
  check("用户说：八百字", { question: null, text: "请写短一点，二百字就够了。" }, false);
});
test("a bare yes says what its question says", () => {
  const yes = { question: "Shall I leave the sources out?", text: "yes" };
  check("The user agreed: leave the sources out", yes, true);
  check("The user said yes", yes, false);
  check("The user said: approve", { question: null, text: "approve" }, false);
});

import { expect, test } from "vitest";
import { splitWords } from "./split-words.ts";

test.each([
  ["npm test", ["npm", "test"]],
  ["sh -c 'echo one two; exit 3'", ["sh", "-c", "echo one two; exit 3"]],
  [`sh -c "echo 'a  b' $HOME"`, ["sh", "-c", "echo 'a  b' $HOME"]],
  ['say "a \\"quoted\\" word" \\\\n', ["say", 'a "quoted" word', "\\n"]],
  ["a\\ b c", ["a b", "c"]],
  ["'' x", ["", "x"]],
  ['pre"fix ed"post', ["prefix edpost"]],
  ["  ", []],
  ["sh -c 'echo", null],
  ['say "half', null],
])("%s", (text, words) => expect(splitWords(text)).toEqual(words));

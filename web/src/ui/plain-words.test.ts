import { expect, test } from "vitest";
import { plainWords } from "./plain-words.ts";

test.for([
  ["Shall it be **grey** or *blue*?", "Shall it be grey or blue?"],
  ["__Really__ _now_, ~~or never~~", "Really now, or never"],
  ["Run `npm test` in [the folder](https://example.org/a_b_c)", "Run npm test in the folder"],
  ["## Colours\n\n- **grey**\n- blue\n> as said", "Colours\n\ngrey\nblue\nas said"],
  ["***both***", "both"],
  ["![a hall](hall.png) is fine", "a hall is fine"],
])("%j reads %j", ([text, words]) => expect(plainWords(text ?? "")).toBe(words));

test.for(["2 * 3 * 4 = 24", "snake_case_name and x_y", "a ** b", "it costs 5* and 6*", "`", "**", "5 - 3"])(
  "what is no mark stays: %j",
  (text) => expect(plainWords(text)).toBe(text),
);

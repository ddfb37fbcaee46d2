// Whether a reason names the user's own words. What a run is measured by changes only for something the user said, and the record
// of the change has to show what.

import { readApproval } from "./approval-answer.ts";
import { lettersOnly } from "./blanks.ts";

export type Said = { readonly question: string | null; readonly text: string };

/** Fewer words in a row stand in any sentence. */
const rowOfWords = 3;
/** Characters in a row, in scripts without blanks. */
const rowOfSigns = 6;

/** A bare yes says what its question says: then the question is what has to be quoted. */
export const quotesUser = (why: string, messages: readonly Said[]): boolean =>
  messages.some(({ question, text }) =>
    readApproval(text).kind === "approved" ? question !== null && holds(why, question) : holds(why, text),
  );

function holds(why: string, said: string): boolean {
  const whole = ` ${lettersOnly(why)} `;
  const words = lettersOnly(said).split(" ");
  if (words[0] === "") return false;
  if (words.length < rowOfWords) return holdsSigns(whole, words.join(" "));
  const rows = words.slice(0, 1 - rowOfWords).map((_, at) => words.slice(at, at + rowOfWords).join(" "));
  return rows.some((row) => whole.includes(` ${row} `));
}

const holdsSigns = (whole: string, said: string): boolean =>
  said.length <= rowOfSigns
    ? whole.includes(said)
    : Array.from({ length: said.length - rowOfSigns + 1 }, (_, at) => said.slice(at, at + rowOfSigns)).some((row) =>
        whole.includes(row),
      );

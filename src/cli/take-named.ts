// Commands that take a thing and a text, such as `steer [run] <message>`. A thing that is left out is the last one. Decides which of the
// words names the thing; it does not look the thing up itself.

import { AppError } from "../lib/app-error.ts";
import { isLast, isWholeId, prefixMin } from "./find.ts";

/** How many texts follow the name, and what the command looks like for someone who left them out or forgot the quotes. */
export type Texts = { readonly min: 0 | 1; readonly max: number; readonly example: string };

export type Taken<Thing> = { readonly thing: Thing; readonly texts: readonly string[] };

/** `find` gets a name as it was typed, or "last"; what it refuses with `not_found` may still be a text. */
export async function takeNamed<Thing>(
  words: readonly string[],
  texts: Texts,
  find: (ref: string) => Promise<Thing>,
): Promise<Taken<Thing>> {
  const [first, ...others] = words;
  if (words.length > texts.max + 1)
    throw new AppError("invalid_request", `Put the text in quotes, such as: ${texts.example}`);
  if (first !== undefined && words.length > texts.max) return { thing: await find(first), texts: others };
  const isInput = first === "-" && texts.min > 0;
  const named = first === undefined || isInput ? null : await findIfNamed(first, find);
  const left = named === null ? words : others;
  if (left.length < texts.min) throw new AppError("invalid_request", `Say what, such as: ${texts.example}`);
  return { thing: named ?? (await find("last")), texts: left };
}

/** A short word that could be the start of an id names something only if something has that id. */
async function findIfNamed<Thing>(word: string, find: (ref: string) => Promise<Thing>): Promise<Thing | null> {
  if (isLast(word) || isWholeId(word)) return find(word);
  if (word.length < prefixMin || !/^[0-9a-f-]+$/i.test(word)) return null;
  try {
    return await find(word);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "not_found") return null;
    throw thrown;
  }
}

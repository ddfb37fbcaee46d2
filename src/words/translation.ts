// A catalogue of words and its translations: by file, so that a translator sees what belongs together. A text that is translated in
// one place holds everywhere, unless a file says it in its own way.

import { type Message, parseText } from "./message.ts";
import type { Wanted } from "./replace-words.ts";

/** File → text in English → text in the language of the catalogue. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Translation = { readonly language: string; readonly forFile: (file: string) => Wanted };

export function openTranslation(language: string, catalogue: Catalogue): Translation {
  const anywhere = new Map<string, string>();
  for (const texts of Object.values(catalogue))
    for (const [text, said] of Object.entries(texts)) if (said !== "" && !anywhere.has(text)) anywhere.set(text, said);
  return {
    language,
    forFile: (file) => ({ language, translate: (text) => catalogue[file]?.[text] || (anywhere.get(text) ?? null) }),
  };
}

export type Found = ReadonlyMap<string, readonly Message[]>;

/** The English catalogue: every text of every file, in the order in which they stand there. */
export function writeCatalogue(found: Found): string {
  const files = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = files.flatMap(([file, messages]) => {
    const texts = messages.filter(({ place }) => place !== "locale").map(({ text }) => [text, text]);
    return texts.length === 0 ? [] : [[file, Object.fromEntries(texts)]];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

export type Judged = {
  /** Texts without a translation, by file; each only in the first file that has it. */
  readonly missing: Catalogue;
  /** Texts whose translation does not have the same places for values and elements. */
  readonly wrong: readonly string[];
  /** Texts of the translation that no file has. */
  readonly unused: readonly string[];
};

export function judgeTranslation(found: Found, catalogue: Catalogue): Judged {
  const translation = openTranslation("xx", catalogue);
  const missing: Record<string, Record<string, string>> = {};
  const wrong = new Set<string>();
  const known = new Set<string>();
  for (const [file, messages] of found)
    for (const { text, slots, place } of messages) {
      const said = place === "locale" ? text : translation.forFile(file).translate(text);
      if (said === null && !known.has(text)) {
        missing[file] ??= {};
        missing[file][text] = "";
      } else if (said !== null && parseText(said, slots) === null) wrong.add(`${file}: ${text}`);
      known.add(text);
    }
  const unused = Object.values(catalogue).flatMap((texts) => Object.keys(texts).filter((text) => !known.has(text)));
  return { missing, wrong: [...wrong], unused: [...new Set(unused)] };
}

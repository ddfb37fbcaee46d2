// Lets Node load the files of the terminal's side in another language: their words are replaced while they are read. Without a
// language, or in English, nothing is registered.

import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readTranslation } from "./read-translation.ts";
import { replaceWords } from "./replace-words.ts";
import { isTerminalFile } from "./sides.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

export function loadTranslated(language: string | undefined): void {
  const translation = readTranslation("terminal", language);
  if (translation === null) return;
  registerHooks({
    load: (url, context, load) => {
      const loaded = load(url, context);
      const file = url.startsWith("file:") ? path.relative(home, fileURLToPath(url)).replaceAll(path.sep, "/") : "";
      if (!isTerminalFile(file) || !loaded.source) return loaded;
      const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: replaceWords(file, source, translation.forFile(file)) ?? source };
    },
  });
}

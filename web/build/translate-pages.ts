// Builds the pages in another language: replaces the words in their sources before anything else reads them. Without a language, or
// in English, it does nothing. What the translation lacks stays English.

import path from "node:path";
import type { Plugin } from "vite";
import { replaceFrameWords } from "../../src/words/page-frame.ts";
import { readTranslation } from "../../src/words/read-translation.ts";
import { replaceWords } from "../../src/words/replace-words.ts";
import { isPageFile } from "../../src/words/sides.ts";

const home = path.resolve(import.meta.dirname, "../..");

export function translatePages(language: string | undefined): Plugin | null {
  const translation = readTranslation("pages", language);
  if (translation === null) return null;
  return {
    name: "translate-pages",
    enforce: "pre",
    transform: (code, id) => {
      const [name = ""] = id.split("?");
      const file = path.relative(home, name).replaceAll(path.sep, "/");
      return isPageFile(file) ? replaceWords(file, code, translation.forFile(file)) : null;
    },
    transformIndexHtml: {
      order: "pre",
      handler: (html) => replaceFrameWords(html, translation.forFile("web/index.html")),
    },
  };
}

// Reads the translation of one side from words/. English is what the sources say, so there is nothing to read for it.

import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../lib/app-error.ts";
import { catalogueOf, type Side } from "./sides.ts";
import { type Catalogue, openTranslation, type Translation } from "./translation.ts";

const home = new URL("../../", import.meta.url);

/** Null for English, and for a side that is not translated yet. A language that neither side has is refused. */
export function readTranslation(side: Side, language: string | undefined): Translation | null {
  if (!language || language === "en") return null;
  const files = readdirSync(new URL("words/", home));
  if (files.includes(`${side}.${language}.json`)) {
    const text = readFileSync(new URL(catalogueOf(side, language), home), "utf8");
    return openTranslation(language, JSON.parse(text) as Catalogue);
  }
  const languages = [...new Set(files.map((file) => file.split(".")[1] ?? ""))].sort();
  if (languages.includes(language)) return null;
  throw new AppError(
    "config_invalid",
    `HOMEWORK_LANGUAGE: there is no translation into ${language}. There is ${languages.join(", ")}.`,
  );
}

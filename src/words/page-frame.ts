// The words of the one HTML file that every page begins with, and its language.

import type { Wanted } from "./replace-words.ts";

const words = /(?<=name="description" content=")[^"]+|(?<=<noscript>)[^<]+/g;
const language = /(?<=<html lang=")[\w-]+/;

export const findFrameWords = (html: string): readonly string[] => html.match(words) ?? [];

export function replaceFrameWords(html: string, wanted: Wanted): string {
  return html
    .replace(language, wanted.language)
    .replaceAll(words, (text) => (wanted.translate(text) ?? text).replaceAll("<", "&lt;").replaceAll('"', "&quot;"));
}

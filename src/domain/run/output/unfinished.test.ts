import { expect, test } from "vitest";
import { findUnfinished } from "./unfinished.ts";

test.each([
  "I wrote chapter 1. Chapters 2 to 5 are still missing.",
  "It is not finished yet.",
  "The table remains to be filled.",
  "Kapitel 1 steht. Die Kapitel 2 bis 5 fehlen noch.",
  "Il reste à écrire la conclusion.",
  "Faltan los capítulos 2 a 5.",
  "I will write the rest in the next iteration.",
])("A1: prose that names work is a word against the end: %s", (text) => expect(findUnfinished(text)).not.toBeNull());

test.each([
  "Everything is written, and nothing is missing.",
  "It is all there.",
  "All tasks are done. The implementation is complete.",
  "Es fehlt nichts mehr.",
  "No sections are missing.",
  "There is no remaining work.",
  "",
])("A1, otherwise: this is not: %j", (text) => expect(findUnfinished(text)).toBeNull());

test("only the last words count", () =>
  expect(findUnfinished(`Chapter 2 is still missing.\n${"It is written now. ".repeat(300)}`)).toBeNull());

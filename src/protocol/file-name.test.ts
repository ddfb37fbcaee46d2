import { expect, test } from "vitest";
import { fileNameOf } from "./file-name.ts";

test.each([
  ["Plan: Move of the office", "Plan - Move of the office"],
  ["Überblick „Küche“ — 台所", "Überblick „Küche“ — 台所"],
  ["../../etc/passwd", "etc-passwd"],
  ['a<b>c"d|e?f*g\\h', "a-b-c-d-e-f-g-h"],
  ["line\nbreak\u0000and\u202etricks", "line break and tricks"],
  ["-rf .", "rf"],
  [".hidden", "hidden"],
  ["CON", "CON file"],
  ["nul.txt", "nul file.txt"],
  ["COM\u00b9", "COM\u00b9 file"],
  ["lpt\u00b2.log", "lpt\u00b2 file.log"],
  ["CONIN$", "CONIN$ file"],
  ["conout$.txt", "conout$ file.txt"],
  ["con .txt", "con file .txt"],
  ["Console", "Console"],
  ["COM", "COM"],
  ["CONIN", "CONIN"],
  ["ends with dots...", "ends with dots"],
  ["  ", "Untitled"],
  ["???", "Untitled"],
  ["e\u0301", "\u00e9"],
])("%j is named %j", (title, name) => expect(fileNameOf(title)).toBe(name));

test.each(["x".repeat(300), "台".repeat(300), "👨‍👩‍👧‍👦".repeat(60)])("a long title fits", (title) => {
  const name = fileNameOf(title);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(title.startsWith(name)).toBe(true);
  expect(name.isWellFormed()).toBe(true);
});

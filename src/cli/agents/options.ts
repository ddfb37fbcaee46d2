// Readers for values of options that several commands of `run-agent` take.

import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../runner/config/durations.ts";
import { splitWords } from "./split-words.ts";

/** In milliseconds. */
export function durationOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError(`Give a duration such as 90s, 5m, 24h or 7d.`);
  return ms;
}

const unitBytes: Readonly<Record<string, number>> = { "": 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

export function sizeOption(text: string): number {
  const match = /^(\d{1,12})(b|kb|mb|gb)?$/i.exec(text.trim());
  if (match === null) throw new InvalidArgumentError("Give a size such as 500KB or 10MB.");
  return Number(match[1]) * (unitBytes[(match[2] ?? "").toLowerCase()] ?? 1);
}

/** `name=value`, gathered over several uses. Names have dots: `selection.strategy=lucky`. */
export function settingOption(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give it as name=value, such as max_restarts=3.");
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1) };
}

/** Ids separated by commas, gathered over several uses. */
export function idsOption(text: string, before: readonly string[] = []): readonly string[] {
  const ids = text.split(",").map((id) => id.trim());
  return [...before, ...ids.filter((id) => id !== "")];
}

/** Words with quotes as in a shell, or a JSON list. */
export function commandOption(text: string): readonly string[] {
  const words = text.trim().startsWith("[") ? readList(text) : splitWords(text);
  if (words === null) throw new InvalidArgumentError("A quote in it is not closed.");
  if (words.length > 0) return words;
  throw new InvalidArgumentError(`Give it as words, or as a JSON list such as ["npm", "test"].`);
}

function readList(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  } catch {
    // Told by the caller.
  }
  throw new InvalidArgumentError(`Give it as words, or as a JSON list such as ["npm", "test"].`);
}

export const commandsOption = (
  text: string,
  before: readonly (readonly string[])[] = [],
): readonly (readonly string[])[] => [...before, commandOption(text)];

export const namesOption = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
];

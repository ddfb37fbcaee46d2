// What is known about providers, line by line, and where the lab is held to it: the requests they refuse and the modes that play
// their ways. A line whose test is renamed or removed fails here, so that none is lost unnoticed.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

type Line = readonly [line: string, file: string, ...titles: readonly string[]];

const refused: readonly Line[] = [
  ["Claude: a call without a result", "strict-claude", "a call without a result", "one result of two"],
  ["Gemini: a call without a result", "strict", "fewer results than calls"],
  ["OpenAI: a call without a result", "strict", "No tool output found for function call c1."],
  ["chat protocol: a call without a result", "strict", "did not have response messages: c1"],
  [
    "Claude 5.5: system, tools or earlier messages changed",
    "claude-modes",
    "another system",
    "another tool",
    "the same tools in another order",
    "an earlier message changed",
  ],
  ["Claude 5.5: a thinking block left out between others", "claude-modes", "the first of two thinking blocks left out"],
  ["older Claude: thinking edited", "claude-modes", "thinking whose text was changed is refused in any mode"],
  ["older Claude: thinking missing", "strict-claude", "budget thinking that was left out"],
  ["Claude: blank-only text", "strict-claude", "text of blanks only before a call", "an empty text"],
  ["Claude from 4.6: assistant message last", "strict-claude", "an assistant message at the end"],
  [
    "Claude: forced tool",
    "strict-claude",
    "a forced tool with budget thinking",
    "a forced tool on Sonnet 5.5",
    "a forced tool on Fable 5.1",
  ],
  ["Claude from 4.7: sampling", "strict-claude", "a temperature", "top_p"],
  ["Claude 5.5: thinking type", "strict-claude", "thinking switched off", "thinking with a budget on 5.5"],
  ["Claude: cache marks", "strict-claude", "five cache marks", "five minutes before an hour"],
  ["Claude: union at the root of a schema", "strict-claude", "anyOf at the root", '["allOf", "oneOf"]'],
  ["OpenAI: union at the root of a schema", "strict", "anyOf at the root"],
  [
    "OpenAI: strict schemas",
    "strict",
    "strict with an optional property",
    "strict with an open object inside",
    "strict with propertyNames",
    "strict with lookaround",
  ],
  ["OpenAI: names", "strict", "a name with a dot", "a long name"],
  ["Gemini: names", "strict", "a name that begins with a digit"],
  ["Claude: names and keys", "strict-claude", "a name with a dot", "a property with a blank"],
  ["Claude: ids of calls", "strict-claude", "another provider's ids", "an id of 65 characters"],
  ["Gemini: a signature that is missing or foreign", "gemini-modes", "refuses a missing and a foreign signature"],
  ["Gemini before 3: JSON mode with tools", "strict", "JSON with tools before Gemini 3"],
  ["OpenAI: a call without its reasoning", "openai-modes", "refuses a call under its own id without the reasoning"],
  ["OpenAI: references", "openai-modes", "finds no references, and no reasoning without ciphertext"],
  ["OpenAI: ciphertext", "openai-modes", "refuses ciphertext that was altered, or is another account's"],
  ["DeepSeek: reasoning_content", "compat-modes", "deepseek-reasoning: calls of this turn come back with"],
];

const modes: readonly Line[] = [
  ["claude-bound", "claude-modes", 'describe("claude-bound"'],
  ["claude-strict", "strict-claude", "with claude-strict, any name is the newest model"],
  ["claude-omitted", "claude-modes", "claude-omitted: thinking has a signature and no text, and a silence"],
  ["claude-529", "claude-modes", "%s: overloaded, in a 200"],
  ["openai-stateless", "openai-modes", "gives ciphertext and takes it back"],
  ["openai-failed", "openai-modes", "context_length_exceeded", "insufficient_quota"],
  ["gemini-sign", "gemini-modes", "signs the first of several calls and gives no ids", "which is counted"],
  ["gemini-odd", "gemini-modes", "a blocked prompt has no candidates", "a day's quota is a 429", "TOO_MANY_TOOL_CALLS"],
  ["openrouter-half", "openrouter-modes", "without finish_reason the SDK makes a valid call", "with it, too"],
  ["openrouter-details", "openrouter-modes", '["a call", {', '["text only", {'],
  ["openrouter-inband", "openrouter-modes", "with metadata of the test's own"],
  ["compat-sloppy", "compat-modes", "all of it at once unless told otherwise", "an error that is only a text"],
  ["compat-text-call", "compat-modes", "compat-text-call: calls and thoughts stand in the content"],
  ["ollama-4k", "compat-modes", "what is too long loses its front, and only the count tells"],
  [
    "cache-meter",
    "prefix-cache",
    "does nothing without a mark, or below the minimum",
    "a stream is cut at a byte on demand",
  ],
];

function check([_line, file, ...titles]: Line): void {
  const text = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), "utf8");
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
}

const named = (lines: readonly Line[]) => lines.map((line) => ({ name: line[0], line }));

describe("refused", () => test.each(named(refused))("$name", ({ line }) => check(line)));
describe("played", () => test.each(named(modes))("$name", ({ line }) => check(line)));

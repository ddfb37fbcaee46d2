import { describe, expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { type Texts, takeNamed } from "./take-named.ts";

const ids = ["0198c2a4-0000-7000-8000-000000000001", "beef0000-0000-7000-8000-000000000002"];

async function find(ref: string): Promise<string> {
  const found = ref === "last" || ref === "-" ? "last" : ids.find((id) => id.startsWith(ref));
  if (found === undefined) throw new AppError("not_found", `There is no run "${ref}".`);
  return found;
}

const optional: Texts = { min: 0, max: 1, example: 'answer "Red"' };
const needed: Texts = { min: 1, max: 1, example: 'steer "Red"' };
const many: Texts = { min: 0, max: Number.POSITIVE_INFINITY, example: "approve 1 3" };
const [first, second] = ids;

describe("the first word names the thing, or the last one is meant", () => {
  test.each<[string, readonly string[], Texts, unknown]>([
    ["nothing at all", [], optional, { thing: "last", texts: [] }],
    ["an answer alone", ["The red tiles"], optional, { thing: "last", texts: ["The red tiles"] }],
    ["an answer that is a number", ["2"], optional, { thing: "last", texts: ["2"] }],
    ["an answer that could start an id, but starts none", ["2024"], optional, { thing: "last", texts: ["2024"] }],
    ["a run alone", ["beef"], optional, { thing: second, texts: [] }],
    ["last alone", ["last"], optional, { thing: "last", texts: [] }],
    ["a run and an answer", ["0198", "Red"], optional, { thing: first, texts: ["Red"] }],
    ["a message alone", ["Not in red"], needed, { thing: "last", texts: ["Not in red"] }],
    ["a message from stdin", ["-"], needed, { thing: "last", texts: ["-"] }],
    ["last, and a message from stdin", ["last", "-"], needed, { thing: "last", texts: ["-"] }],
    ["changes by number", ["1", "3"], many, { thing: "last", texts: ["1", "3"] }],
    ["a run, and changes by number", ["0198c2a4", "1"], many, { thing: first, texts: ["1"] }],
  ])("%s", async (_, words, texts, expected) => {
    expect(await takeNamed(words, texts, find)).toEqual(expected);
  });
});

describe("refused, before anything is sent", () => {
  test.each<[string, readonly string[], Texts, string]>([
    ["a name where a message is missing", ["last"], needed, 'Say what, such as: steer "Red"'],
    ["no word where a message is missing", [], needed, 'Say what, such as: steer "Red"'],
    ["a text without its quotes", ["Only", "second-hand", "please"], needed, 'in quotes, such as: steer "Red"'],
    ["a run that does not exist, before a text", ["0199", "Red"], optional, 'There is no run "0199"'],
  ])("%s", async (_, words, texts, message) => {
    await expect(takeNamed(words, texts, find)).rejects.toThrow(message);
  });
});

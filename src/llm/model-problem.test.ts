import { expect, test } from "vitest";
import { findModelProblem, type NeededSetting } from "./model-problem.ts";

const why = (id: string, set: readonly NeededSetting[] = []) => findModelProblem(id, (name) => set.includes(name));

test.for([
  ["foo/bar", [], "has no provider that is known here"],
  ["sonnet", [], "has no provider that is known here"],
  ["anthropic/", ["anthropic_api_key"], "names no model of its provider"],
  ["anthropic/claude-sonnet-5-5", ["openai_api_key"], "set anthropic_api_key"],
  ["openrouter/openai/gpt-6-luna", ["openai_api_key"], "set openrouter_api_key"],
  ["openai-compatible/house-model", [], "Set openai_compatible_url"],
] as const)("%s cannot be asked with the settings %j: it %s", ([id, set, words]) =>
  expect(why(id, set)).toContain(words),
);

test.for([
  ["anthropic/claude-sonnet-5-5", ["anthropic_api_key"]],
  ["openrouter/openai/gpt-6-luna", ["openrouter_api_key"]],
  ["openai-compatible/house-model", ["openai_compatible_url"]],
  ["ollama/qwen3:8b", []],
  ["demo/rules", []],
] as const)("%s can be asked with the settings %j", ([id, set]) => expect(why(id, set)).toBeNull());

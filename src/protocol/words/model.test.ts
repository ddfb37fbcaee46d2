import { expect, test } from "vitest";
import { nameModel } from "./model.ts";

test.for([
  ["openrouter/anthropic/claude-sonnet-5.5", "Claude Sonnet 5.5"],
  ["openai/gpt-6-mini", "GPT 6 Mini"],
  ["anthropic/claude-sonnet-5-5", "Claude Sonnet 5.5"],
  ["anthropic/claude-sonnet-5-20270101", "Claude Sonnet 5 20270101"],
  ["local/qwen_3:free", "Qwen 3 (free)"],
  ["demo", "Demo"],
  ["lab/", "lab/"],
])("%s is called %s", ([model, name]) => expect(nameModel(model ?? "")).toBe(name));

import { expect, test } from "vitest";
import { nameModel } from "./model-name.ts";

test.for([
  ["openrouter/anthropic/claude-sonnet-5.5", "Claude Sonnet 5.5"],
  ["openai/gpt-6-mini", "GPT 6 Mini"],
  ["local/qwen_3:free", "Qwen 3"],
  ["demo", "Demo"],
  ["lab/", "lab/"],
])("%s is called %s", ([model, name]) => expect(nameModel(model ?? "")).toBe(name));

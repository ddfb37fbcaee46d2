import { expect, test } from "vitest";
import { describeKey, describeModel, describePrice, listChoices, splitModel } from "./model-words.ts";

const found = { id: "openai/gpt-5", source: "file", why: "Key in the config file", price: null } as const;
const role = { role: "judge", models: ["demo/rules"], why: "", is_set: false, locked_by: null } as const;

test("prices read as dollars, and an unknown one is not free", () => {
  expect([{ input: 0.125, output: 2 }, "free" as const, null].map(describePrice)).toEqual([
    "$0.125 in, $2 out per million tokens",
    "Free",
    "Price unknown",
  ]);
});

test("a key says where it is, and its end where that may be shown", () => {
  const key = { provider: "openai", source: "file", from: "/config.json", end: "7f3a" } as const;
  expect([
    describeKey(key),
    describeKey({ ...key, end: null }),
    describeKey({ ...key, source: null }),
    describeKey({ ...key, source: "environment", from: "OPENAI_API_KEY" }),
  ]).toEqual(["Saved, ends in 7f3a", "Saved", "No key", "Set where the server is started, ends in 7f3a"]);
});

test("a role that has no choice of its own says what it uses", () => {
  expect(listChoices({ ...role, models: ["demo/rules"] }, [found])).toEqual([
    { value: "", label: "Automatic: Rules" },
    { value: "openai/gpt-5", label: "GPT 5 · OpenAI" },
  ]);
});

test("a model that was chosen is offered even where it was not found", () => {
  const chosen = { ...role, models: ["openai/gpt-9"], is_set: true };
  expect(listChoices(chosen, [found]).map(({ value }) => value)).toEqual(["", "openai/gpt-9", "openai/gpt-5"]);
});

test("a model is called by its name; who makes it and through whom stands beside it", () => {
  const model = {
    ...found,
    id: "openrouter/anthropic/claude-sonnet-5.5",
    source: "environment",
    why: "Key in KEY",
  } as const;
  expect([splitModel(model.id).name, describeModel(model)]).toEqual([
    "Claude Sonnet 5.5",
    "Anthropic through OpenRouter · Price unknown",
  ]);
  const local = { ...found, id: "ollama/llama", source: "server", why: "Local server", price: "free" } as const;
  expect(describeModel(local)).toBe("Ollama · Local server · Free");
});

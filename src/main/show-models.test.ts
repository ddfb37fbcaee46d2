import { expect, test } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { configSchema } from "./config-schema.ts";
import { createModelsSource } from "./models-source.ts";
import { showModels } from "./show-models.ts";

const nobodyThere: typeof fetch = async () => {
  throw new TypeError("fetch failed");
};
const machine: typeof fetch = async (input) => {
  if (String(input).includes(":11434")) return Response.json({ data: [{ id: "qwen3:8b" }, { id: "llama4" }] });
  throw new TypeError("fetch failed");
};
const portOf = (settings: object, fetchPage: typeof fetch) => {
  const config = configSchema.parse({ data: "/nowhere", ...settings });
  return showModels({ source: createModelsSource({ config, logger: silentLogger }, fetchPage), logger: silentLogger });
};
const shown = (settings: object, fetchPage = nobodyThere) => portOf(settings, fetchPage).show();

test("where nothing was found it is the demo model, and how to get another", async () => {
  const models = await shown({});
  expect(models).toMatchObject({ isDemo: true, choices: ["demo/rules"] });
  expect(models.about).toMatch(/no AI.*ANTHROPIC_API_KEY/);
});

test("with keys it names the providers, never a key, and offers what they have", async () => {
  const models = await shown({ anthropic_api_key: "sk-secret-1", openai_api_key: "sk-secret-2" });
  expect(models).toMatchObject({ isDemo: false, about: "The models come from: keys for anthropic, openai." });
  expect(models.roles[0]).toEqual({
    role: "planner",
    model: "anthropic/claude-sonnet-5-5",
    fallbacks: ["openai/gpt-6.1-sol"],
  });
  expect(models.choices).toEqual(expect.arrayContaining(["anthropic/claude-haiku-5-5", "openai/gpt-6-luna"]));
  expect(JSON.stringify(models)).not.toContain("sk-secret");
});

test("all models of a server on this machine are offered", async () => {
  const models = await shown({}, machine);
  expect(models).toMatchObject({ isDemo: false, about: "The models come from: ollama on this machine." });
  expect(models.choices).toEqual(["ollama/qwen3:8b", "ollama/llama4"]);
});

test("a model of the settings is asked, and what the keys have is offered beside it", async () => {
  const models = await shown({ model: ["openai/gpt-6-luna"], openai_api_key: "sk-1" });
  expect(models.choices).toEqual(["openai/gpt-6-luna", "openai/gpt-6.1-sol"]);
});

test("models that cannot be opened are said to be so, without an address, and looked for again", async () => {
  let isThere = false;
  const server: typeof fetch = async () => {
    if (!isThere) throw new TypeError("fetch failed");
    return Response.json({ data: [{ id: "house-model" }] });
  };
  const port = portOf({ openai_compatible_url: "http://inside.example/v1" }, server);
  const before = await port.show();
  expect([before.roles, JSON.stringify(before).includes("inside.example")]).toEqual([[], false]);
  isThere = true;
  expect((await port.show()).choices).toEqual(["openai-compatible/house-model"]);
});

test.for([
  ["foo/bar", {}, nobodyThere, "no provider that is known"],
  ["anthropic/claude-sonnet-5-5", {}, nobodyThere, "set anthropic_api_key"],
  ["anthropic/claude-sonnet-5-5", { anthropic_api_key: "sk-1" }, nobodyThere, null],
  ["ollama/qwen3:8b", {}, nobodyThere, "Ollama does not answer at http://127.0.0.1:11434/v1"],
  ["ollama/qwen4", {}, machine, "Ollama has no such model. It has qwen3:8b, llama4."],
  ["ollama/qwen3:8b", {}, machine, null],
  ["demo/rules", {}, nobodyThere, null],
  ["demo/rules", { openai_compatible_url: "http://inside.example/v1" }, nobodyThere, "could not be opened"],
] as const)(
  "whether %s can be asked with %j is known before a run is made",
  async ([name, settings, fetchPage, words]) => {
    const problem = await portOf(settings, fetchPage).findProblem([name]);
    expect(problem).toEqual(words === null ? null : expect.stringContaining(words));
  },
);

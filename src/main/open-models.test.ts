import { afterEach, describe, expect, test } from "vitest";
import { type Lab, startLab } from "../../test/lab/lab.ts";
import { makeRequest } from "../../test/lab/lab-models.ts";
import { silentLogger } from "../lib/logger.ts";
import { configSchema } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { openModels } from "./open-models.ts";
import { listModels, testModel } from "./ports-models.ts";

const labs: Lab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

async function openLab(models: readonly string[] = ["house-model"]): Promise<Lab> {
  const lab = await startLab({ script: () => ({ text: "ready", usage: { input: 20, output: 4 } }), models });
  labs.push(lab);
  return lab;
}

const configOf = (settings: object) => configSchema.parse({ data: "/nowhere", ...settings });
/** Nothing is on this machine. */
const nobodyThere: typeof fetch = async () => {
  throw new TypeError("fetch failed");
};
const open = (settings: object, fetchPage = nobodyThere) =>
  openModels(configOf(settings), realEnv, silentLogger, fetchPage);
const plannersOf = async (settings: object, fetchPage = nobodyThere) =>
  (await open(settings, fetchPage)).chainOf("planner").map(({ id }) => id);

test("without a key and a server it is the demo model, known as such", async () => {
  const models = await open({});
  expect(models.chainOf("planner")).toEqual([{ provider: "demo", id: "demo/rules", isDemo: true }]);
  expect(models.describe()[0]).toMatchObject({ from: "no key and no model server found", models: [{ price: "free" }] });
});

describe("what runs on this machine", () => {
  /** Ollama is there, and on the port of vLLM something else. */
  const asked: string[] = [];
  const machine: typeof fetch = async (input) => {
    asked.push(String(input));
    if (String(input).includes(":11434"))
      return Response.json({ data: [{ id: "nomic-embed-text" }, { id: "qwen3:8b" }] });
    if (String(input).includes(":8000")) return new Response("<html>My shop</html>");
    throw new TypeError("fetch failed");
  };

  test("is found on its usual port, past what cannot answer and what is something else", async () => {
    expect(await plannersOf({}, machine)).toEqual(["ollama/qwen3:8b"]);
  });
  test("is not looked for where a key or a model is set, or nobody wants it", async () => {
    asked.length = 0;
    expect(await plannersOf({ openai_api_key: "sk-1" }, machine)).toEqual(["openai/gpt-6.1-sol"]);
    expect(await plannersOf({ model: ["demo/rules"] }, machine)).toEqual(["demo/rules"]);
    expect(await plannersOf({ find_local_models: false }, machine)).toEqual(["demo/rules"]);
    expect(asked).toEqual([]);
  });
});

describe("a server that the settings name", () => {
  test("is asked for its models, and the keys come after it", async () => {
    const lab = await openLab();
    const settings = { openai_compatible_url: lab.baseUrl("openai-compatible"), openai_api_key: "sk-1" };
    expect(await plannersOf(settings, fetch)).toEqual(["openai-compatible/house-model", "openai/gpt-6.1-sol"]);
  });
  test("that is not there is a problem, not the demo model", async () => {
    const settings = { openai_compatible_url: "http://127.0.0.1:9/v1" };
    await expect(open(settings)).rejects.toMatchObject({ code: "config_invalid" });
    expect(await plannersOf({ ...settings, openai_api_key: "sk-1" })).toEqual(["openai/gpt-6.1-sol"]);
  });
});

test.each([
  [{}, "deny"],
  [{ openrouter_data_collection: true }, "allow"],
])(
  "OpenRouter chooses providers that keep what they are sent only where the settings allow it: %j",
  async (more, word) => {
    const lab = await openLab();
    const settings = { openrouter_api_key: "sk-or-1", openrouter_base_url: lab.baseUrl("openrouter"), ...more };
    const models = await open(settings, fetch);
    await models.call(models.chainOf("chat")[0], makeRequest(), new AbortController().signal);
    expect(lab.requests[0]?.raw).toMatchObject({ provider: { data_collection: word } });
  },
);

test("calls go to the address of the settings, with their key", async () => {
  const lab = await openLab();
  const models = await open({ google_api_key: "AIza-1", google_base_url: lab.baseUrl("google") }, fetch);
  const outcome = await models.call(models.chainOf("chat")[0], makeRequest(), new AbortController().signal);
  expect(outcome).toMatchObject({ kind: "answered", answer: { text: "ready" } });
  expect(lab.requests[0]?.headers["x-goog-api-key"]).toBe("(a key)");
});

describe("homework model", () => {
  const { signal } = new AbortController();
  const input = async () => {
    const lab = await openLab();
    const settings = { anthropic_api_key: "sk-ant-1", anthropic_base_url: lab.baseUrl("anthropic") };
    return { lab, input: { config: configOf(settings), logger: silentLogger } };
  };

  test("list shows each role with prices in dollars", async () => {
    const [planner] = await listModels((await input()).input);
    const price = { input: 2, output: 10, cache_read: 0.2 };
    const models = [{ id: "anthropic/claude-sonnet-5-5", demo: false, price }];
    expect(planner).toEqual({ role: "planner", models, from: "keys for anthropic" });
  });
  test("test makes one small call of the planner's model", async () => {
    const { lab, input: given } = await input();
    const result = { ok: true, answer: "ready", input_tokens: 20, output_tokens: 4, cost_usd: 0.00008 };
    expect(await testModel(given, null, signal)).toMatchObject({ model: "anthropic/claude-sonnet-5-5", result });
    expect(lab.requests).toHaveLength(1);
  });
  test("test takes a role or a model", async () => {
    const { lab, input: given } = await input();
    await testModel(given, "summary", signal);
    await testModel(given, "anthropic/claude-opus-5-5", signal);
    expect(lab.requests.map(({ model }) => model)).toEqual(["claude-haiku-5-5", "claude-opus-5-5"]);
  });
  test.each(["nonsense", "openai/gpt-5"])("test says what is wrong with %s", async (target) => {
    await expect(testModel((await input()).input, target, signal)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

test("a model has the price that the settings say", async () => {
  const id = "openai-compatible/house-model";
  const settings = { model: [id], openai_compatible_url: "http://127.0.0.1:9/v1" };
  const known = await open({ ...settings, model_prices: { [id]: { input: 1, output: 2 } } });
  const unknown = await open(settings);
  expect([known, unknown].map((models) => models.isPriced(models.chainOf("planner")[0]))).toEqual([true, false]);
  expect(known.describe()[0]?.models[0]?.price).toMatchObject({ input: 1_000_000, cacheRead: 1_000_000 });
});

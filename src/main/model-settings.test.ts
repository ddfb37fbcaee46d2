import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Lab, startLab } from "../../test/lab/lab.ts";
import { readOrUndefined } from "../files/owned-files.ts";
import { silentLogger } from "../lib/logger.ts";
import { openModelSettings } from "./model-settings.ts";
import { createModelsSource } from "./models-source.ts";
import { openSettingsFile } from "./settings-file.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

const nobodyThere: typeof fetch = async () => {
  throw new TypeError("fetch failed");
};
const withOllama: typeof fetch = async (input) => {
  if (String(input).includes(":11434")) return Response.json({ data: [{ id: "qwen3:8b" }] });
  throw new TypeError("fetch failed");
};

function open(environment: Readonly<Record<string, string>> = {}, fetchPage = nobodyThere) {
  const homeDir = mkdtempSync(path.join(os.tmpdir(), "homework-models-"));
  cleanups.push(() => rmSync(homeDir, { recursive: true }));
  const flags = { configFile: null, values: {} };
  const readFile = (name: string) => readOrUndefined(name) ?? null;
  const settings = openSettingsFile({ flags, environment, readFile, homeDir, workingDir: homeDir });
  const source = createModelsSource({ config: settings.loaded.config, logger: silentLogger }, fetchPage);
  return { settings, source, port: openModelSettings({ settings, source, logger: silentLogger, fetchPage }) };
}

const sonnet = "anthropic/claude-sonnet-5-5";
const longKey = "sk-ant-a-long-enough-key-7f3a";

test("where nothing was found there is the demo model, and no key", async () => {
  const { isDemo, models, keys } = await open().port.read();
  expect([isDemo, models.map(({ id, source, price }) => [id, source, price])]).toEqual([
    true,
    [["demo/rules", "demo", "free"]],
  ]);
  expect(keys.map(({ source }) => source)).toEqual([null, null, null, null]);
});

test("a key says where it is set and how it ends, and its models what they cost", async () => {
  const { models, keys } = await open({ ANTHROPIC_API_KEY: longKey, OPENAI_API_KEY: "short" }).port.read();
  expect(models).toContainEqual({
    id: sonnet,
    source: "environment",
    why: "Key in ANTHROPIC_API_KEY",
    price: { input: 2, output: 10 },
  });
  expect(keys[0]).toEqual({ provider: "anthropic", source: "environment", from: "ANTHROPIC_API_KEY", end: "7f3a" });
  expect(keys[1]).toMatchObject({ provider: "openai", end: null });
  expect(JSON.stringify([models, keys])).not.toContain(longKey.slice(0, -4));
});

test("a server on this machine is something to choose beside a key", async () => {
  const { models } = await open({ OPENAI_API_KEY: "sk-1" }, withOllama).port.read();
  expect(models).toContainEqual({
    id: "ollama/qwen3:8b",
    source: "server",
    why: "Ollama on this machine",
    price: "free",
  });
});

test("a server that was started since takes the place of the demo model", async () => {
  let isStarted = false;
  const later: typeof fetch = (...request) => (isStarted ? withOllama : nobodyThere)(...request);
  const { port } = open({}, later);
  expect((await port.read()).isDemo).toBe(true);
  isStarted = true;
  const { isDemo, models, roles } = await port.read();
  expect([isDemo, models.map(({ id }) => id), roles[0]?.models]).toEqual([
    false,
    ["ollama/qwen3:8b"],
    ["ollama/qwen3:8b"],
  ]);
});

test("a saved key is in use at once, also for those who have opened the models before", async () => {
  const { source, port } = open();
  const handedOut = await source.open();
  expect(handedOut.chainOf("planner")[0].id).toBe("demo/rules");
  expect(await port.setKey("anthropic", longKey)).toEqual({ kind: "changed", isInUse: true });
  expect([handedOut.chainOf("planner")[0].id, (await port.read()).isDemo]).toEqual([sonnet, false]);
  expect(await port.setKey("anthropic", null)).toEqual({ kind: "changed", isInUse: true });
  expect(handedOut.chainOf("planner")[0].id).toBe("demo/rules");
});

test("a role gets a model of its own, and gives it back", async () => {
  const { port } = open({ OPENAI_API_KEY: "sk-1" });
  const judge = async () => (await port.read()).roles.find(({ role }) => role === "judge");
  await port.setModel("judge", "openai/gpt-5");
  expect(await judge()).toMatchObject({ models: ["openai/gpt-5"], isSet: true, lockedBy: null });
  await port.setModel("judge", null);
  expect(await judge()).toMatchObject({ models: ["openai/gpt-6.1-sol"], isSet: false });
});

test("another first model leaves those that are asked after it", async () => {
  const { settings, port } = open({ OPENAI_API_KEY: "sk-1" });
  settings.change({ model_judge: ["openai/gpt-5", "openai/gpt-6-luna"] });
  await port.setModel("chat", "openai/gpt-5"); // The file is read anew.
  await port.setModel("judge", "openai/gpt-6.1-sol");
  const judge = (await port.read()).roles.find(({ role }) => role === "judge");
  expect(judge?.models).toEqual(["openai/gpt-6.1-sol", "openai/gpt-6-luna"]);
});

test("what the environment decides is refused, and says where to change it", async () => {
  const { port } = open({ OPENAI_API_KEY: "sk-1", HOMEWORK_MODEL_CHAT: "openai/gpt-5" });
  expect((await port.read()).roles.find(({ role }) => role === "chat")?.lockedBy).toBe("HOMEWORK_MODEL_CHAT");
  for (const refused of [await port.setKey("openai", "sk-2"), await port.setModel("chat", null)])
    expect(refused).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/OPENAI_API_KEY|HOMEWORK_MODEL_CHAT/),
    });
});

test("a model needs its key, and a key that a role needs stays", async () => {
  const { port } = open();
  expect(await port.setModel("planner", sonnet)).toMatchObject({
    kind: "refused",
    why: expect.stringMatching(/has no key\. Save a key for anthropic/),
  });
  await port.setKey("anthropic", longKey);
  await port.setModel("planner", sonnet);
  expect(await port.setKey("anthropic", null)).toMatchObject({
    kind: "refused",
    why: expect.stringMatching(/The planner uses/),
  });
});

async function openLab(script: Parameters<typeof startLab>[0]["script"]): Promise<Lab> {
  const lab = await startLab({ script, models: ["house-model"] });
  cleanups.push(() => lab.close());
  return lab;
}

test("a test asks the provider and says what it used", async () => {
  const lab = await openLab(() => ({ text: "ready", usage: { input: 20, output: 4 } }));
  const { port } = open({ HOMEWORK_OPENAI_COMPATIBLE_URL: lab.baseUrl("openai-compatible") }, fetch);
  expect(await port.test("openai-compatible/house-model")).toMatchObject({
    fault: null,
    usage: { state: "settled", inputTokens: 20, outputTokens: 4, pricedBy: "unpriced" },
  });
  expect(await port.test("demo/rules")).toMatchObject({ fault: null, usage: null });
  expect(await port.test("anthropic/claude-sonnet-5-5")).toBeNull();
  expect(lab.requests).toHaveLength(1);
});

test("a key that the provider rejects is a fault, without the key", async () => {
  const key = "sk-rejected-by-the-provider";
  const lab = await openLab(() => ({ status: 401, body: { error: { message: `Incorrect key: ${key}` } } }));
  const { port } = open({ OPENAI_API_KEY: key, HOMEWORK_OPENAI_BASE_URL: lab.baseUrl("openai") }, fetch);
  const tested = await port.test("openai/gpt-5");
  expect(tested?.fault?.kind).toBe("auth");
  expect(JSON.stringify(tested)).not.toContain(key);
});

import { afterEach, expect, test, vi } from "vitest";
import { makeRequest } from "../../test/lab/lab-models.ts";
import { silentLogger } from "../lib/logger.ts";
import { configSchema } from "./config-schema.ts";
import { createModelsSource } from "./models-source.ts";

afterEach(() => void vi.useRealTimers());

test("of a model that does not answer is told, as the settings say, by the models that everyone is handed", async () => {
  vi.useFakeTimers();
  const hangs: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  const settings = { model: ["openai/gpt-6-luna"], openai_api_key: "sk-1", model_answer_seconds: 200 };
  const config = configSchema.parse({ data: "/nowhere", ...settings });
  const models = await createModelsSource({ config, logger: silentLogger }, hangs).open();
  const [model] = models.chainOf("planner");
  const told: (number | null)[] = [];
  const never = new AbortController().signal;
  const asked = models.call(model, makeRequest(), never, undefined, (silentMs) => told.push(silentMs));
  await vi.advanceTimersByTimeAsync(199_000);
  expect(told).toEqual([100_000]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asked).toMatchObject({ kind: "fault", fault: { kind: "silent" } });
});

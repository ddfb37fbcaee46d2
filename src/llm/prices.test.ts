import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "./model.ts";
import { parseModelId } from "./model-id.ts";
import { readOutputLimit } from "./output-limits.ts";
import { modelPrices, toOwnPrices } from "./price-settings.ts";
import { costOf, createPriceBook, fromDollars, type Tokens } from "./prices.ts";

const { priceOf, reservationOf, settle } = createPriceBook({});
const model = (id: string) => parseModelId(id) ?? expect.fail(`${id} is no model`);
const tokens = (change: Partial<Tokens> = {}): Tokens => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  ...change,
});
const sonnet = model("anthropic/claude-sonnet-5-5");
const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  role: "planner",
  system: "",
  messages: [],
  tools: [],
  format: "text",
  maxOutputTokens: 9_000,
  cacheKey: "test",
  view: null,
  ...change,
});

function sonnetPrice() {
  const found = priceOf(sonnet);
  return found === null || found === "free" ? expect.fail("no price") : found;
}

test("each kind of token has its own price", () => {
  const cost = (change: Partial<Tokens>) => costOf(sonnetPrice(), tokens(change));
  expect(cost({ input: 1_000_000 })).toBe(2_000_000);
  expect(cost({ output: 1_000_000 })).toBe(10_000_000);
  expect(cost({ input: 1_000_000, cacheRead: 1_000_000 })).toBe(200_000);
  expect(cost({ input: 1_000_000, cacheWrite: 1_000_000 })).toBe(2_500_000);
});

test("a fraction of a micro-dollar is a whole one", () => {
  expect(costOf(sonnetPrice(), tokens({ input: 1, cacheRead: 1 }))).toBe(1);
});

prop.prop([fc.nat(1_000_000_000)])("what a provider says in dollars is not rounded up twice", (microUsd) => {
  expect(fromDollars(microUsd / 1_000_000)).toBe(microUsd);
});

test("a hair that binary fractions leave is no micro-dollar", () => {
  expect([123, 246, 253].map((microUsd) => fromDollars(microUsd / 1_000_000))).toEqual([123, 246, 253]);
  expect(fromDollars(0.1 + 0.2)).toBe(300_000);
});

test("a long prompt is dearer as a whole", () => {
  const found = priceOf(model("openai/gpt-6.1-terra"));
  if (found === null || found === "free") return expect.fail("no price");
  expect(costOf(found, tokens({ input: 272_000 }))).toBe(272_000);
  expect(costOf(found, tokens({ input: 272_001 }))).toBe(544_002);
});

describe("a model is found by its own name", () => {
  test.each([
    ["anthropic/claude-sonnet-5-5", 2_000_000],
    ["anthropic/claude-sonnet-4-5-20250929", 3_000_000],
    ["openai/gpt-5-2025-08-07", 1_250_000],
    ["openrouter/anthropic/claude-haiku-4.5", 1_000_000],
    ["openrouter/openai/gpt-6.1-sol", 2_000_000],
  ])("%s", (id, input) => expect(priceOf(model(id))).toMatchObject({ input }));

  test.each([
    "anthropic/claude-sonnet-9",
    "anthropic/claude-sonnet",
    "openai/gpt-5-turbo",
    "openai/constructor",
    "openai-compatible/gpt-5",
  ])("%s is not: nobody knows what it costs", (id) => expect(priceOf(model(id))).toBeNull());

  test.each(["ollama/gpt-5", "lmstudio/x", "vllm/x", "demo/rules"])("%s is free", (id) =>
    expect(priceOf(model(id))).toBe("free"),
  );
});

test("the provider's own figure comes before the table", () => {
  expect(settle(sonnet, request(), tokens({ input: 10 }), 0.5)).toMatchObject({
    costMicroUsd: 500_000,
    pricedBy: "provider",
  });
  expect(settle(sonnet, request(), tokens({ input: 10 }), null)).toMatchObject({ costMicroUsd: 20, pricedBy: "table" });
});

test("what nobody knows a price for is unpriced, not free", () => {
  expect(settle(model("openai/gpt-99"), request(), tokens({ input: 10 }), null)).toMatchObject({
    pricedBy: "unpriced",
  });
});

describe("prices of the settings", () => {
  const house = model("openai-compatible/house-model");
  const settings = modelPrices.parse({
    [house.id]: { input: 1, output: 4, cached: 0.1, written: 2 },
    [sonnet.id]: { input: 7, output: 9 },
    "ollama/qwen3": { input: 0.5, output: 0.5 },
  });
  const book = createPriceBook(toOwnPrices(settings));
  test("price a model that the list does not know", () => {
    expect([createPriceBook({}).isPriced(house), book.isPriced(house)]).toEqual([false, true]);
  });
  test("have one for each kind of token", () => {
    const counted = tokens({ input: 3_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 });
    expect(book.settle(house, request(), counted, null)).toMatchObject({
      costMicroUsd: 1_000_000 + 100_000 + 2_000_000 + 4_000_000,
      cachedTokens: 1_000_000,
      writtenTokens: 1_000_000,
      pricedBy: "table",
    });
  });
  test("come before the list and before free, and after what the provider says", () => {
    const counted = tokens({ input: 1_000_000 });
    expect(book.settle(sonnet, request(), counted, null).costMicroUsd).toBe(7_000_000);
    expect(book.settle(model("ollama/qwen3"), request(), counted, null).costMicroUsd).toBe(500_000);
    expect(book.settle(sonnet, request(), counted, 0.5).costMicroUsd).toBe(500_000);
  });
  test("reserve", () => expect(book.reservationOf(house, request())).toBeGreaterThan(8_000 * 4));
  test.each([
    { nobody: { input: 1, output: 1 } },
    { [house.id]: { input: -1, output: 1 } },
    { [house.id]: { input: 1 } },
  ])("are checked: %j", (wrong) => expect(modelPrices.safeParse(wrong).success).toBe(false));
});

describe("a reservation", () => {
  test("asks for no more than the model can write", () => {
    const can = (id: string) => reservationOf(model(id), request({ maxOutputTokens: null }));
    expect(can("openai/gpt-4.1")).toBe(reservationOf(model("openai/gpt-4.1"), request({ maxOutputTokens: 16_000 })));
    expect(readOutputLimit(model("anthropic/claude-3-5-haiku"), request({ maxOutputTokens: null }))).toBe(8_192);
    expect(readOutputLimit(model("vllm/some-model"), request({ maxOutputTokens: 50_000 }))).toBe(8_000);
  });
  test("leaves room for a model that always thinks, and only for such a one", () => {
    const few = request({ maxOutputTokens: 900 });
    expect(readOutputLimit(sonnet, few)).toBe(8_000);
    expect(readOutputLimit(model("openai/gpt-4.1"), few)).toBe(900);
  });
  test("counts an answer once: as its provider wrote it there, as text elsewhere", () => {
    const text = "x".repeat(3_000);
    const native = { provider: "anthropic", model: sonnet.id, message: { role: "assistant", content: text } };
    const messages = [{ role: "assistant" as const, text, toolCalls: [], native }];
    const plain = [{ role: "assistant" as const, text, toolCalls: [], native: null }];
    const gpt = model("openai/gpt-6.1-sol");
    expect(reservationOf(gpt, request({ messages }))).toBe(reservationOf(gpt, request({ messages: plain })));
    const more = reservationOf(sonnet, request({ messages })) - reservationOf(sonnet, request({ messages: plain }));
    expect(more).toBeLessThan(100);
  });

  test("counts every third byte, what is around it, and the longest answer", () => {
    const small = reservationOf(sonnet, request());
    const more = reservationOf(sonnet, request({ system: "x".repeat(3_000), maxOutputTokens: 9_100 }));
    // 1,000 tokens at the price of writing them to a cache, and 100 of output.
    expect(more - small).toBe(2_500 + 1_000);
  });
  test("counts bytes, not letters: one of another script may be a token of its own", () => {
    expect(reservationOf(sonnet, request({ system: "学".repeat(3_000) }))).toBeGreaterThan(
      reservationOf(sonnet, request({ system: "x".repeat(3_000) })),
    );
  });
  test("counts the tools, too", () => {
    const tools = [{ name: "note", description: "x".repeat(300), schema: {} }];
    expect(reservationOf(sonnet, request({ tools }))).toBeGreaterThan(reservationOf(sonnet, request()) + 500);
  });
  test("is nothing where nobody knows a price", () => {
    expect(reservationOf(model("openai/gpt-99"), request({ maxOutputTokens: 10_000 }))).toBe(0);
    expect(reservationOf(model("ollama/x"), request({ maxOutputTokens: 10_000 }))).toBe(0);
  });
});

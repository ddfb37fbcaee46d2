import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import type { Lab, LabOptions } from "./lab.ts";
import type { LabMode } from "./lab-mode.ts";
import { record } from "./lab-protocol.ts";
import { ask, post, rawLab, sdkModel } from "./raw-lab.ts";

const { open } = rawLab();
const minuteMs = 60_000;

/** A lab with a cache and a clock that stands still until it is moved. */
async function openMeter(mode: LabMode = { mode: "cache-meter" }, more: Partial<LabOptions> = {}) {
  let nowMs = 0;
  const lab = await open({ script: () => ({ text: "fine" }), modes: [mode], nowMs: () => nowMs, ...more });
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { lab, wait };
}

const longText = (tokens: number) => "word".repeat(tokens);
const mark = (ttl?: string) => ({ cache_control: { type: "ephemeral", ...(ttl ? { ttl } : {}) } });
const user = (content: string) => ({ role: "user", content });

/** Of the last request: what was read, what was written. */
const figures = (lab: Lab) => {
  const { cacheReadTokens, cacheWriteTokens } = lab.ledger.entries.at(-1) ?? {};
  return [Math.round((cacheReadTokens ?? 0) / 100) * 100, Math.round((cacheWriteTokens ?? 0) / 100) * 100];
};

describe("cache-meter for Claude", () => {
  const claude = (tokens: number, messages: object[], control: object = mark()) => ({
    model: "claude-sonnet-5-5",
    system: [{ type: "text", text: longText(tokens), ...control }],
    messages,
  });

  test("writes at a mark, reads the same prefix, and says so in its usage", async () => {
    const { lab } = await openMeter();
    await post(lab, "anthropic", claude(2_000, [user("One?")]));
    expect(figures(lab)).toEqual([0, 2_000]);
    const { body } = await post(lab, "anthropic", claude(2_000, [user("Two?")]));
    expect(figures(lab)).toEqual([2_000, 0]);
    expect(body.usage).toMatchObject({ cache_creation_input_tokens: 0, input_tokens: expect.any(Number) });
    expect(record(body.usage).cache_read_input_tokens).toBeGreaterThan(1_990);
  });

  test("does nothing without a mark, or below the minimum of the model", async () => {
    const { lab } = await openMeter();
    for (const request of [claude(2_000, [user("One?")], {}), claude(900, [user("One?")])])
      for (const _ of [1, 2]) {
        await post(lab, "anthropic", request);
        expect(figures(lab)).toEqual([0, 0]);
      }
  });

  test("a moving mark reads what the last one wrote and writes what is new", async () => {
    const { lab } = await openMeter();
    const talk = [user(longText(1_500)), { role: "assistant", content: "Yes." }, user(longText(500))];
    const automatic = (messages: object[]) => ({ model: "claude-sonnet-5-5", messages, ...mark() });
    await post(lab, "anthropic", automatic(talk.slice(0, 1)));
    await post(lab, "anthropic", automatic(talk));
    expect(figures(lab)).toEqual([1_500, 500]);
  });

  test("forgets after five minutes, or an hour; reading begins them anew", async () => {
    const { lab, wait } = await openMeter();
    for (const [ttl, lastsMs] of [
      [undefined, 5 * minuteMs],
      ["1h", 60 * minuteMs],
    ] as const) {
      const request = claude(2_000, [user(`Keep for ${ttl}?`)], mark(ttl));
      await post(lab, "anthropic", request);
      for (const _ of [1, 2]) {
        wait(lastsMs - 1);
        await post(lab, "anthropic", request);
        expect(figures(lab)).toEqual([2_000, 0]);
      }
      wait(lastsMs);
      await post(lab, "anthropic", request);
      expect(figures(lab)).toEqual([0, 2_000]);
      wait(2 * lastsMs);
    }
  });

  test("what is read on the way to a later mark is kept longer, too", async () => {
    const { lab, wait } = await openMeter();
    const begin = user(longText(1_500));
    const talk = (...texts: string[]) => ({
      model: "claude-sonnet-5-5",
      messages: [begin, ...texts.flatMap((text) => [{ role: "assistant", content: "Yes." }, user(text)])],
      ...mark(),
    });
    for (const request of [talk(), talk("On the left."), talk("On the right.")]) {
      await post(lab, "anthropic", request);
      wait(4 * minuteMs);
    }
    expect(figures(lab)[0]).toBe(1_500);
  });

  test("a change at the front loses everything behind it", async () => {
    const { lab } = await openMeter();
    const tools = (name: string) => ({ tools: [{ name, input_schema: { type: "object" } }] });
    await post(lab, "anthropic", { ...claude(2_000, [user("One?")]), ...tools("note") });
    await post(lab, "anthropic", { ...claude(2_000, [user("One?")]), ...tools("fetch") });
    expect(figures(lab)).toEqual([0, 2_000]);
  });
});

describe("cache-meter elsewhere", () => {
  test("OpenAI caches by itself, from 1,024 tokens; another account has its own", async () => {
    const { lab } = await openMeter();
    const request = (tokens: number) => ({
      model: "gpt-6.1-sol",
      instructions: longText(tokens),
      input: [user("One?")],
    });
    await post(lab, "openai", request(2_000));
    await post(lab, "openai", request(2_000));
    expect(figures(lab)).toEqual([2_000, 0]);
    await post(lab, "openai", request(2_000), "key-2");
    expect(figures(lab)).toEqual([0, 0]);
    await post(lab, "openai", request(800));
    await post(lab, "openai", request(800));
    expect(figures(lab)).toEqual([0, 0]);
  });

  test("Gemini wants 4,096, or what the test says", async () => {
    const request = { model: "gemini-3.8-flash", contents: [{ role: "user", parts: [{ text: longText(3_000) }] }] };
    for (const [minimumTokens, read] of [
      [undefined, 0],
      [1_000, 3_000],
    ] as const) {
      const { lab } = await openMeter({ mode: "cache-meter", ...(minimumTokens ? { minimumTokens } : {}) });
      await post(lab, "google", request);
      await post(lab, "google", request);
      expect(figures(lab)).toEqual([read, 0]);
    }
  });

  test("through the SDKs: cached tokens are read out", async () => {
    const first: ModelMessage = { role: "user", content: longText(2_000) };
    const sdk = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
    for (const [provider, model] of [
      ["anthropic", "claude-sonnet-5-5"],
      ["openai", "gpt-6.1-sol"],
      ["openrouter", "openai/gpt-6-luna"],
      ["openai-compatible", "house-model"],
    ] as const) {
      const { lab } = await openMeter();
      await ask(sdkModel(lab, provider, model), [first], sdk);
      const { usage } = await ask(sdkModel(lab, provider, model), [first], sdk);
      expect(usage?.inputTokenDetails.cacheReadTokens).toBeGreaterThan(1_900);
      expect(lab.ledger.entries[1]?.cacheReadTokens).toBe(usage?.inputTokenDetails.cacheReadTokens);
    }
  });
});

test("the books say of every request how much of it some earlier one began with", async () => {
  const lab = await open(() => ({ text: "fine" }));
  const chat = (...messages: object[]) => post(lab, "openai-compatible", { model: "house-model", messages });
  const [system, question] = [{ role: "system", content: longText(1_000) }, user("One?")];
  await chat(system, question);
  await chat(system, question, { role: "assistant", content: "Yes." }, user(longText(500)));
  await chat(user("Anything else?"), system);
  const shares = lab.ledger.entries.map(({ prefixTokens, requestTokens }) =>
    Math.round((10 * prefixTokens) / requestTokens),
  );
  expect(shares).toEqual([0, 7, 0]);
});

test("a stream is cut at a byte on demand", async () => {
  const whole = await open(() => ({ text: "one two three" }));
  const { text } = await post(whole, "openai-compatible", { model: "m", stream: true, messages: [user("Go.")] });
  const lab = await open(() => ({ text: "one two three", cutAtByte: 300 }));
  const response = await fetch(`${lab.baseUrl("openai-compatible")}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, messages: [user("Go.")] }),
  });
  let heard = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString();
  })();
  await expect(reading).rejects.toThrow();
  expect(heard).toBe(text.slice(0, 300));
  expect(lab.ledger.entries).toMatchObject([{ state: "lost" }]);
});

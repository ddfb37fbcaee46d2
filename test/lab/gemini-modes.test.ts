import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { record, records } from "./lab-protocol.ts";
import { ask, post, rawLab, readError, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns } from "./script.ts";

const { open } = rawLab();
const model = "gemini-3.8-flash";
const words = { role: "user", parts: [{ text: "Go on." }] };
const first: ModelMessage = { role: "user", content: "Go on." };
const modes = [{ mode: "gemini-sign" }] as const;
const twoNotes = playTurns(
  { text: "I note.", toolCalls: [callTool("note", { text: "a" }), callTool("note", { text: "b" })] },
  { text: "Done." },
);
const partsOf = (body: Record<string, unknown>) => records(record(record(records(body.candidates)[0]).content).parts);

describe("gemini-sign", () => {
  const response = { functionResponse: { name: "note", response: { content: "ok" } } };
  const results = { role: "user", parts: [response, response] };

  async function openTalk() {
    const lab = await open({ script: twoNotes, modes });
    const { body } = await post(lab, "google", { model, contents: [words] });
    const parts = partsOf(body);
    const send = (...contents: object[]) => post(lab, "google", { model, contents: [words, ...contents] });
    return { lab, parts, send };
  }

  test("signs the first of several calls and gives no ids", async () => {
    const { parts } = await openTalk();
    const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
    expect(calls.map((part) => part.thoughtSignature !== undefined)).toEqual([true, false]);
    expect(calls.map(({ functionCall }) => record(functionCall).id)).toEqual([undefined, undefined]);
  });

  test("takes them back; refuses a missing and a foreign signature", async () => {
    const { parts, send, lab } = await openTalk();
    const signed = (signature: unknown) => ({
      role: "model",
      parts: parts.map((part) => ("thoughtSignature" in part ? { ...part, thoughtSignature: signature } : part)),
    });
    expect(readError(await send({ role: "model", parts }, results))).toBe("200 ");
    expect(readError(await send(signed(undefined), results))).toContain(
      "400 Function call is missing a thought_signature in functionCall parts",
    );
    expect(readError(await send(signed("Zm9yZWlnbg=="), results))).toContain("400 Corrupted thought signature");
    expect(readError(await send(signed(undefined), results, words))).toBe("200 ");
    expect(lab.sentinels()).toBe(0);
    expect(readError(await send(signed("skip_thought_signature_validator"), results))).toBe("200 ");
    expect(lab.sentinels()).toBe(1);
  });

  test("through the SDK: stored messages keep it; where it was lost, the SDK sends a sentinel, which is counted", async () => {
    const lab = await open({ script: twoNotes, modes });
    const gemini = sdkModel(lab, "google", model);
    const one = await ask(gemini, [first]);
    expect(new Set(one.calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    const stored = JSON.parse(JSON.stringify(one.messages)) as ModelMessage[];
    expect((await ask(gemini, [first, ...stored, resultsFor(one.calls)])).text).toBe("Done.");
    expect([lab.sentinels(), lab.refusals]).toEqual([0, []]);
    const bare = JSON.parse(
      JSON.stringify(one.messages, (key, value) => (key === "providerOptions" ? undefined : value)),
    );
    await ask(gemini, [first, ...bare, resultsFor(one.calls)]);
    expect(lab.sentinels()).toBeGreaterThan(0);
  });
});

describe("gemini-odd", () => {
  test.each([
    ["MALFORMED_FUNCTION_CALL", "error"],
    ["UNEXPECTED_TOOL_CALL", "other"],
    ["TOO_MANY_TOOL_CALLS", "other"],
    ["MISSING_THOUGHT_SIGNATURE", "other"],
    ["SAFETY", "content-filter"],
  ] as const)("%s is `%s` to the SDK, with the text before it", async (odd, finish) => {
    const lab = await open(() => ({ text: "one two", modes: [{ mode: "gemini-odd", odd }] }));
    const { events } = await post(lab, "google", { model, stream: true, contents: [words] });
    const finishes = events.map(({ candidates }) => records(candidates)[0]?.finishReason);
    expect(finishes).toEqual([undefined, undefined, odd]);
    expect(await ask(sdkModel(lab, "google", model), [first])).toMatchObject({ finish, text: "one two" });
  });

  test("a blocked prompt has no candidates", async () => {
    const lab = await open({
      script: () => ({ text: "never" }),
      modes: [{ mode: "gemini-odd", odd: "blocked-prompt" }],
    });
    const { events } = await post(lab, "google", { model, stream: true, contents: [words] });
    expect(events).toMatchObject([{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }]);
    expect((await ask(sdkModel(lab, "google", model), [first])).finish).toBe("content-filter");
  });

  test("a day's quota is a 429 with a short delay that is not to be believed", async () => {
    const lab = await open(() => ({ text: "never", modes: [{ mode: "gemini-odd", odd: "per-day" }] }));
    const { status, text } = await post(lab, "google", { model, stream: true, contents: [words] });
    expect([status, text]).toEqual([429, expect.stringContaining("GenerateRequestsPerDayPerProjectPerModel")]);
    expect(text).toContain('"retryDelay":"37s"');
    expect(lab.ledger.entries).toMatchObject([{ state: "refused" }]);
    expect(lab.refusals).toEqual([]);
  });
});

test("cut off in the middle of a call: MAX_TOKENS, and the call does not come", async () => {
  const toolCalls = [callTool("note", { text: "a" }), callTool("note", { text: "b" })];
  const lab = await open(() => ({ toolCalls, finish: "length", isHalf: true }));
  const { body } = await post(lab, "google", { model, contents: [words] });
  expect(partsOf(body)).toHaveLength(1);
  const cut = await ask(sdkModel(lab, "google", model), [first]);
  expect([cut.finish, cut.calls.length]).toEqual(["length", 1]);
});

test("thoughts are parts of their own and read as such", async () => {
  const lab = await open(
    playTurns({ reasoning: [{ text: "Hm." }], toolCalls: [callTool("note", { text: "a" })] }, { text: "Done." }),
  );
  const gemini = sdkModel(lab, "google", model);
  const one = await ask(gemini, [first]);
  await ask(gemini, [first, ...one.messages, resultsFor(one.calls)]);
  expect(lab.requests[1]?.turns.map(({ role, reasoning }) => [role, reasoning])).toEqual([
    ["user", ""],
    ["assistant", "Hm."],
    ["tool", ""],
  ]);
});

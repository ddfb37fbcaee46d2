import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { record, records } from "./lab-protocol.ts";
import { ask, post, rawLab, readError, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns } from "./script.ts";

const { open } = rawLab();
const model = "gpt-6.1-sol";
const user = { role: "user", content: "Go on." };
const first: ModelMessage = { role: "user", content: "Go on." };
const include = ["reasoning.encrypted_content"];
const modes = [{ mode: "openai-stateless" }] as const;
const noteThenDone = playTurns(
  { reasoning: [{ text: "Hm." }], toolCalls: [callTool("note", { text: "a" })] },
  { text: "Done." },
);

async function openTalk() {
  const lab = await open({ script: noteThenDone, modes });
  const { body } = await post(lab, "openai", { model, store: false, include, input: [user] });
  const [reasoning = {}, call = {}] = records(body.output);
  const output = { type: "function_call_output", call_id: call.call_id, output: "ok" };
  const send = (items: object[], key?: string) =>
    post(lab, "openai", { model, store: false, include, input: [user, ...items] }, key);
  return { lab, reasoning, call, output, send };
}

describe("openai-stateless", () => {
  test("gives ciphertext and takes it back", async () => {
    const { reasoning, call, output, send, lab } = await openTalk();
    expect(reasoning).toMatchObject({ type: "reasoning", encrypted_content: expect.stringMatching(/^lab\./) });
    expect(readError(await send([reasoning, call, output]))).toBe("200 ");
    expect(lab.refusals).toEqual([]);
  });

  test("gives none where it was not asked for", async () => {
    const lab = await open({ script: noteThenDone, modes });
    const { body } = await post(lab, "openai", { model, store: false, input: [user] });
    expect(records(body.output)[0]).not.toHaveProperty("encrypted_content");
  });

  test("refuses ciphertext that was altered, or is another account's", async () => {
    const { reasoning, call, output, send, lab } = await openTalk();
    const altered = { ...reasoning, encrypted_content: `${reasoning.encrypted_content}x` };
    const no = await send([altered, call, output]);
    expect(no.body).toMatchObject({ error: { code: "invalid_encrypted_content" } });
    expect(readError(no)).toMatch(/^400 The encrypted content .* could not be verified/);
    expect((await send([reasoning, call, output], "key-2")).status).toBe(400);
    expect(lab.refusals.map(({ rule }) => rule)).toEqual(["ciphertext", "ciphertext"]);
  });

  test("finds no references, and no reasoning without ciphertext", async () => {
    const { reasoning, call, output, send, lab } = await openTalk();
    const { encrypted_content: _lost, ...bare } = reasoning;
    for (const item of [{ type: "item_reference", id: reasoning.id }, bare])
      expect(readError(await send([item, call, output]))).toMatch(/^404 Item with id 'rs_0_0' not found/);
    const { status } = await post(lab, "openai", { model, previous_response_id: "resp_0", input: [user] });
    expect(status).toBe(404);
  });

  test("refuses a call under its own id without the reasoning it came with; without that id it is taken", async () => {
    const { call, output, send } = await openTalk();
    expect(readError(await send([call, output]))).toBe(
      "400 Item 'fc_0_0' of type 'function_call' was provided without its required 'reasoning' item: 'rs_0_0'.",
    );
    const { id: _id, ...anonymous } = call;
    expect(readError(await send([anonymous, output]))).toBe("200 ");
  });

  test("through the SDK: what was stored is taken back; with references it is not found", async () => {
    const lab = await open({ script: noteThenDone, modes });
    const sol = sdkModel(lab, "openai", model);
    const one = await ask(sol, [first]);
    const next = [first, ...(JSON.parse(JSON.stringify(one.messages)) as ModelMessage[]), resultsFor(one.calls)];
    expect((await ask(sol, next)).text).toBe("Done.");
    expect(records(record(lab.requests[1]?.raw).input).map(({ type }) => type)).toContain("reasoning");
    const { errors } = await ask(sol, next, { providerOptions: { openai: { store: true } } });
    expect(errors[0]).toMatchObject({ statusCode: 404 });
    const other = await ask(sdkModel(lab, "openai", model, "key-2"), next);
    expect(String(other.errors[0])).toContain("could not be verified");
  });
});

test("what was stored may be referred to", async () => {
  const lab = await open(noteThenDone);
  const { body } = await post(lab, "openai", { model, input: [user] });
  const [reasoning, call] = records(body.output);
  const reference = (id: unknown) => ({ type: "item_reference", id });
  const output = { type: "function_call_output", call_id: call?.call_id, output: "ok" };
  const input = [user, reference(reasoning?.id), call, output];
  expect(readError(await post(lab, "openai", { model, input }))).toBe("200 ");
  expect((await post(lab, "openai", { model, input: input.with(1, reference("rs_9_9")) })).status).toBe(404);
});

describe("openai-failed", () => {
  test.each([
    ["context_length_exceeded", "exceeds the context window"],
    ["insufficient_quota", "exceeded your current quota"],
  ])("%s, in a 200", async (code, words) => {
    for (const when of ["first", "after-text"] as const) {
      const lab = await open(() => ({ text: "one two", modes: [{ mode: "openai-failed", code, when }] }));
      const { status, events } = await post(lab, "openai", { model, stream: true, input: [user] });
      expect(status).toBe(200);
      expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { error: { code } } });
      expect(events.some(({ type }) => type === "response.output_text.delta")).toBe(when === "after-text");
      const { errors } = await ask(sdkModel(lab, "openai", model), [first]);
      expect(JSON.stringify(errors[0])).toContain(words);
    }
  });
});

test("cut off in the middle of a call: incomplete, and the call never ends", async () => {
  const lab = await open(() => ({
    toolCalls: [callTool("note", { text: "a long note" })],
    finish: "length",
    isHalf: true,
  }));
  const { events } = await post(lab, "openai", { model, stream: true, input: [user] });
  expect(events.map(({ type }) => type)).not.toContain("response.output_item.done");
  expect(events.at(-1)).toMatchObject({ response: { incomplete_details: { reason: "max_output_tokens" } } });
  expect(await ask(sdkModel(lab, "openai", model), [first])).toMatchObject({ finish: "length", calls: [] });
});

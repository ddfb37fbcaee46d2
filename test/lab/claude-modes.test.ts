import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { record, records } from "./lab-protocol.ts";
import { ask, post, rawLab, readError, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns } from "./script.ts";

const { open } = rawLab();
const model = "claude-sonnet-5-5";
const user = { role: "user", content: "Go on." };
const first: ModelMessage = { role: "user", content: "Go on." };

const twoCalls = playTurns(
  { reasoning: [{ text: "First I note." }], text: "I note.", toolCalls: [callTool("note", { text: "a" })] },
  { reasoning: [{ text: "Then again." }], toolCalls: [callTool("note", { text: "b" })] },
  { text: "Done." },
);

/** A conversation of two calls, raw: the bodies as a careful program sends them. */
async function playRaw(lab: Awaited<ReturnType<typeof open>>) {
  let messages: object[] = [user];
  for (const id of ["t1", "t2"]) {
    const { body } = await post(lab, "anthropic", { model, system: "You plan.", messages });
    const content = records(body.content);
    const call = content.find(({ type }) => type === "tool_use");
    const result = { type: "tool_result", tool_use_id: call?.id, content: `ok ${id}` };
    messages = [...messages, { role: "assistant", content }, { role: "user", content: [result] }];
  }
  return { model, system: "You plan.", messages };
}

const blocks = (body: { messages: object[] }, at: number) => records(record(body.messages[at]).content);
const withoutBlock = (body: { messages: object[] }, at: number) =>
  body.messages.with(at, { role: "assistant", content: blocks(body, at).slice(1) });

describe("claude-bound", () => {
  test("takes thinking back as it was, cache marks or not", async () => {
    const lab = await open({ script: twoCalls, modes: [{ mode: "claude-bound" }] });
    const body = await playRaw(lab);
    const marked = { ...body, system: [{ type: "text", text: "You plan.", cache_control: { type: "ephemeral" } }] };
    expect(readError(await post(lab, "anthropic", marked))).toBe("200 ");
    expect(lab.refusals).toEqual([]);
  });

  test.each<[string, (body: Awaited<ReturnType<typeof playRaw>>) => object]>([
    ["another system", (body) => ({ ...body, system: "You plan well." })],
    ["another tool", (body) => ({ ...body, tools: [{ name: "note", input_schema: { type: "object" } }] })],
    [
      "an earlier message changed",
      (body) => ({ ...body, messages: body.messages.with(0, { ...user, content: "Go!" }) }),
    ],
    ["the first of two thinking blocks left out", (body) => ({ ...body, messages: withoutBlock(body, 1) })],
  ])("refuses %s, or drops the blocks where it is asked to", async (_name, change) => {
    const lab = await open({ script: twoCalls, modes: [{ mode: "claude-bound" }] });
    const changed = change(await playRaw(lab));
    expect(readError(await post(lab, "anthropic", changed))).toMatch(
      /^400 messages\.\d\.content\.0: Invalid `signature` in `thinking` block\. The block is bound to a different conversation/,
    );
    expect(lab.refusals).toMatchObject([{ rule: "bound-thinking" }]);
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const { status, body } = await post(lab, "anthropic", { ...changed, thinking });
    expect(status).toBe(200);
    expect(body.input_transformations).toContainEqual(
      expect.objectContaining({ type: "thinking_block_dropped", path: expect.stringMatching(/content\.0$/) }),
    );
  });

  test("takes the same conversation with all thinking left out, and another model's with all of it", async () => {
    const lab = await open({ script: twoCalls, modes: [{ mode: "claude-bound" }] });
    const body = await playRaw(lab);
    const bare = withoutBlock({ messages: withoutBlock(body, 1) }, 3);
    expect(readError(await post(lab, "anthropic", { ...body, system: "New.", messages: bare }))).toBe("200 ");
    expect(readError(await post(lab, "anthropic", { ...body, model: "claude-opus-5-5", system: "New." }))).toBe("200 ");
  });

  test("through the SDK: stored messages are taken back, a changed system is refused", async () => {
    const lab = await open({ script: twoCalls, modes: [{ mode: "claude-bound" }] });
    const claude = sdkModel(lab, "anthropic", model);
    const one = await ask(claude, [first]);
    const stored = JSON.parse(JSON.stringify(one.messages)) as ModelMessage[];
    const next = [first, ...stored, resultsFor(one.calls)];
    expect((await ask(claude, next)).calls).toHaveLength(1);
    const { errors } = await ask(claude, next, { instructions: "You plan well." });
    expect(String(errors[0])).toContain("bound to a different conversation");
    expect(lab.refusals.map(({ rule }) => rule)).toEqual(["bound-thinking"]);
  });
});

test("thinking whose text was changed is refused in any mode; a signature of the script's own is known again", async () => {
  const lab = await open(() => ({ reasoning: [{ text: "Hm.", signature: "sig-1" }], text: "So." }));
  const { body } = await post(lab, "anthropic", { model, messages: [user] });
  const [thinking] = records(body.content);
  expect(thinking).toEqual({ type: "thinking", thinking: "Hm.", signature: "sig-1" });
  const again = (block: object) => ({ model, messages: [user, { role: "assistant", content: [block] }, user] });
  expect(readError(await post(lab, "anthropic", again({ ...thinking })))).toBe("200 ");
  expect(readError(await post(lab, "anthropic", again({ ...thinking, thinking: "Hm?" })))).toContain(
    "cannot be modified",
  );
});

test("claude-bound: the same tools in another order are refused", async () => {
  const lab = await open({ script: () => ({ text: "So." }), modes: [{ mode: "claude-bound" }] });
  const tools = ["note", "read"].map((name) => ({ name, input_schema: { type: "object" } }));
  const { body } = await post(lab, "anthropic", { model, tools, messages: [user] });
  const messages = [user, { role: "assistant", content: body.content }, user];
  expect(readError(await post(lab, "anthropic", { model, tools, messages }))).toBe("200 ");
  const { status } = await post(lab, "anthropic", { model, tools: tools.toReversed(), messages });
  expect([status, lab.refusals.map(({ rule }) => rule)]).toEqual([400, ["bound-thinking"]]);
});

test("of two thinking blocks in one answer the second is bound to the first", async () => {
  const reasoning = [{ text: "Hm." }, { text: "Aha." }];
  const lab = await open({ script: () => ({ reasoning, text: "So." }), modes: [{ mode: "claude-bound" }] });
  const { body } = await post(lab, "anthropic", { model, messages: [user] });
  const again = (content: readonly object[]) => ({ model, messages: [user, { role: "assistant", content }, user] });
  expect(readError(await post(lab, "anthropic", again(records(body.content))))).toBe("200 ");
  expect((await post(lab, "anthropic", again(records(body.content).slice(1)))).status).toBe(400);
});

test("redacted thinking is data, and comes back as such", async () => {
  const lab = await open(
    playTurns({ reasoning: [{ isRedacted: true }], toolCalls: [callTool("note", { text: "a" })] }, { text: "Done." }),
  );
  const claude = sdkModel(lab, "anthropic", model);
  const one = await ask(claude, [first]);
  expect((await ask(claude, [first, ...one.messages, resultsFor(one.calls)])).text).toBe("Done.");
  const sent = records(record(lab.requests[1]?.raw).messages)[1];
  expect(records(sent?.content)[0]).toMatchObject({ type: "redacted_thinking", data: expect.stringMatching(/^lab\./) });
});

test("claude-omitted: thinking has a signature and no text, and a silence comes before the call", async () => {
  const modes = [{ mode: "claude-omitted", silenceMs: 300 }] as const;
  const lab = await open({
    script: playTurns({ toolCalls: [callTool("note", { text: "a" })] }, { text: "Done." }),
    modes,
  });
  const { events } = await post(lab, "anthropic", { model, stream: true, messages: [user] });
  const types = events.map(({ type, delta }) => record(delta).type ?? type);
  expect(types.slice(0, 3)).toEqual(["message_start", "content_block_start", "signature_delta"]);
  const claude = sdkModel(lab, "anthropic", model);
  // The SDK takes omitted thinking for silence.
  const impatient = await ask(claude, [first], { timeout: { firstChunkMs: 80, chunkMs: 80 } });
  expect(String(impatient.errors[0])).toContain("timeout of 80ms");
  const one = await ask(claude, [first]);
  expect((await ask(claude, [first, ...one.messages, resultsFor(one.calls)])).text).toBe("Done.");
  expect(lab.refusals).toEqual([]);
});

describe("claude-529", () => {
  test.each(["first", "after-text"] as const)("%s: overloaded, in a 200", async (when) => {
    const lab = await open(() => ({ text: "one two", modes: [{ mode: "claude-529", when }] }));
    const { status, events } = await post(lab, "anthropic", { model, stream: true, messages: [user] });
    expect(status).toBe(200);
    expect(events.at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    expect(events.length).toBe(when === "first" ? 1 : 4);
    const { errors } = await ask(sdkModel(lab, "anthropic", model), [first]);
    expect(errors[0]).toMatchObject({ statusCode: 529 });
    expect(lab.ledger.entries.map(({ state }) => state)).toEqual(
      when === "first" ? ["refused", "refused"] : ["lost", "lost"],
    );
  });
});

test("cut off in the middle of a call: max_tokens and half the arguments", async () => {
  const lab = await open(() => ({
    toolCalls: [callTool("note", { text: "a long note" })],
    finish: "length",
    isHalf: true,
  }));
  const { events } = await post(lab, "anthropic", { model, stream: true, messages: [user] });
  expect(events.map(({ delta }) => record(delta).partial_json)).toContain('{"text":"a ');
  const cut = await ask(sdkModel(lab, "anthropic", model), [first]);
  expect([cut.finish, cut.calls[0]?.invalid]).toEqual(["length", true]);
  const { body } = await post(await open(() => ({ text: "a", finish: "window" })), "anthropic", {
    model,
    messages: [user],
  });
  expect(body.stop_reason).toBe("model_context_window_exceeded");
});

import { expect, test } from "vitest";
import { z } from "zod";
import { chatWorld } from "../../../test/helpers/chat-world.ts";
import { builtInTools } from "../../tools/built-in.ts";
import { readTool } from "../../tools/tool.ts";

/** More than is shown at once, and every part of it different. */
const longText = Array.from({ length: 2_000 }, (_, n) => `Line ${n}.`).join("\n");

const longRead = readTool<Record<string, never>>({
  name: "read_long",
  description: "Reads something long.",
  args: z.strictObject({}),
  tags: ["private"],
  stage: 1,
  read: async () => ({ ok: true, text: longText, artifacts: [], summary: "Read it", isUntrusted: false }),
});

const world = await chatWorld({ model: "anthropic/claude-sonnet-5-5", tools: [...builtInTools, longRead] });
const ann = await world.signUp("ann");
const talk = world.talkAs(ann);
const lastRequest = () => {
  const request = world.lab.requests.at(-1);
  if (!request) throw new Error("the model was asked");
  return request;
};

test("a long result is shown in part, and read on from where it ended", async () => {
  world.script(({ messages }, at) => {
    if (at === 0) return { toolCalls: [{ name: "read_long", args: {} }] };
    const [, ref, offset] = /ref "([^"]+)" and offset (\d+)/.exec(messages.at(-1)?.text ?? "") ?? [];
    return at === 1
      ? { toolCalls: [{ name: "read_result", args: { ref, offset: Number(offset), limit: 8_000 } }] }
      : { text: "Read." };
  });
  const chat = await talk.begin();
  await talk.ask(chat.id, "Read it");
  const replies = lastRequest().messages.filter(({ role }) => role === "tool");
  expect(replies[0]?.text).toContain(longText.slice(0, 8_000));
  expect(replies[0]?.text).not.toContain(longText.slice(0, 8_010));
  expect(replies[1]?.text).toContain(longText.slice(8_000, 16_000));
});

test("a result of another conversation cannot be opened", async () => {
  world.script((_, at) => (at === 0 ? { toolCalls: [{ name: "read_long", args: {} }] } : { text: "Read." }));
  await talk.ask((await talk.begin()).id, "Read it");
  world.script((_, at) =>
    at === 0 ? { toolCalls: [{ name: "read_result", args: { ref: "i2/1" } }] } : { text: "Read." },
  );
  await talk.ask((await talk.begin()).id, "And that?");
  const reply = lastRequest().messages.findLast(({ role }) => role === "tool");
  expect(reply?.text).toContain("There is no result");
});

const thinking = [{ text: "The user has projects.", signature: "sig-1" }];

test("what the model thought goes back to its provider, also after the user's word", async () => {
  const project = await world.makeProject(ann);
  const replies = [
    { reasoning: thinking, toolCalls: [{ name: "list_projects", args: {} }] },
    { reasoning: thinking, toolCalls: [{ name: "create_task", args: { project_id: project, title: "Tiles" } }] },
    { text: "Done." },
  ];
  world.script((_, at) => replies[at] ?? { text: "" });
  const chat = await talk.begin();
  await talk.ask(chat.id, "A task for tiles");
  const sent = lastRequest().raw;
  expect(JSON.stringify(sent).match(/sig-1/g)).toHaveLength(1);
  const { seq, calls } = await talk.last(chat.id);
  const since = (await talk.chat(chat.id)).last_seq;
  await talk.decide(chat.id, seq, { [calls[0]?.call_id ?? ""]: "approve" });
  await talk.until(chat.id, since);
  expect(JSON.stringify(lastRequest().raw).match(/sig-1/g)).toHaveLength(2);
  expect(await talk.last(chat.id)).toMatchObject({ text: "Done.", state: "complete" });
});

test("within an exchange, what was sent before is sent again as it was", async () => {
  world.script((_, at) => (at < 3 ? { toolCalls: [{ name: "list_projects", args: {} }] } : { text: "Done." }));
  const chat = await talk.begin();
  const from = world.lab.requests.length;
  await talk.ask(chat.id, "Look");
  const sent = world.lab.requests.slice(from).map(({ system, tools, messages }) => ({ system, tools, messages }));
  expect(sent).toHaveLength(4);
  for (const [n, { system, tools, messages }] of sent.entries()) {
    expect({ system, tools }).toEqual({ system: sent[0]?.system, tools: sent[0]?.tools });
    const before = sent[n - 1]?.messages ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
  }
});

test("an answer that broke off is shown to the model, and nothing of it stays", async () => {
  world.script((_, at) =>
    at === 0 ? { text: "A very long beginning", finish: "length" as const } : { text: "Shorter." },
  );
  const chat = await talk.begin();
  await talk.ask(chat.id, "Tell me everything");
  const [half, note] = lastRequest().messages.slice(-2);
  expect(half).toMatchObject({ role: "assistant", text: "A very long beginning" });
  expect(note?.text).toContain("broke off");
  expect(await talk.last(chat.id)).toMatchObject({ text: "Shorter.", state: "complete" });
});

test("two answers in a row that broke off end it, with words for people", async () => {
  world.script(() => ({ text: "On and on", finish: "length" as const }));
  const chat = await talk.begin();
  await talk.ask(chat.id, "Tell me everything");
  expect(await talk.last(chat.id)).toMatchObject({ state: "failed", error: expect.stringContaining("broke off") });
});

test("wrong arguments come back to the model, and are mended by another at the second time", async () => {
  const wrong = { toolCalls: [{ name: "list_tasks", args: { project_id: 7 } }] };
  world.script(({ system }, at) => {
    if (system.startsWith("A tool call was refused")) return { text: "{}" };
    return at < 2 ? wrong : { text: "Done." };
  });
  const chat = await talk.begin();
  await talk.ask(chat.id, "Which tasks?");
  const [, first, second] = await talk.messages(chat.id);
  expect(first?.calls).toMatchObject([{ tool: "list_tasks", state: "failed" }]);
  expect(second?.calls).toMatchObject([{ tool: "list_tasks", args: expect.not.objectContaining({ project_id: 7 }) }]);
});

test("the time is the user's, as their newest run has it", async () => {
  world.script(() => ({ text: "Hello." }));
  await world.call("POST", "/api/homework/runs", ann.session, {
    body: { objective: "Water the plants", time_zone: "Asia/Tokyo" },
  });
  await talk.ask((await talk.begin()).id, "What time is it?");
  expect(
    lastRequest()
      .messages.map(({ text }) => text)
      .join(),
  ).toMatch(/\[It is .*\(Asia\/Tokyo\)\.\]/);
});

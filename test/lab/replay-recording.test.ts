import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { record, records } from "./lab-protocol.ts";
import { post } from "./raw-lab.ts";
import { type Replay, type ReplayOptions, replayRecording } from "./replay-recording.ts";

const folders: string[] = [];
const replays: Replay[] = [];
afterEach(async () => {
  for (const { lab } of replays.splice(0)) await lab.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function replay(files: Readonly<Record<string, object | string>>, options: ReplayOptions = {}): Promise<Replay> {
  const folder = mkdtempSync(path.join(tmpdir(), "lab-recording-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 1));
  const opened = await replayRecording(folder, options);
  replays.push(opened);
  return opened;
}

const chat = (...texts: string[]) => ({
  model: "by-hand",
  messages: texts.map((content) => ({ role: "user", content })),
});
const id = (digit: number) => `${String(digit).repeat(8)}-0000-7000-8000-000000000000`;
const messageOf = (body: Record<string, unknown>) => record(records(body.choices)[0]?.message);

test("the nth request gets the nth answer, text or calls", async () => {
  const { lab, difference } = await replay({
    "0001.request.json": chat("One?"),
    "0001.answer.txt": "First.\n",
    "0002.request.json": chat("Two?"),
    "0002.answer.json": { content: "Second.", tool_calls: [{ name: "note", arguments: { text: "a" } }] },
    "0002.request.md": "for readers only",
  });
  const one = await post(lab, "openai-compatible", chat("One, today?"));
  expect(messageOf(one.body).content).toBe("First.\n");
  expect(difference()).toBe("1 requests, 2 recorded; not played: 0002");
  const two = await post(lab, "openai-compatible", chat("Two, today?"));
  expect(messageOf(two.body)).toMatchObject({
    content: "Second.",
    tool_calls: [{ function: { name: "note", arguments: '{"text":"a"}' } }],
  });
  expect(difference()).toBeNull();
  const three = await post(lab, "openai-compatible", chat("Three?"));
  expect([three.status, three.text]).toEqual([500, "lab: no recorded answer is left for request 3"]);
  expect(difference()).toBe("3 requests, 2 recorded; not played: none");
});

test("ids of then become ids of today, in the order in which they first appear", async () => {
  const { lab } = await replay({
    "0001.request.json": chat(`Document ${id(1)} in project ${id(2)}.`),
    "0001.answer.json": { tool_calls: [{ name: "read", arguments: { id: id(2), unknown: id(9) } }] },
    "0002.request.json": chat(`Document ${id(1)} in project ${id(2)}.`, `Wrote ${id(3)}.`),
    "0002.answer.txt": `See ${id(3)} and ${id(1).toUpperCase()}.`,
  });
  const today = `Document ${id(5)} in project ${id(6)}.`;
  const one = await post(lab, "openai-compatible", chat(today));
  const [call] = records(messageOf(one.body).tool_calls);
  expect(record(call?.function).arguments).toBe(JSON.stringify({ id: id(6), unknown: id(9) }));
  const two = await post(lab, "openai-compatible", chat(today, `Wrote ${id(7)}.`));
  expect(messageOf(two.body).content).toBe(`See ${id(7)} and ${id(5)}.`);
});

test("sessions side by side get their own answers in any order", async () => {
  const sessionOf = (raw: Record<string, unknown>) => String(records(raw.messages)[0]?.content);
  const { lab, difference } = await replay(
    {
      "0001.request.json": chat("Left."),
      "0001.answer.txt": "for the left",
      "0002.request.json": chat("Right."),
      "0002.answer.txt": "for the right",
      // Given up before it was answered.
      "0003.request.json": chat("Left."),
    },
    { sessionOf },
  );
  const right = await post(lab, "openai-compatible", chat("Right."));
  const left = await post(lab, "openai-compatible", chat("Left."));
  expect([messageOf(right.body).content, messageOf(left.body).content]).toEqual(["for the right", "for the left"]);
  expect(difference()).toBeNull();
});

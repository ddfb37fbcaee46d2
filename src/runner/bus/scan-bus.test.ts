// Bytes in, messages out: any body comes back as it was, and nothing that stands in a bus file brings a reader down.

import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { type BusEntry, escapeBody, formatEntry, unescapeBody } from "./entry.ts";
import { makeMessageIds, timeOfMessage } from "./message-ids.ts";
import { scanBus, tornSeal } from "./scan-bus.ts";

const ids = makeMessageIds(() => 1_794_830_400_000_000_000n, 4711);

function entry(body: string, over: Partial<BusEntry> = {}): BusEntry {
  const { id, ts } = ids.next(null);
  const none = { run_id: "", parents: [], attachment_path: "", issue_id: "", links: [], meta: {} };
  return { msg_id: id, ts, type: "INFO", project_id: "garden", task_id: "t", ...none, body, ...over };
}

const scan = (text: string | Buffer, isEnd = true) => scanBus(Buffer.from(text as string), 0, isEnd);
const bodies = (text: string | Buffer) => scan(text).entries.map((placed) => placed.entry.body);

/** Pieces that make a body look like the file around it. */
const piece = fc.oneof(
  fc.constantFrom(
    "---",
    "\n",
    "\n---\n",
    "---\nmsg_id: MSG-1\n",
    "msg_id:",
    "\\---",
    "\\\\msg_id: x",
    "\r\n",
    " ",
    "body_bytes: 3",
  ),
  fc.constantFrom(
    "type: INFO\n",
    "--- the message above was cut off\n",
    "[2026-01-01] INFO: x",
    "\0",
    "\ufeff",
    "ä",
    "\u2028---",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const body = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

property.prop([fc.array(body, { minLength: 1, maxLength: 5 })], { numRuns: 500 })(
  "bodies come back byte for byte",
  (texts) => {
    const file = texts.map((text) => formatEntry(entry(text))).join("");
    const { entries, damages, used } = scan(file);
    expect(entries.map((placed) => placed.entry.body)).toEqual(texts);
    expect([damages, used]).toEqual([[], Buffer.byteLength(file)]);
  },
);

property.prop([body])("escaping is undone, and leaves no line that begins like a message", (text) => {
  expect(unescapeBody(escapeBody(text))).toBe(text);
  expect(
    escapeBody(text)
      .split("\n")
      .filter((line) => /^(---|msg_id:)/.test(line)),
  ).toEqual([]);
});

property.prop([fc.array(body, { minLength: 2, maxLength: 4 }), fc.nat(), fc.boolean()], { numRuns: 500 })(
  "wherever a message is cut off, those around it are found once the next one is there",
  (texts, seed, isSealed) => {
    const blocks = texts.map((text) => Buffer.from(formatEntry(entry(text))));
    const last = blocks.at(-1) ?? Buffer.alloc(0);
    const torn = last.subarray(0, seed % last.length);
    const before = Buffer.concat(blocks.slice(0, -1));
    const early = scanBus(Buffer.concat([before, torn]), 0, true);
    expect(early.entries.slice(0, texts.length - 1).map((placed) => placed.entry.body)).toEqual(texts.slice(0, -1));
    const seal = isSealed || early.used < before.length + torn.length ? tornSeal : "";
    const { entries } = scan(Buffer.concat([before, torn, Buffer.from(`${seal}${formatEntry(entry("next"))}`)]));
    const found = entries.map((placed) => placed.entry.body);
    expect([found.slice(0, texts.length - 1), found.at(-1)]).toEqual([texts.slice(0, -1), "next"]);
    // The one that was cut off is there as it was, or not at all.
    expect(found.slice(texts.length - 1, -1).filter((text) => text !== texts.at(-1))).toEqual([]);
  },
);

property.prop([fc.uint8Array({ maxLength: 400 }), fc.boolean()], { numRuns: 500 })(
  "no bytes bring it down",
  (bytes, isEnd) => {
    const whole = Buffer.concat([bytes, Buffer.from(`\n${formatEntry(entry("after"))}`)]);
    expect(scanBus(whole, 0, isEnd).entries.at(-1)?.entry.body).toBe("after");
  },
);

property.prop([fc.array(body, { minLength: 1, maxLength: 4 }), fc.nat()])(
  "a file read in two pieces is the same file",
  (texts, seed) => {
    const file = Buffer.from(texts.map((text) => formatEntry(entry(text))).join(""));
    const cut = seed % file.length;
    const first = scanBus(file.subarray(0, cut), 0, false);
    const second = scanBus(file.subarray(first.used), first.used, true);
    expect([...first.entries, ...second.entries].map((placed) => placed.entry.body)).toEqual(texts);
  },
);

test("a message reads like Markdown with a header", () => {
  const message = entry("first\n---\nmsg_id: x\n\\---", {
    parents: [
      { msg_id: "MSG-1", kind: "reply" },
      { msg_id: "MSG-2", kind: "answers", meta: { why: "asked: twice" } },
    ],
    meta: { color: "red" },
    links: [{ url: "https://example.org" }],
    run_id: "20261116-0549121234-1",
  });
  expect(formatEntry({ ...message, msg_id: "MSG-20261116-120000-000000001-PID04711-0001" })).toBe(`---
msg_id: MSG-20261116-120000-000000001-PID04711-0001
ts: 2026-11-16T12:00:00.000Z
type: INFO
project_id: garden
task_id: t
run_id: 20261116-0549121234-1
parents: ["MSG-1",{"msg_id":"MSG-2","kind":"answers","meta":{"why":"asked: twice"}}]
links: [{"url":"https://example.org"}]
meta: {"color":"red"}
body_bytes: 27
---
first
\\---
\\msg_id: x
\\\\---
`);
  expect(scan(formatEntry(message)).entries[0]?.entry).toEqual(message);
});

test("entries of others: plain ids and objects as parents, old names of keys, no length", () => {
  const old = [
    "---\r\nmsg_id: MSG-1\r\nts: 2026-01-01T00:00:00Z\r\ntype: FACT\r\nproject: p\r\ntask: t\r\nparents:\r\n  - A\r\n  - msg_id: B\r\n    kind: blocks\r\n---\r\nwindows\r\n",
    "---\nmsg_id: MSG-2\ntype: QUESTION\nproject_id: p\nattachment_path: [1]\nunknown: {a: 1}\n---\n\na rule:\n---\nnot a header\n\n",
    "---\ntype: INFO\nmsg_id: MSG-3\nproject_id: p\n---\nanother order\n",
  ];
  expect(scan(old.join("")).entries.map((placed) => placed.entry)).toMatchObject([
    {
      msg_id: "MSG-1",
      type: "FACT",
      project_id: "p",
      task_id: "t",
      parents: [
        { msg_id: "A", kind: "reply" },
        { msg_id: "B", kind: "blocks" },
      ],
      body: "windows",
    },
    { msg_id: "MSG-2", attachment_path: "", body: expect.stringContaining("a rule:\n---\nnot a header") },
  ]);
  expect(scan(old[2] ?? "").entries.map((placed) => placed.entry)).toMatchObject([
    { msg_id: "MSG-3", body: "another order" },
  ]);
});

test("records of one line get ids that stay", () => {
  const line = "[2026-01-01 10:00:00] FACT: the well is dry\n";
  const first = scan(line).entries;
  expect(first).toMatchObject([{ entry: { type: "FACT", body: "the well is dry", msg_id: "LINE-000000000000" } }]);
  const { entries, damages } = scan(
    `${line}[never] ERROR: b\nsomething else\n${formatEntry(entry("x"))}[2026-01-02] INFO: by hand\n`,
  );
  expect(entries.map((placed) => placed.entry.body)).toEqual(["the well is dry", "b", "x", "by hand"]);
  expect(entries[0]).toEqual(first[0]);
  expect(damages).toEqual([{ offset: 61, length: 15, why: "text that belongs to no message" }]);
});

test("a message under way at the end is left for the next look, and reported once it will not come", () => {
  const whole = formatEntry(entry("a"));
  const torn = formatEntry(entry("long enough")).slice(0, -6);
  expect(scan(whole + torn)).toMatchObject({ damages: [], used: whole.length });
  expect(scan(whole + torn + tornSeal + whole).damages).toMatchObject([
    { why: "a message that was cut off or changed" },
  ]);
  expect(bodies(`${whole}${torn}\n${whole}`)).toEqual(["a", "a"]);
});

test("ids sort by time, and count on when the clock is set back", () => {
  let now = 1_794_830_400_000_000_000n;
  const made = makeMessageIds(() => now, 1_234_567);
  const first = made.next(null);
  now -= 60_000_000_000n;
  const second = made.next(timeOfMessage(first.id));
  expect(first.id).toMatch(/^MSG-20261116-120000-000000000-PID34567-0001$/);
  expect(second.id > first.id).toBe(true);
});

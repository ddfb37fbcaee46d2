import { expect, test } from "vitest";
import { plannerLane } from "../runs/ports/run-store.ts";
import type { EntryContent, JournalLine, LedgerLine } from "../store/run-view/run-entry-store.ts";
import { orderEntries } from "./entry-lines.ts";
import { toWireEntry } from "./entry-text.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

const line = (key: string, end: number | null, over: Partial<JournalLine> = {}): JournalLine => ({
  key,
  kind: "tool",
  state: end === null ? "intended" : "done",
  fence: 1,
  lane: plannerLane,
  tool: null,
  did: end === null ? "" : `did ${key}`,
  error: null,
  beganAt: at(end ?? 50),
  endedAt: end === null ? null : at(end),
  ...over,
});

const call = (key: string, from: number, end: number | null, over: Partial<LedgerLine> = {}): LedgerLine => ({
  callId: `${key}-${from}`,
  key,
  fence: 1,
  lane: plannerLane,
  role: "planner",
  model: "lab/model",
  state: end === null ? "reserved" : "settled",
  error: null,
  costMicroUsd: end === null ? null : 5,
  tokens: end === null ? null : 9,
  cachedTokens: end === null ? null : 4,
  messages: 0,
  beganAt: at(from),
  endedAt: end === null ? null : at(end),
  ...over,
});

const told = (
  journal: readonly JournalLine[],
  calls: readonly LedgerLine[] = [],
  contents: Readonly<Record<string, EntryContent>> = {},
) =>
  orderEntries({ journal, calls }).map((entry) =>
    toWireEntry(entry, entry.isJournaled ? (contents[entry.key] ?? null) : null),
  );

const kept = (result: unknown): EntryContent => ({ args: null, result: { result, artifacts: [] } });

test("an entry is told by its own columns, whatever its key looks like", () => {
  const own = { lane: { id: "exec:2", title: "Prices" }, tool: "create_task", did: "Created task “Call”" };
  expect(told([line("plan", 9, own)])[0]).toMatchObject({
    lane: "exec:2",
    lane_title: "Prices",
    tool: "create_task",
    summary: "Created task “Call”",
    began_at: at(9),
    is_error: false,
    error: null,
  });
});

test("an entry that failed says why", () =>
  expect(told([line("tool:0.0", 9, { error: "There is no tool x." })])[0]).toMatchObject({
    is_error: true,
    error: "There is no tool x.",
  }));

test("of several tries the last one is the answer's, and the others stand by themselves with their reasons", () => {
  const calls = [
    call("llm:0", 1, 2, { state: "unknown", tokens: null, error: "the answer was lost" }),
    call("llm:0", 3, 5, { error: "503: overloaded" }),
    call("llm:0", 6, 8),
  ];
  const entries = told([line("llm:0", 8, { kind: "model" })], calls);
  expect(entries.map(({ id, state, summary, error }) => [id, state, summary, error])).toEqual([
    ["llm:0#llm:0-1", "uncertain", "No answer: the answer was lost", "the answer was lost"],
    ["llm:0#llm:0-3", "done", "No answer: 503: overloaded", "503: overloaded"],
    ["llm:0", "done", "did llm:0", null],
  ]);
  expect(entries.map(({ cached_tokens: cached }) => cached)).toEqual([4, 4, 4]);
});

test("an answer that came to an earlier attempt is not the one that was kept", () => {
  const calls = [call("llm:0", 6, 8, { fence: 2, tokens: 20 }), call("llm:0", 1, 9, { fence: 1, tokens: 10 })];
  const entries = told([line("llm:0", 8, { kind: "model", fence: 2 })], calls);
  expect(entries.map(({ id, tokens, error }) => [id, tokens, error])).toEqual([
    ["llm:0", 20, null],
    ["llm:0#llm:0-1", 10, "the answer was not used"],
  ]);
});

test("what is under way comes last, and is no error", () => {
  const entries = told(
    [line("tool:0.0", null, { kind: "effect" }), line("llm:0", 9, { kind: "model" })],
    [call("llm:0", 3, 9), call("exec:1/llm:0", 10, null)],
  );
  expect(
    entries.slice(1).map(({ summary, state, is_error, cost_micro_usd }) => [summary, state, is_error, cost_micro_usd]),
  ).toEqual([
    ["Asking the model", "intended", false, null],
    ["In progress", "intended", false, null],
  ]);
});

test("an effect that was interrupted is an error", () =>
  expect(told([line("tool:0.0", 9, { kind: "effect", state: "uncertain" })])[0]?.is_error).toBe(true));

test.for<[string, JournalLine["kind"], EntryContent, string]>([
  ["a tool's result is its text", "tool", kept({ tool: "x", outcome: { ok: true, text: "Found 3" } }), "Found 3"],
  ["a session's call answers with its text", "tool", kept({ text: "The plan now", isError: false }), "The plan now"],
  [
    "an effect keeps its result alone",
    "effect",
    { args: null, result: { tool: "x", outcome: { ok: true, text: "Sent" } } },
    "Sent",
  ],
  ["anything else is shown as JSON", "platform", kept({ some: "thing" }), '{\n  "some": "thing"\n}'],
])("%s", ([, kind, content, text]) => expect(told([line("k", 9, { kind })], [], { k: content })[0]?.result).toBe(text));

test("an answer is shown with the calls it asked for, without what its provider keeps of it", () => {
  const answer = { text: "Let me look.", toolCalls: [{ tool: "search", args: { q: "hall" } }], native: { secret: 1 } };
  const content = kept({ kind: "answered", answer });
  const [entry] = told([line("llm:0", 9, { kind: "model" })], [call("llm:0", 3, 9)], { "llm:0": content });
  expect(entry).toMatchObject({ calls: 1, result: 'Let me look.\n\nsearch {\n  "q": "hall"\n}' });
});

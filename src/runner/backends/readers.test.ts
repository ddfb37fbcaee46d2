import { fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import type { AgentEvent, BackendName } from "./backend.ts";
import { backends, requireBackend } from "./backends.ts";

const now = Date.parse("2026-11-16T18:30:00Z");

/** What a backend hears in these lines, and what it thinks of them at this exit code. */
function hear(name: BackendName, lines: readonly (string | object)[], exitCode = 0) {
  const { reader, judge } = requireBackend(name);
  const { line, heard } = reader();
  const events = lines.flatMap((each) => line(typeof each === "string" ? each : JSON.stringify(each)));
  const end = { exitCode, signal: null, wasTimedOut: false, heard: heard(), stderr: "", timeZone: "UTC" };
  return { events, heard: heard(), verdict: judge(end, now) };
}

const said = (...texts: readonly string[]) => ({
  type: "assistant",
  message: { content: texts.map((text) => ({ type: "text", text })) },
});
const toolResult = (content: unknown) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: "t", content }] },
});
const result = (over: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  ...over,
});
const notice = "You're out of extra usage · resets 9pm";
const limit = (status: string) => ({
  type: "rate_limit_event",
  rate_limit_info: { status, resetsAt: now / 1_000 + 60, rateLimitType: "five_hour" },
});

test("claude's result is its text", () => {
  expect(hear("claude", [said("Looking."), result()])).toMatchObject({
    heard: { text: "Done." },
    verdict: { kind: "ok" },
  });
});
test("runner-015: without a result claude's blocks are joined by a newline", () => {
  expect(hear("claude", [said("One."), said("Two.")]).heard.text).toBe("One.\nTwo.");
  expect(hear("claude", [said("One.", "Two.")]).heard.text).toBe("One.\nTwo.");
});
test("claude's result with an error is none, whatever its subtype", () => {
  const failed = result({ is_error: true, result: "API Error: 401", api_error_status: 401 });
  expect(hear("claude", [failed], 1).verdict.kind).toBe("refused");
  const { is_error: _, ...unclear } = result();
  expect(hear("claude", [unclear]).verdict.kind).not.toBe("ok");
});
test("a request of claude that the provider rejects is a limit with its end", () => {
  expect(
    hear("claude", [limit("rejected"), said(notice), result({ is_error: true, result: notice })], 1).verdict,
  ).toMatchObject({
    kind: "transient",
    notBeforeMs: now + 60_000,
  });
});
test("a request that is let through is none, whatever is echoed", () => {
  expect(hear("claude", [limit("allowed"), said("5-hour limit reached")], 1).verdict.kind).toBe("failed");
});
test("a limit in the agent's last words is one, and in a tool's output it is not", () => {
  expect(hear("claude", [said(notice)], 1).verdict.kind).toBe("transient");
  expect(hear("claude", [toolResult(notice), said("The file is read.")], 1).verdict.kind).toBe("failed");
  expect(hear("claude", [toolResult([{ type: "text", text: notice }])], 1).verdict.kind).toBe("failed");
});
test("a limit that is told early and got over is none", () => {
  expect(hear("claude", [said(notice), said("Going on."), said("Writing.")], 1).verdict.kind).toBe("failed");
});
test("words of a subagent are not claude's own", () => {
  expect(hear("claude", [{ ...said(notice), parent_tool_use_id: "t" }, said("Broken.")], 1).verdict.kind).toBe(
    "failed",
  );
});

test("an error that claude has got over is none any more", () => {
  const retry = { type: "system", subtype: "api_retry", error: "overloaded", error_status: 529 };
  expect(hear("claude", [retry], 1).verdict.kind).toBe("transient");
  expect(hear("claude", [retry, said("Going on.")], 1)).toMatchObject({
    heard: { retries: 1 },
    verdict: { kind: "failed" },
  });
});

test("codex's warning about a model is no failure", () => {
  const warning = { type: "item.completed", item: { id: "0", type: "error", message: "unknown model" } };
  const answer = { type: "item.completed", item: { id: "1", type: "agent_message", text: "Done." } };
  expect(hear("codex", [warning, answer, { type: "turn.completed" }])).toMatchObject({
    heard: { text: "Done.", error: null },
    verdict: { kind: "ok" },
  });
});
test("codex's usage limit is waited for", () => {
  const why = "You've hit your usage limit. Upgrade to Pro or try again in 2 hours 30 minutes.";
  expect(
    hear(
      "codex",
      [
        { type: "error", message: why },
        { type: "turn.failed", error: { message: why } },
      ],
      1,
    ).verdict,
  ).toMatchObject({
    kind: "transient",
    notBeforeMs: now + 9_000_000,
  });
});
test("gemini's pieces are one message until it uses a tool", () => {
  const piece = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
  const tool = { type: "tool_use", tool_name: "read", tool_id: "t", parameters: {} };
  const end = { type: "result", status: "success", stats: {} };
  expect(hear("gemini", [piece("Look"), piece("ing."), tool, piece("Do"), piece("ne."), end]).heard).toMatchObject({
    text: "Done.",
    speech: ["Looking.", "Done."],
  });
});
test("opencode that begins another step has not ended", () => {
  const finish = (reason: string) => ({ type: "step_finish", sessionID: "s", part: { reason, tokens: {} } });
  expect(hear("opencode", [finish("stop")]).verdict.kind).toBe("ok");
  expect(hear("opencode", [finish("stop"), { type: "step_start" }]).verdict.kind).toBe("failed");
  expect(hear("opencode", [finish("tool-calls")]).verdict.kind).toBe("failed");
  expect(hear("opencode", [finish("length")]).verdict.kind).toBe("failed");
});
test("opencode's tokens and cost are added up", () => {
  const tokens = { input: 10, output: 3, reasoning: 2, cache: { read: 5, write: 1 } };
  const step = { type: "step_finish", part: { reason: "stop", cost: 0.5, tokens } };
  expect(hear("opencode", [step, step]).heard).toMatchObject({
    tokens: { input: 20, cacheRead: 10, cacheWrite: 2, output: 10, reasoning: 4 },
    costUsd: 1,
  });
});
test("a command's text is what it prints", () => {
  expect(hear("command", ["One.", "", "{}"]).heard.text).toBe("One.\n\n{}\n");
});

const huge = "x".repeat(10 * 1024 * 1024);
test("a line of 10 megabytes is read and not kept", () => {
  const { heard, events } = hear("claude", [toolResult(huge), said(huge), result()]);
  expect(events).toHaveLength(2);
  expect(heard.text).toBe("Done.");
  expect(JSON.stringify(heard).length).toBeLessThan(2_000_000);
});
test("a program that prints without end is kept in bounds", () => {
  const { line, heard } = requireBackend("command").reader();
  for (let count = 0; count < 5_000; count++) line("y".repeat(1_000));
  expect(heard().text.length).toBe(1_000_000);
});

test("two events on one line are both read", () => {
  expect(hear("claude", [JSON.stringify(said("Hm.")) + JSON.stringify(result())]).verdict.kind).toBe("ok");
});
test("an event inside of a torn line is not read", () => {
  const torn = JSON.stringify({ type: "user", message: { content: [result()] } }).slice(0, -2);
  expect(hear("claude", [torn]).heard.end).toBeNull();
  expect(hear("claude", [torn.slice(10)]).heard.end).toBeNull();
});
test("no text of a tool is taken for an event", () => {
  expect(hear("claude", [toolResult(`\n${JSON.stringify(result())}\n`)], 0).verdict.kind).toBe("failed");
});

test.each(backends)("$name survives any line and any value in an event", async ({ reader }) => {
  const types = ["system", "assistant", "user", "result", "rate_limit_event", "error", "turn.failed", "turn.completed"];
  const more = [
    "item.completed",
    "item.started",
    "init",
    "message",
    "tool_use",
    "tool_result",
    "text",
    "step_finish",
    "end",
  ];
  const event = fc.tuple(
    fc.constantFrom(...types, ...more),
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.jsonValue(),
  );
  const known = event.map(([type, fields, value]) =>
    JSON.stringify({
      ...fields,
      type,
      part: value,
      item: value,
      message: value,
      error: value,
      usage: value,
      stats: value,
    }),
  );
  await fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.json(), known)), (lines) => {
      const { line, heard } = reader();
      const events: AgentEvent[] = lines.flatMap((each) => [...line(each)]);
      for (const each of events) expect(typeof each.kind).toBe("string");
      const { tokens } = heard();
      if (tokens) for (const count of Object.values(tokens)) expect(count).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 300 },
  );
});

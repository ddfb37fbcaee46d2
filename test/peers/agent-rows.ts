// Cases of peers about agents as programs: limits of providers, and what the streams of claude, codex, gemini and opencode say. Each is
// played as lines that a program prints, through its adapter.

import type { AgentEnd, BackendName } from "../../src/runner/backends/backend.ts";
import { requireBackend } from "../../src/runner/backends/backends.ts";
import { block, type Row } from "./play.ts";

const now = Date.parse("2026-11-16T18:30:00Z");

type Line = string | object;
type Ended = Partial<Pick<AgentEnd, "exitCode" | "signal" | "wasTimedOut" | "stderr">>;

function play(name: BackendName, lines: readonly Line[], ended: Ended = {}) {
  const { reader, judge } = requireBackend(name);
  const { line, heard } = reader();
  const events = lines.flatMap((each) => line(typeof each === "string" ? each : JSON.stringify(each)));
  const end = { exitCode: 0, signal: null, wasTimedOut: false, stderr: "", timeZone: "UTC", ...ended, heard: heard() };
  return { events, heard: heard(), verdict: judge(end, now) };
}

/** `limit`: held until a time, or tried again later; `timeout` and `error` are both no limit. */
function ending(name: BackendName, lines: readonly Line[], ended: Ended): string {
  const { verdict } = play(name, lines, ended);
  if (verdict.kind !== "failed") return verdict.kind === "transient" ? "limit" : verdict.kind;
  return ended.wasTimedOut || ended.exitCode === 124 ? "timeout" : "error";
}

const notice = "You have hit your 5-hour usage limit. It resets at 9pm.";
const plainNotice = "You're out of extra usage · resets 9pm";
const said = (...texts: readonly string[]) => ({
  type: "assistant",
  message: { content: texts.map((text) => ({ type: "text", text })) },
});
const echo = (text: string) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text }] }] },
});
const limitEvent = (status: string) => ({
  type: "rate_limit_event",
  rate_limit_info: { status, resetsAt: now / 1_000 + 600 },
});
const result = (over: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  ...over,
});
const failed = { exitCode: 1 };
const idle = { exitCode: null, signal: "SIGTERM", wasTimedOut: true } as const;

type LimitRow = readonly [id: string, what: string, lines: readonly Line[], ended: Ended, ours: string];
const claudeLimits: readonly LimitRow[] = [
  ["provider-limit-001", "exit code 124, the notice echoed by a tool", [echo(notice)], { exitCode: 124 }, "timeout"],
  ["provider-limit", "the provider rejected a request", [limitEvent("rejected")], failed, "limit"],
  ["provider-limit", "the same, and it ends as if all were well", [limitEvent("rejected"), result()], {}, "limit"],
  [
    "provider-limit-003",
    "the provider let it through, and an echo",
    [limitEvent("allowed"), echo(notice)],
    failed,
    "error",
  ],
  [
    "provider-limit",
    "a warning that the limit is near",
    [limitEvent("allowed_warning"), said("On it.")],
    failed,
    "error",
  ],
  [
    "provider-limit",
    "rejected once, let through later",
    [limitEvent("rejected"), limitEvent("allowed"), result()],
    {},
    "ok",
  ],
  ["provider-limit", "the notice as a plain line", [plainNotice], failed, "limit"],
  ["provider-limit", "the same behind events", [said("On it."), plainNotice, ""], failed, "limit"],
  ["provider-limit", "the same before events", [plainNotice, said("On it."), said("Still.")], failed, "error"],
  ["provider-limit", "the notice as its own words", [said(plainNotice)], failed, "limit"],
  ["provider-limit", "the notice as its result", [result({ is_error: true, result: plainNotice })], failed, "limit"],
  ["provider-limit-005", "the notice in what a tool printed", [echo(plainNotice)], failed, "error"],
  ["provider-limit", "a torn line of what a tool printed", [JSON.stringify(echo(notice)).slice(30)], failed, "error"],
  ["provider-limit-007", "the notice in its last words", [said("a"), said("b"), said(notice)], failed, "limit"],
  ["provider-limit", "the notice in its last words but one", [said("a"), said(notice), said("b")], failed, "limit"],
  ["provider-limit", "the notice in its first words only", [said(notice), said("a"), said("b")], failed, "error"],
  ["provider-limit-009", "silence, and the notice", [said(notice)], idle, "limit"],
  ["provider-limit", "silence without a notice", [said("On it.")], idle, "timeout"],
  [
    "provider-limit-011",
    "a claim and words of a limit",
    [said(notice), said(`${block("exit_signal: true")}\n`)],
    failed,
    "error",
  ],
  ["provider-limit", "a line number", [said("The fault is at line 429 of the file.")], failed, "error"],
  ["provider-limit", "the name of a package", [said("I used @upstash/ratelimit for this.")], failed, "error"],
  [
    "provider-limit",
    "a long text about limits",
    [said(`${notice} ${"More about limits. ".repeat(40)}`)],
    failed,
    "error",
  ],
  [
    "provider-limit",
    "a limit that was got over, and a good end",
    [said(notice), said("Going on."), result()],
    {},
    "ok",
  ],
];

/** Printed on stderr by a program that ended badly. */
const stderrLimits: readonly (readonly [what: string, stderr: string, ours: string])[] = [
  ["a status", "Error: 429 Too Many Requests", "limit"],
  ["a status behind HTTP", "HTTP 429", "limit"],
  ["a status in words", "response: 429", "limit"],
  ["two words", "Anthropic API rate limit, retry after 30s", "limit"],
  ["requests per minute", "Error: exceeded 60 requests per minute", "limit"],
  ["tokens per minute", "Limit of 40000 tokens per minute", "limit"],
  ["too much at once", "Azure is throttling requests", "limit"],
  ["a server with too much to do", "Claude is currently overloaded", "limit"],
  ["a line number", "TypeError at line 429 of index.ts", "error"],
  ["a package", "Cannot find module @upstash/ratelimit", "error"],
];

const codexMessage = (text: string) => ({ type: "item.completed", item: { id: "0", type: "agent_message", text } });
const geminiMessage = (content: string, delta?: true) => ({ type: "message", role: "assistant", content, delta });
const codexFailure = (message: string): readonly Line[] => [
  { type: "error", message },
  { type: "turn.failed", error: { message } },
];
const opencodeStep = (reason: string) => ({ type: "step_finish", sessionID: "s", part: { reason, tokens: {} } });

/** Of other agents: the same rules through their own events. */
const otherLimits: readonly (readonly [BackendName, string, readonly Line[], Ended, string])[] = [
  [
    "codex",
    "a limit of the subscription",
    codexFailure("You've hit your usage limit. Try again in 3 hours."),
    failed,
    "limit",
  ],
  ["codex", "the status", codexFailure("exceeded retry limit, last status: 429 Too Many Requests"), failed, "limit"],
  [
    "codex",
    "what a command printed",
    [{ type: "item.completed", item: { id: "1", type: "command_execution", aggregated_output: notice } }],
    failed,
    "error",
  ],
  [
    "codex",
    "an error that it got over",
    [{ type: "error", message: "Reconnecting... 1/2 (status 429)" }, codexMessage("On it."), codexMessage("Still.")],
    failed,
    "error",
  ],
  ["gemini", "its exit code", [], { exitCode: 173 }, "limit"],
  [
    "gemini",
    "what a tool gave",
    [{ type: "tool_result", tool_id: "t", status: "success", output: notice }],
    failed,
    "error",
  ],
  [
    "gemini",
    "exhausted",
    [
      {
        type: "result",
        status: "error",
        error: {
          message:
            '[API Error: {"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]',
        },
      },
    ],
    failed,
    "limit",
  ],
  [
    "opencode",
    "the status",
    [{ type: "error", error: { name: "APIError", data: { message: "slow down", statusCode: 429 } } }],
    failed,
    "limit",
  ],
  [
    "opencode",
    "what a tool gave",
    [{ type: "tool_use", part: { callID: "t", tool: "read", state: { status: "completed", output: notice } } }],
    failed,
    "error",
  ],
  [
    "acp",
    "the error of a prompt",
    [{ type: "end", isError: true, why: "Too many requests", status: 429 }],
    failed,
    "limit",
  ],
];

/** What the last words are, by which output.md is written. */
type TextRow = readonly [id: string, name: BackendName, what: string, lines: readonly Line[], text: string];
const texts: readonly TextRow[] = [
  [
    "adapter",
    "claude",
    "its result",
    [said("I'll start by reading."), result({ result: "Final answer" })],
    "Final answer",
  ],
  ["adapter", "claude", "two blocks without a result", [said("Hello", "World")], "Hello\nWorld"],
  [
    "runner-015",
    "claude",
    "two messages without a result",
    [said("Part 1"), { type: "tool_result", tool_use_id: "t" }, said("Part 2")],
    "Part 1\nPart 2",
  ],
  [
    "adapter",
    "claude",
    "lines that are no events around its result",
    ["not valid json", result({ result: "text" }), "also not"],
    "text",
  ],
  [
    "adapter",
    "claude",
    "a tool's block is no text",
    [
      { type: "assistant", message: { content: [{ type: "tool_use", id: "t", name: "Write", input: {} }] } },
      result({ result: "done" }),
    ],
    "done",
  ],
  ["adapter", "claude", "an empty result after words", [said("Said."), result({ result: "" })], "Said."],
  ["adapter", "claude", "an empty result", [result({ result: "" })], ""],
  ["adapter", "claude", "nothing at all", [], ""],
  [
    "adapter",
    "claude",
    "a result that is an object",
    [{ type: "result", is_error: false, result: { output: "Final output" } }],
    "Final output",
  ],
  [
    "adapter",
    "claude",
    "pieces",
    ["Hello ", "world"].map((text) => ({ type: "content_block_delta", delta: { type: "text_delta", text } })),
    "Hello world",
  ],
  [
    "adapter",
    "claude",
    "pieces, and the whole after them",
    [
      ...["Hel", "lo"].map((text) => ({
        type: "stream_event",
        event: { type: "content_block_delta", delta: { type: "text_delta", text } },
      })),
      said("Hello"),
    ],
    "Hello",
  ],
  ["adapter", "claude", "an event that is not known", [{ type: "unknown_type", data: "something" }], ""],
  ["adapter", "codex", "its message", [codexMessage("hello from codex")], "hello from codex"],
  ["adapter", "codex", "a message that grows", [codexMessage("hello"), codexMessage("hello world")], "hello world"],
  ["adapter", "codex", "no message", ["not valid", { type: "turn.started" }], ""],
  ["adapter", "gemini", "its message", [geminiMessage("hello gemini")], "hello gemini"],
  ["adapter", "gemini", "a message that grows", [geminiMessage("hello"), geminiMessage("hello world")], "hello world"],
  [
    "adapter",
    "gemini",
    "a message in pieces",
    [geminiMessage("hello", true), geminiMessage(" world", true)],
    "hello world",
  ],
  ["adapter", "gemini", "a result with text", [{ type: "result", result: "final summary" }], "final summary"],
  ["adapter", "gemini", "no message", ["not json", { type: "tool_use", tool_name: "read_file" }], ""],
  ["adapter", "opencode", "its message", [{ type: "text", part: { text: "hello" } }, opencodeStep("stop")], "hello"],
];

/** Whether it is a success, at exit code 0. */
const successes: readonly (readonly [BackendName, string, readonly Line[], boolean])[] = [
  ["claude", "a result", [result()], true],
  ["claude", "a result with an error", [result({ subtype: "error", is_error: true, result: "error occurred" })], false],
  ["claude", "an error whose subtype says success", [result({ is_error: true, api_error_status: 500 })], false],
  [
    "claude",
    "a limit of turns, told by the subtype alone",
    [result({ subtype: "error_max_turns", result: "" })],
    false,
  ],
  ["claude", "a limit of dollars", [result({ subtype: "error_max_budget_usd", is_error: true })], false],
  ["claude", "a reason other than completed", [result({ terminal_reason: "aborted" })], false],
  ["claude", "completed", [result({ terminal_reason: "completed" })], true],
  ["claude", "no result", [said("Hello")], false],
  ["claude", "nothing", [], false],
  ["claude", "not one event", ["not json at all"], false],
  ["codex", "a turn that is completed", [codexMessage("Hi."), { type: "turn.completed" }], true],
  ["codex", "a message alone", [codexMessage("Hi.")], false],
  ["codex", "a turn that failed", codexFailure("unexpected status 401 Unauthorized"), false],
  ["gemini", "a result", [geminiMessage("Hi."), { type: "result", status: "success" }], true],
  ["gemini", "stopped by a signal: exit code 0 and no result", [geminiMessage("Hi.")], false],
  ["opencode", "a last step that stops", [opencodeStep("stop")], true],
  ["opencode", "a last step that calls tools", [opencodeStep("tool-calls")], false],
];

/** How long a limit is waited for, in minutes from now; null: it is tried again after a short pause. */
const resets: readonly (readonly [string, number | null])[] = [
  ["You're out of extra usage · resets 9pm", 150],
  ["5-hour limit reached ∙ resets 9:15pm", 165],
  ["Claude AI usage limit reached|1794864600", 180],
  ["You've hit your usage limit. Try again in 2 hours 30 minutes.", 150],
  ["Rate limit reached. Please try again in 90s", 1.5],
  ["You've hit your weekly limit · resets Nov 18, 9am (UTC)", 38.5 * 60],
  ["Usage limit reached. Try again at 11:30 PM", 300],
  ["rate limit exceeded, retry-after: 120", 2],
  ["Usage limit reached.", null],
  ["Usage limit reached, resets Jan 1, 9am", null],
];

const minutes = (text: string): number | null => {
  const { verdict } = play(
    "claude",
    [said(text), result({ is_error: true, result: text, api_error_status: 429 })],
    failed,
  );
  if (verdict.kind !== "transient") throw new Error(`${verdict.kind}: ${text}`);
  return verdict.notBeforeMs === null ? null : (verdict.notBeforeMs - now) / 60_000;
};

export const agentRows: readonly Row[] = [
  ...claudeLimits.map(([id, what, lines, ended, ours]) => ({
    id,
    what,
    play: () => ending("claude", lines, ended),
    ours,
  })),
  ...stderrLimits.map(([what, stderr, ours]) => ({
    id: "provider-limit",
    what: `on stderr, ${what}`,
    play: () => ending("opencode", [], { ...failed, stderr }),
    ours,
  })),
  ...otherLimits.map(([name, what, lines, ended, ours]) => ({
    id: "provider-limit",
    what: `${name}, ${what}`,
    play: () => ending(name, lines, ended),
    ours,
  })),
  ...texts.map(([id, name, what, lines, ours]) => ({
    id,
    what: `${name}, ${what}`,
    play: () => play(name, lines).heard.text,
    ours,
  })),
  {
    id: "adapter",
    what: "claude, a line that is no event is no text",
    play: () => play("claude", ["not json", said("valid")]).heard.text,
    ours: "valid",
    why: "the peer prints such lines as they are; another peer and ours pass over them, as they may be of any program",
  },
  ...successes.map(([name, what, lines, ours]) => ({
    id: "adapter",
    what: `${name}, ${what}`,
    play: () => play(name, lines).verdict.kind === "ok",
    ours,
  })),
  ...resets.map(([text, ours]) => ({ id: "provider-limit", what: text, play: () => minutes(text), ours })),
];

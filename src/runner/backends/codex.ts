// Codex as a one-shot program: the prompt on stdin, one JSON event per line. `turn.completed` ends it well, `turn.failed` badly.
// Its tokens are those of the whole thread; it tells no cost. It tells the provider's status in words only.

import { checkBaseUrl, checkValue, inOwn, option, setVariables } from "./arguments.ts";
import type { AgentCommand, AgentEvent, AgentRequest, Backend, ErrorEvent, OutputReader } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";
import { at, type Fields, numberAt, textAt } from "./read-event.ts";
import { readLine } from "./read-line.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

/** `codex exec` does not look at OPENAI_API_KEY. */
const keyVariable = "CODEX_API_KEY";
const openaiUrl = "https://api.openai.com/v1";
/** Longer waits are the loop's business. */
const retriesMax = 2;

export const codex: Backend = {
  name: "codex",
  keyVariable,
  version: ["--version"],
  command,
  reader,
  judge: (end, nowMs) => judgeEnd(end, nowMs, end.heard.error?.status ?? null),
};

function command({ ownFolder, model, baseUrl, token, session, program }: AgentRequest): AgentCommand {
  const home = inOwn(ownFolder, "codex");
  return {
    file: "codex",
    args: [
      "exec",
      ...(session === null ? [] : ["resume"]),
      ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...provider(baseUrl, token),
      ...["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"],
      // At every start it looks for plugins at github.com and chatgpt.com. In a home of its own it has none.
      ...(token === null ? [] : ["-c", "features.plugins=false"]),
      ...option("--model", model),
      ...program,
      // Behind these two nothing is an option.
      ...(session === null ? [] : ["--", checkValue("a session", session)]),
      "-",
    ],
    env: setVariables({ [keyVariable]: token, CODEX_HOME: token === null ? null : home }),
    lets: token === null ? [keyVariable, "CODEX_HOME"] : [],
    stdin: "prompt",
    // It refuses to start where its home is missing.
    folders: token === null ? [] : [home],
    files: [],
  };
}

/** A provider of our own: the built-in one tries a WebSocket seven times first, and its retries cannot be set. */
function provider(baseUrl: string | null, token: string | null): readonly string[] {
  if (baseUrl === null && token === null) return [];
  const fields = [
    'name="homework"',
    `base_url=${JSON.stringify(baseUrl === null ? openaiUrl : checkBaseUrl(baseUrl))}`,
    ...(token === null ? [] : [`env_key="${keyVariable}"`]),
    'wire_api="responses"',
    `request_max_retries=${retriesMax}`,
    `stream_max_retries=${retriesMax}`,
  ];
  return ["-c", 'model_provider="homework"', "-c", `model_providers.homework={${fields.join(",")}}`];
}

function reader(): OutputReader {
  const transcript = keepTranscript(true);
  return {
    line: (text) => readLine(transcript, text, readEvent),
    heard: transcript.heard,
  };
}

function readEvent(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  switch (event.type) {
    case "thread.started":
      transcript.begin(textAt(event, "thread_id"));
      return [];
    case "item.started":
    case "item.completed":
      return readItem(transcript, event.type === "item.started", at(event, "item"));
    case "error": {
      const { why, status } = readError(textAt(event, "message"));
      const isRetry = /^reconnecting\b/i.test(why);
      return isRetry ? transcript.retry(why, status) : transcript.error(why, status);
    }
    case "turn.failed": {
      const { why, status } = readError(textAt(event, "error", "message"));
      transcript.end({ isError: true, why: why || "an error without a message" });
      return transcript.error(why, status);
    }
    case "turn.completed":
      return readCompleted(transcript, event);
    default:
      return [];
  }
}

function readCompleted(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  const usage = at(event, "usage");
  const cacheRead = numberAt(usage, "cached_input_tokens");
  const cacheWrite = numberAt(usage, "cache_write_input_tokens");
  const input = Math.max(numberAt(usage, "input_tokens") - cacheRead - cacheWrite, 0);
  const output = numberAt(usage, "output_tokens");
  const reasoning = numberAt(usage, "reasoning_output_tokens");
  if (usage !== undefined) transcript.replaceUse({ input, cacheRead, cacheWrite, output, reasoning }, null);
  transcript.end({ isError: false, why: "" });
  return [];
}

function readItem(transcript: Transcript, isStarted: boolean, item: unknown): readonly AgentEvent[] {
  const type = textAt(item, "type");
  if (type === "agent_message") return isStarted ? [] : transcript.say(textAt(item, "text"));
  if (type === "reasoning") return isStarted ? [] : [{ kind: "thinking", text: textAt(item, "text") }];
  // A warning, such as a model that it does not know; an error that ends the turn comes as an event.
  if (type === "error" || type === "todo_list" || type === "") return [];
  transcript.pause();
  const failed = ["failed", "declined"].includes(textAt(item, "status"));
  const status = isStarted ? "started" : failed ? "failed" : "done";
  return [
    {
      kind: "tool",
      id: textAt(item, "id"),
      name: nameTool(type, item),
      status,
      text: describeTool(type, item, isStarted),
    },
  ];
}

function nameTool(type: string, item: unknown): string {
  return type === "mcp_tool_call" ? `${textAt(item, "server")}.${textAt(item, "tool")}` : type;
}

function describeTool(type: string, item: unknown, isStarted: boolean): string {
  if (type === "command_execution") return textAt(item, isStarted ? "command" : "aggregated_output");
  if (type === "web_search") return textAt(item, "query");
  const value = at(item, type === "file_change" ? "changes" : isStarted ? "arguments" : "result");
  return value === undefined ? "" : JSON.stringify(value);
}

/** "unexpected status 401 Unauthorized: …", "exceeded retry limit, last status: 429 Too Many Requests". */
function readError(why: string): Omit<ErrorEvent, "kind"> {
  const status = /\bstatus:? (\d{3})\b/.exec(why)?.[1];
  return { why, status: status === undefined ? null : Number(status) };
}

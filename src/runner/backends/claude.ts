// Claude Code as a one-shot program: the prompt on stdin, one JSON event per line. `result` ends it; an error in it has
// `is_error: true`, whatever its subtype says.

import { isRecord } from "../../lib/json.ts";
import { checkBaseUrl, inOwn, option, setVariables } from "./arguments.ts";
import type { AgentCommand, AgentEvent, AgentRequest, Backend, OutputReader, Tokens } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";
import { at, type Fields, listAt, numberAt, statusAt, textAt } from "./read-event.ts";
import { readLine } from "./read-line.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

const keyVariable = "ANTHROPIC_API_KEY";
/** It retries every error ten times over three minutes, a wrong key too. Longer waits are the loop's business. */
const retriesMax = "2";

export const claude: Backend = {
  name: "claude",
  keyVariable,
  version: ["--version"],
  command,
  reader,
  judge: (end, nowMs) => judgeEnd(end, nowMs, end.heard.error?.status ?? null),
};

function command({ ownFolder, model, baseUrl, token, session, program }: AgentRequest): AgentCommand {
  const settings = inOwn(ownFolder, "claude");
  return {
    file: "claude",
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"],
      ...option("--model", model),
      ...option("--resume", session),
      ...program,
    ],
    env: setVariables({
      [keyVariable]: token,
      ANTHROPIC_BASE_URL: baseUrl === null ? null : checkBaseUrl(baseUrl),
      // A login is kept where the person has it.
      CLAUDE_CONFIG_DIR: token === null ? null : settings,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_MAX_RETRIES: retriesMax,
      // As root it refuses to work without questions, unless told that the machine is made for it.
      IS_SANDBOX: "1",
    }),
    lets:
      token === null
        ? [keyVariable, "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL"]
        : [],
    stdin: "prompt",
    folders: token === null ? [] : [settings],
    files: [],
  };
}

function reader(): OutputReader {
  const transcript = keepTranscript();
  return {
    line: (text) => readLine(transcript, text, readEvent),
    heard: transcript.heard,
  };
}

function readEvent(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  // A subagent's messages are not the agent's own words.
  const isNested = textAt(event, "parent_tool_use_id") !== "";
  switch (event.type) {
    case "system":
      return readSystem(transcript, event);
    case "assistant":
    case "message_stop":
      return readMessage(transcript, event, isNested);
    case "stream_event":
      return isNested ? [] : readPiece(transcript, at(event, "event"));
    case "content_block_delta":
      return readPiece(transcript, event);
    case "user":
      return listAt(event, "message", "content").flatMap(readToolResult);
    case "rate_limit_event":
      return readLimit(transcript, event);
    case "result":
      return readResult(transcript, event);
    default:
      return [];
  }
}

function readSystem(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  if (event.subtype === "init") transcript.begin(textAt(event, "session_id"));
  if (event.subtype !== "api_retry") return [];
  return transcript.retry(
    textAt(event, "error") || "the provider answered with an error",
    statusAt(event, "error_status"),
  );
}

function readMessage(transcript: Transcript, event: Fields, isNested: boolean): readonly AgentEvent[] {
  const blocks = listAt(event, "message", "content");
  const said = blocks
    .filter((block) => at(block, "type") === "text")
    .map((block) => textAt(block, "text"))
    .join("\n");
  const spoken = isNested ? [] : transcript.say(said);
  return [...spoken, ...blocks.flatMap(readBlock)];
}

/** With `--include-partial-messages` a message comes in pieces first, then whole. */
function readPiece(transcript: Transcript, event: unknown): readonly AgentEvent[] {
  const isText = at(event, "type") === "content_block_delta" && at(event, "delta", "type") === "text_delta";
  return isText ? transcript.say(textAt(event, "delta", "text"), true) : [];
}

function readBlock(block: unknown): readonly AgentEvent[] {
  const type = at(block, "type");
  if (type === "thinking") return [{ kind: "thinking", text: textAt(block, "thinking") }];
  if (type !== "tool_use" && type !== "server_tool_use") return [];
  const text = JSON.stringify(at(block, "input") ?? {});
  return [{ kind: "tool", id: textAt(block, "id"), name: textAt(block, "name"), status: "started", text }];
}

function readToolResult(block: unknown): readonly AgentEvent[] {
  if (at(block, "type") !== "tool_result") return [];
  const content = at(block, "content");
  const parts = Array.isArray(content) ? content.map((part) => textAt(part, "text")) : [];
  const text = typeof content === "string" ? content : parts.filter((part) => part !== "").join("\n");
  const status = at(block, "is_error") === true ? "failed" : "done";
  return [{ kind: "tool", id: textAt(block, "tool_use_id"), name: "", status, text }];
}

/** `allowed` and `allowed_warning` let the request through. */
function readLimit(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  const info = at(event, "rate_limit_info");
  const status = textAt(info, "status");
  if (status === "") return [];
  const resetsAt = numberAt(info, "resetsAt");
  const window = textAt(info, "rateLimitType").replaceAll("_", " ");
  return transcript.limit({
    isRejected: status === "rejected",
    why: `The provider's ${window === "" ? "" : `${window} `}limit: ${status.replaceAll("_", " ")}`,
    untilMs: resetsAt === 0 ? null : toMs(resetsAt),
  });
}

/** Seconds or milliseconds since the epoch; seconds reach this in the year 5138. */
const toMs = (time: number): number => Math.round(time > 100_000_000_000 ? time : time * 1_000);

function readResult(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  transcript.begin(textAt(event, "session_id"));
  const usage = at(event, "usage");
  if (usage !== undefined) transcript.use(readTokens(usage), readCost(event));
  const subtype = textAt(event, "subtype");
  const reason = textAt(event, "terminal_reason");
  // Older versions tell a limit of turns or dollars by the subtype alone.
  const isError = event.is_error !== false || subtype.startsWith("error") || !["", "completed"].includes(reason);
  const why =
    textAt(event, "result") ||
    textAt(event, "result", "output") ||
    listAt(event, "errors")
      .filter((each) => typeof each === "string")
      .join("\n");
  transcript.end(
    { isError, why: isError ? why || subtype || reason || "an error without a message" : "" },
    isError ? undefined : why,
  );
  return isError ? transcript.error(why || subtype || reason, statusAt(event, "api_error_status")) : [];
}

const readTokens = (usage: unknown): Tokens => ({
  input: numberAt(usage, "input_tokens"),
  cacheRead: numberAt(usage, "cache_read_input_tokens"),
  cacheWrite: numberAt(usage, "cache_creation_input_tokens"),
  output: numberAt(usage, "output_tokens"),
  reasoning: numberAt(usage, "output_tokens_details", "thinking_tokens"),
});

/** Of this run: `total_cost_usd` counts what a session that is gone on with has cost before. Older versions tell only that one. */
function readCost(event: Fields): number | null {
  const models = at(event, "model_usage_since_last_result");
  if (isRecord(models))
    return Object.values(models).reduce<number>((sum, model) => sum + numberAt(model, "costUSD"), 0);
  return typeof event.total_cost_usd === "number" ? numberAt(event, "total_cost_usd") : null;
}

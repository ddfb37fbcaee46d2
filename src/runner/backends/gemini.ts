// Gemini CLI as a one-shot program: the prompt on stdin, one JSON event per line. `result` ends it. Its exit code is the last eight
// bits of the provider's HTTP status, and it exits with 0 when it is stopped by a signal.

import { readJson } from "../../lib/json.ts";
import { checkBaseUrl, inOwn, option, setVariables } from "./arguments.ts";
import type {
  AgentCommand,
  AgentEnd,
  AgentEvent,
  AgentRequest,
  Backend,
  ErrorEvent,
  OutputReader,
  Verdict,
} from "./backend.ts";
import { describeEnd, judgeEnd } from "./judge-end.ts";
import { at, type Fields, numberAt, statusAt, textAt } from "./read-event.ts";
import { readLine } from "./read-line.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

const keyVariable = "GEMINI_API_KEY";
/** By itself it tries for more than four minutes. Longer waits are the loop's business. */
const attemptsMax = 3;
/** HTTP statuses by what is left of them in eight bits. */
const statuses = [400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504];
const statusOfCode: ReadonlyMap<number, number> = new Map(statuses.map((status) => [status & 255, status]));
/** No key or login; input that it does not take; a folder that it does not trust. */
const refusedCodes = [41, 42, 55];

export const gemini: Backend = { name: "gemini", keyVariable, version: ["--version"], command, reader, judge };

function command({ ownFolder, model, baseUrl, token, session, program }: AgentRequest): AgentCommand {
  const home = inOwn(ownFolder, "gemini");
  const settings = { path: inOwn(home, ".gemini", "settings.json"), text: `${JSON.stringify(ownSettings, null, 2)}\n` };
  return {
    file: "gemini",
    args: [
      ...["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust"],
      ...option("--model", model),
      ...option("--resume", session),
      ...program,
    ],
    env: setVariables({
      [keyVariable]: token,
      GOOGLE_GEMINI_BASE_URL: baseUrl === null ? null : checkBaseUrl(baseUrl),
      // A login, and the settings beside it, stay where the person has them.
      GEMINI_CLI_HOME: token === null ? null : home,
      // It starts itself a second time otherwise, and a signal to the first process is lost.
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
    lets:
      token === null
        ? [keyVariable, "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI"]
        : [],
    stdin: "prompt",
    folders: [],
    files: token === null ? [] : [settings],
  };
}

const ownSettings = {
  general: { maxAttempts: attemptsMax, enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: "gemini-api-key" } },
};

function reader(): OutputReader {
  const transcript = keepTranscript();
  return {
    line: (text) => readLine(transcript, text, readEvent),
    heard: transcript.heard,
  };
}

function readEvent(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  switch (event.type) {
    case "init":
      transcript.begin(textAt(event, "session_id"));
      return [];
    case "message":
      return event.role === "assistant" ? transcript.say(textAt(event, "content"), event.delta === true) : [];
    case "tool_use": {
      transcript.pause();
      const text = JSON.stringify(at(event, "parameters") ?? {});
      return [
        { kind: "tool", id: textAt(event, "tool_id"), name: textAt(event, "tool_name"), status: "started", text },
      ];
    }
    case "tool_result": {
      const status = event.status === "success" ? "done" : "failed";
      const text = textAt(event, "output") || textAt(event, "error", "message");
      return [{ kind: "tool", id: textAt(event, "tool_id"), name: "", status, text }];
    }
    case "error":
      // Warnings, such as a loop that it noticed, come as events of this type too.
      return event.severity === "warning" ? [] : transcript.error(textAt(event, "message"), null);
    case "result":
      return readResult(transcript, event);
    default:
      return [];
  }
}

function readResult(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  const stats = at(event, "stats");
  if (stats !== undefined) transcript.use(readTokens(stats), null);
  const isError = event.status !== "success";
  const { why, status } = readError(textAt(event, "error", "message") || textAt(event, "error", "type"));
  const answer = textAt(event, "result") || textAt(event, "response");
  transcript.end({ isError, why: isError ? why || "an error without a message" : "" }, answer);
  return isError ? transcript.error(why, status) : [];
}

/** The provider's answer stands in the message: `[API Error: {"error":{"code":401,"message":"…","status":"…"}}]`. */
function readError(message: string): Omit<ErrorEvent, "kind"> {
  const answer = readJson(/^\[API Error: (.+)\]$/s.exec(message)?.[1] ?? "");
  const told = textAt(answer, "error", "message");
  return { why: told || message, status: statusAt(answer, "error", "code") };
}

/** Its input includes what came from the cache. */
function readTokens(stats: unknown) {
  const cacheRead = numberAt(stats, "cached");
  const input = Math.max(numberAt(stats, "input_tokens") - cacheRead, 0);
  return { input, cacheRead, cacheWrite: 0, output: numberAt(stats, "output_tokens"), reasoning: 0 };
}

function judge(end: AgentEnd, nowMs: number): Verdict {
  const code = end.signal === null ? end.exitCode : null;
  if (code !== null && refusedCodes.includes(code)) return { kind: "refused", why: describeEnd(end) };
  return judgeEnd(end, nowMs, end.heard.error?.status ?? statusOfCode.get(code ?? 0) ?? null);
}

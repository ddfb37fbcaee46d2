// opencode as a one-shot program: the prompt on stdin, one JSON event per line. It has no event for its end: the last step that ends
// with "stop" is one. Tokens and cost are told per step. Its retries cannot be set; it prints nothing meanwhile.

import { AppError } from "../../lib/app-error.ts";
import { checkBaseUrl, checkValue, inOwn, option, setVariables } from "./arguments.ts";
import type { AgentCommand, AgentEvent, AgentRequest, Backend, OutputReader } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";
import { at, type Fields, numberAt, statusAt, textAt } from "./read-event.ts";
import { readLine } from "./read-line.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

/** For a model that only its owner knows: what most have today. It decides when opencode sums up a long conversation. */
const assumedLimit = { context: 128_000, output: 16_000 };
/** Where its keys come from depends on the provider. */
const providerKeys = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
];

export const opencode: Backend = {
  name: "opencode",
  // The key goes into its settings, which are a variable.
  keyVariable: null,
  version: ["--version"],
  command,
  reader,
  judge: (end, nowMs) => judgeEnd(end, nowMs, end.heard.error?.status ?? null),
};

function command(request: AgentRequest): AgentCommand {
  const { ownFolder, model, token, session, program } = request;
  const own = (name: string) => (token === null ? null : inOwn(ownFolder, "opencode", name));
  return {
    file: "opencode",
    args: [
      ...["run", "--format", "json", "--auto"],
      ...option("--model", model),
      ...option("--session", session),
      ...program,
    ],
    env: setVariables({
      OPENCODE_CONFIG_CONTENT: JSON.stringify(makeSettings(request)),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_SHARE: "1",
      // A login is kept where the person has it.
      XDG_DATA_HOME: own("data"),
      XDG_CONFIG_HOME: own("config"),
      XDG_STATE_HOME: own("state"),
      XDG_CACHE_HOME: own("cache"),
    }),
    lets: token === null ? [...providerKeys, "XDG_DATA_HOME", "XDG_CONFIG_HOME"] : [],
    stdin: "prompt",
    ...(token === null ? { folders: [], files: [] } : describeOwn(ownFolder)),
  };
}

/** At every start it installs a package for plugins beside its settings, from npm's registry, unless it looks as if it had done so. */
function describeOwn(ownFolder: string): Pick<AgentCommand, "folders" | "files"> {
  const settings = inOwn(ownFolder, "opencode", "config", "opencode");
  const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
  const lock = { path: inOwn(settings, "package-lock.json"), text: `${JSON.stringify({ packages }, null, 2)}\n` };
  return { folders: [inOwn(settings, "node_modules")], files: [lock] };
}

function makeSettings({ model, baseUrl, token }: AgentRequest): Fields {
  const provider = baseUrl === null && token === null ? null : makeProvider(model, baseUrl, token);
  return {
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    permission: { "*": "allow" },
    ...(model === null ? {} : { model: checkValue("a model", model), small_model: model }),
    ...(provider === null ? {} : { enabled_providers: Object.keys(provider), provider }),
  };
}

/** A key or an address belongs to the provider that the model's name begins with. */
function makeProvider(model: string | null, baseUrl: string | null, token: string | null): Fields {
  const [, name = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(model ?? "") ?? [];
  if (name === "")
    throw new AppError("invalid_request", "opencode needs a model such as provider/name with a key or a base URL.");
  const key = token === null ? {} : { apiKey: token };
  if (baseUrl === null) return { [name]: { options: key } };
  return {
    [name]: {
      npm: "@ai-sdk/openai-compatible",
      options: { ...key, baseURL: checkBaseUrl(baseUrl) },
      models: { [id]: { tool_call: true, limit: assumedLimit } },
    },
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
  transcript.begin(textAt(event, "sessionID"));
  const part = at(event, "part");
  switch (event.type) {
    case "text":
      return transcript.say(textAt(part, "text"));
    case "reasoning":
      return [{ kind: "thinking", text: textAt(part, "text") }];
    case "tool_use":
      return readTool(part);
    case "step_start":
      transcript.end(null);
      return [];
    case "step_finish":
      return readStep(transcript, part);
    case "error":
      return readError(transcript, at(event, "error"));
    default:
      return [];
  }
}

function readTool(part: unknown): readonly AgentEvent[] {
  const state = at(part, "state");
  const status = textAt(state, "status");
  const text = textAt(state, "output") || textAt(state, "error") || JSON.stringify(at(state, "input") ?? {});
  const known = status === "completed" ? "done" : status === "error" ? "failed" : "started";
  return [{ kind: "tool", id: textAt(part, "callID"), name: textAt(part, "tool"), status: known, text }];
}

function readStep(transcript: Transcript, part: unknown): readonly AgentEvent[] {
  const tokens = at(part, "tokens");
  const reasoning = numberAt(tokens, "reasoning");
  const cost = numberAt(part, "cost");
  transcript.use(
    {
      input: numberAt(tokens, "input"),
      cacheRead: numberAt(tokens, "cache", "read"),
      cacheWrite: numberAt(tokens, "cache", "write"),
      output: numberAt(tokens, "output") + reasoning,
      reasoning,
    },
    // Nothing: it does not know the price.
    cost === 0 ? null : cost,
  );
  const reason = textAt(part, "reason");
  if (reason === "stop") transcript.end({ isError: false, why: "" });
  else if (reason !== "tool-calls") transcript.end({ isError: true, why: `The last step ended with "${reason}".` });
  return [];
}

function readError(transcript: Transcript, error: unknown): readonly AgentEvent[] {
  const why = textAt(error, "data", "message") || textAt(error, "message") || textAt(error, "name");
  transcript.end({ isError: true, why: why || "an error without a message" });
  return transcript.error(why, statusAt(error, "data", "statusCode"));
}

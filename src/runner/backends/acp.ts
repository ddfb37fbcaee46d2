// Any agent that speaks the Agent Client Protocol: `src/main/talk.ts` starts it, talks with it and prints JSON lines. A run that needs
// requests for permission, a graceful cancel or words of people in its middle is one of these.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { type EndingFacts, endingOf } from "../../domain/run/provider/provider-limit.ts";
import { AppError } from "../../lib/app-error.ts";
import { checkValue, setVariables } from "./arguments.ts";
import type { AgentCommand, AgentEnd, AgentEvent, AgentRequest, Backend, OutputReader, Verdict } from "./backend.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { describeEnd, judgeEnd } from "./judge-end.ts";
import { opencode } from "./opencode.ts";
import { at, type Fields, numberAt, readEvents, statusAt, textAt } from "./read-event.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

const talker = fileURLToPath(new URL("../../../bin/talk-acp.js", import.meta.url));

/** How the talking program is told what to do; the agent itself does not see them. */
export const acpVariables = {
  session: "ACP_TALK_SESSION",
  model: "ACP_TALK_MODEL",
  mode: "ACP_TALK_MODE",
  permissions: "ACP_TALK_PERMISSIONS",
} as const;

/** Programs that bring the protocol to an agent that we know: settings, keys and folders are those of the agent. */
const relatives: Readonly<Record<string, Backend>> = {
  gemini,
  opencode,
  "claude-agent-acp": claude,
  "claude-code-acp": claude,
  "codex-acp": codex,
};
/** The talking program could not start the agent. */
export const notStarted = 127;

export const acp: Backend = {
  name: "acp",
  keyVariable: null,
  version: null,
  cancelsItself: true,
  command,
  reader,
  judge,
};

function command(request: AgentRequest): AgentCommand {
  const { program, session, model, mode = null, permissions = "allow" } = request;
  const [file, ...args] = program;
  if (file === undefined || file.trim() === "")
    throw new AppError("invalid_request", "The acp backend needs a program to start.");
  const own = describeOwn(request, file);
  return {
    ...own,
    file: process.execPath,
    // An argument may be empty, as it is the person's own.
    args: [
      talker,
      checkValue("a program", file),
      ...args.map((each) => (each === "" ? each : checkValue("an argument", each))),
    ],
    env: {
      ...own.env,
      ...setVariables({
        [acpVariables.session]: session,
        // opencode is told its model by its settings.
        [acpVariables.model]: isTold(own.env, model) ? null : model,
        [acpVariables.mode]: mode,
        [acpVariables.permissions]: permissions,
      }),
    },
    stdin: "prompt",
  };
}

type Own = Pick<AgentCommand, "env" | "lets" | "folders" | "files">;

function describeOwn(request: AgentRequest, file: string): Own {
  const { token, baseUrl, keyVariable = null, permissions = "allow" } = request;
  const relative = relatives[path.basename(file).replace(/\.(?:js|mjs|cmd|exe)$/, "")];
  if (relative !== undefined) {
    const { env, lets, folders, files } = relative.command({ ...request, session: null, program: [] });
    return { env: permissions === "allow" ? env : askInstead(env), lets, folders, files };
  }
  if (baseUrl !== null)
    throw new AppError(
      "invalid_request",
      `run-agent does not know how ${file} is told a base URL. Put it into its command.`,
    );
  if (token !== null && keyVariable === null)
    throw new AppError("invalid_request", `${file} has a token. Set key_variable: which variable does it go into?`);
  return {
    env: keyVariable === null ? {} : setVariables({ [keyVariable]: token }),
    lets: token === null && keyVariable !== null ? [checkValue("a variable", keyVariable)] : [],
    folders: [],
    files: [],
  };
}

const settingsVariable = "OPENCODE_CONFIG_CONTENT";
const isTold = (env: Own["env"], model: string | null): boolean =>
  model !== null && env[settingsVariable] !== undefined;

/** As a one-shot program opencode may do everything; here it is to ask. */
function askInstead(env: Own["env"]): Own["env"] {
  const settings = env[settingsVariable];
  if (settings === undefined) return env;
  return { ...env, [settingsVariable]: JSON.stringify({ ...JSON.parse(settings), permission: { "*": "ask" } }) };
}

function reader(): OutputReader {
  const transcript = keepTranscript();
  const turn = { hasWorked: false, message: "" };
  return {
    line: (text) => readEvents(text).flatMap((event) => readEvent(transcript, turn, event)),
    heard: transcript.heard,
  };
}

/** Of the turn that is under way: whether a tool was used, and which message is being said. */
type Turn = { hasWorked: boolean; message: string };

function readEvent(transcript: Transcript, turn: Turn, event: Fields): readonly AgentEvent[] {
  switch (event.type) {
    case "session":
      transcript.begin(textAt(event, "id"));
      return [];
    case "text": {
      const id = textAt(event, "id");
      if (id !== turn.message) transcript.pause();
      turn.message = id;
      return transcript.say(textAt(event, "text"), true);
    }
    case "thinking":
      return [{ kind: "thinking", text: textAt(event, "text") }];
    case "tool":
      turn.hasWorked = true;
      transcript.pause();
      return [readTool(event)];
    case "message":
      turn.hasWorked = false;
      transcript.pause();
      transcript.end(null);
      return [];
    case "context":
      if (typeof at(event, "costUsd") === "number") transcript.cost(numberAt(event, "costUsd"));
      return [];
    case "usage":
      transcript.use(readTokens(event), null);
      return [];
    case "end":
      return readEnd(transcript, turn, event);
    default:
      return [];
  }
}

function readTool(event: Fields): AgentEvent {
  const told = textAt(event, "status");
  const status = told === "done" || told === "failed" ? told : "started";
  return { kind: "tool", id: textAt(event, "id"), name: textAt(event, "name"), status, text: textAt(event, "text") };
}

const readTokens = (event: Fields) => ({
  input: numberAt(event, "input"),
  cacheRead: numberAt(event, "cacheRead"),
  cacheWrite: numberAt(event, "cacheWrite"),
  output: numberAt(event, "output"),
  reasoning: numberAt(event, "reasoning"),
});

/** Some agents end a turn well that their provider refused: all they did is say so. */
function readEnd(transcript: Transcript, turn: Turn, event: Fields): readonly AgentEvent[] {
  const said = transcript.heard().speech.at(-1) ?? "";
  const isNotice = event.isError === false && !turn.hasWorked && tellsFailure(said);
  const isError = event.isError !== false || isNotice;
  const why = isNotice ? said : textAt(event, "why");
  transcript.end({ isError, why: isError ? why || "an error without a message" : "" });
  return isError ? transcript.error(why, statusAt(event, "status") ?? readStatus(said, isNotice)) : [];
}

const failure =
  /^\W{0,5}(?:(?:api|request|authentication|provider|internal) error\b|error:|unexpected status \d{3}\b|exceeded retry limit\b|(?:invalid|incorrect|missing) api[- ]key\b|not logged in\b|authentication (?:failed|required)\b|unauthorized\b|execution failed\b)/i;
/** A notice is short. */
const noticeMax = 400;
const unknownEnd: Omit<EndingFacts, "speech"> = {
  exitCode: 1,
  wasTimedOut: false,
  hasGoodResult: false,
  hasClaim: false,
  limitEvent: null,
  providerStatus: null,
};

/** How a notice of a limit begins; an answer about limits begins otherwise. */
const limitBegins =
  /^\W{0,5}(?:you(?:['’]ve|['’]re| have| are)|your|usage|rate|session|weekly|daily|\d+[- ]hour|quota|too many|limit|429|exceeded|out of)\b/i;

function tellsFailure(said: string): boolean {
  const text = said.trim();
  if (text.length > noticeMax) return false;
  const isLimit = endingOf({ ...unknownEnd, speech: [{ by: "agent", text }] }) === "limit";
  return failure.test(text) || (limitBegins.test(text) && isLimit);
}

function readStatus(said: string, isNotice: boolean): number | null {
  const found = isNotice ? /\b(?:status(?: code)?|http|error)[ :]{1,2}([45]\d\d)\b/i.exec(said)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}

function judge(end: AgentEnd, nowMs: number): Verdict {
  if (end.exitCode === notStarted) return { kind: "refused", why: describeEnd(end) };
  return judgeEnd(end, nowMs, end.heard.error?.status ?? null);
}

// The ways of servers that speak the chat protocol on their own: what they leave out, what they write as text, what they cannot
// take, and what they forget without a word. Only tests import it.

import { estimateTokens, findMode, type ModeContext, type ModeFamily, type SloppyWay } from "./lab-mode.ts";
import { argsText, fromJson, type LabEvent, type Refusal, record, records, type Said, str } from "./lab-protocol.ts";
import { refuseChat } from "./strict-openai.ts";

export const compatFamily: ModeFamily = {
  see: (context) => {
    const { request } = context;
    const window = findOverflow(context);
    if (window === null) return request;
    // The front goes first: rules and tools, then the oldest messages.
    const lengthBehind = (all: readonly { readonly text: string }[], at: number) =>
      all.slice(at).reduce((sum, { text }) => sum + text.length, 0);
    const keepTail = <Item extends { readonly text: string }>(all: readonly Item[]) =>
      all.filter((_, at) => lengthBehind(all, at) <= (window / 2) * 4);
    const { messages, turns } = request;
    return { ...request, system: "", tools: [], messages: keepTail(messages), turns: keepTail(turns) };
  },
  refuse: (context) => {
    const { request, modes } = context;
    return refuseChat(request, false) ?? refusers.find(({ mode }) => findMode(modes, mode))?.refuse(context) ?? null;
  },
  say: (said, context) => {
    const ways = readWays(context);
    const isText = findMode(context.modes, "compat-text-call") !== undefined;
    const isThinking = findMode(context.modes, "deepseek-reasoning") !== undefined && said.reasoning.length === 0;
    const thought = { text: "Let me think.", signature: null, isRedacted: false };
    const isJson = findMode(context.modes, "vllm-no-parser") !== undefined && context.request.tools.length === 0;
    const spoken = isJson
      ? writeCallsAsJson(said)
      : isText
        ? writeCallsAsText(said)
        : isThinking
          ? { ...said, reasoning: [thought] }
          : said;
    const seen = countSeen(context);
    return {
      ...spoken,
      usage:
        ways.includes("no-usage") || said.usage === null ? null : { ...said.usage, input: seen ?? said.usage.input },
      toolCalls: ways.includes("no-ids") ? spoken.toolCalls.map((call) => ({ ...call, id: null })) : spoken.toolCalls,
    };
  },
  events: (events, _said, context) => {
    const ways = readWays(context);
    if (ways.includes("error-text")) return [...events.slice(0, 1), { data: { error: "the model crashed" } }];
    return events.map((event) => ({ ...event, data: makeSloppy(event.data, ways) }));
  },
};

const allWays: readonly SloppyWay[] = ["no-ids", "index-0", "stop", "object-arguments", "no-usage"];

function readWays({ modes }: ModeContext): readonly SloppyWay[] {
  const mode = findMode(modes, "compat-sloppy");
  return mode === undefined ? [] : (mode.ways ?? allWays);
}

function makeSloppy(data: LabEvent["data"], ways: readonly SloppyWay[]): unknown {
  const [choice] = records(record(data).choices);
  if (choice === undefined) return data;
  const delta = record(choice.delta);
  const calls = records(delta.tool_calls).map((call) => {
    const { arguments: args, ...called } = record(call.function);
    const sent = ways.includes("object-arguments") ? fromJson(str(args)) : args;
    return { ...call, ...(ways.includes("index-0") ? { index: 0 } : {}), function: { ...called, arguments: sent } };
  });
  const finish = ways.includes("stop") && choice.finish_reason === "tool_calls" ? "stop" : choice.finish_reason;
  const sloppy = {
    ...choice,
    delta: calls.length > 0 ? { ...delta, tool_calls: calls } : delta,
    finish_reason: finish,
  };
  return { ...record(data), choices: [sloppy] };
}

function writeCallsAsText(said: Said): Said {
  const thoughts = said.reasoning.map(({ text }) => `<think>\n${text}\n</think>\n\n`);
  const calls = said.toolCalls.map(
    ({ name, args }) =>
      `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${argsText(args)}}\n</tool_call>`,
  );
  return { ...said, reasoning: [], text: [...thoughts, said.text, ...calls].join(""), toolCalls: [] };
}

/** As a model does that was told in words how to call a tool. */
function writeCallsAsJson(said: Said): Said {
  if (said.toolCalls.length === 0) return said;
  const calls = said.toolCalls.map(({ name, args }) => ({ tool: name, args }));
  const json = JSON.stringify({ tool_calls: calls });
  const sent = said.isHalf ? json.slice(0, Math.ceil(json.length / 2)) : json;
  return { ...said, text: `${said.text}\n${sent}`.trim(), toolCalls: [] };
}

const defaultWindowTokens = 4_096;

const countSent = ({ request }: ModeContext): number => estimateTokens(JSON.stringify(request.raw));

/** The window that the request is too long for, or null. */
function findOverflow(context: ModeContext): number | null {
  const mode = findMode(context.modes, "ollama-4k");
  if (mode === undefined) return null;
  const { windowTokens = defaultWindowTokens } = mode;
  return countSent(context) > windowTokens ? windowTokens : null;
}

/** What Ollama counts: what it read, which is half a window where it did not read all. */
function countSeen(context: ModeContext): number | null {
  if (findMode(context.modes, "ollama-4k") === undefined) return null;
  const window = findOverflow(context);
  return window === null ? countSent(context) : window / 2;
}

type Refuser = {
  readonly mode: "deepseek-reasoning" | "roles-alternate" | "vllm-no-parser";
  readonly refuse: (context: ModeContext) => Refusal | null;
};

const refusers: readonly Refuser[] = [
  {
    mode: "deepseek-reasoning",
    refuse: ({ request }) => {
      const messages = records(record(request.raw).messages);
      const from = messages.findLastIndex(({ role }) => role === "user") + 1;
      const at = messages.findIndex(
        (message, index) =>
          index >= from && records(message.tool_calls).length > 0 && typeof message.reasoning_content !== "string",
      );
      if (at < 0) return null;
      const message = `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`;
      return { rule: "missing-reasoning", status: 400, message };
    },
  },
  {
    mode: "roles-alternate",
    refuse: ({ request }) => {
      const spoken = records(record(request.raw).messages).filter(
        ({ role, tool_calls: calls }) => role === "user" || (role === "assistant" && records(calls).length === 0),
      );
      const isAlternating = spoken.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"));
      const message = "Conversation roles must alternate user/assistant/user/assistant/...";
      return isAlternating ? null : vllmError("roles-alternate", message);
    },
  },
  {
    mode: "vllm-no-parser",
    refuse: ({ request }) => {
      const { tools, tool_choice: choice = "auto" } = record(request.raw);
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      return records(tools).length > 0 && choice === "auto" ? vllmError("no-parser", message) : null;
    },
  },
];

const vllmError = (rule: string, message: string): Refusal => ({
  rule,
  status: 400,
  message,
  body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
});

// Google generateContent and streamGenerateContent. Only tests import it.

import {
  fromJson,
  type LabProtocol,
  type LabTurn,
  makeTurn,
  num,
  record,
  records,
  type Said,
  str,
  textOf,
  wordsOf,
} from "./lab-protocol.ts";

export const googleProtocol: LabProtocol = {
  name: "google",
  matches: (path) => /:(stream)?generateContent$/i.test(path),
  read: (body, path) => ({
    model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ""),
    isStream: /:streamGenerateContent$/.test(path),
    system: textOf(record(body.systemInstruction).parts),
    items: records(body.contents).map(toItem),
    tools: records(body.tools)
      .flatMap((tool) => records(tool.functionDeclarations))
      .map(({ name }) => str(name)),
    wantsJson: record(body.generationConfig).responseMimeType === "application/json",
    maxOutputTokens: num(record(body.generationConfig).maxOutputTokens),
  }),
  whole: (said) =>
    chunk(said, [...thoughts(said), ...(said.text === "" ? [] : [{ text: said.text }]), ...calls(said)], true),
  events: (said) => {
    const parts: object[] = [...thoughts(said), ...wordsOf(said.text).map((text) => ({ text })), ...calls(said)];
    const pieces = parts.length === 0 ? [{ text: "" }] : parts;
    return pieces.map((part, at) => ({ data: chunk(said, [part], at === pieces.length - 1) }));
  },
  error: (status, message) => ({ error: { code: status, message, status: statusNames[status] ?? "INTERNAL" } }),
};

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const thoughts = ({ reasoning }: Said) =>
  reasoning.map(({ text, signature }) => ({ text, thought: true, ...signed(signature) }));

const signed = (signature: string | null) => (signature === null ? {} : { thoughtSignature: signature });

/** Arguments are not streamed: a call that was cut off does not come at all. Arguments that are no object come as none. */
const calls = ({ toolCalls, isHalf }: Said) =>
  toolCalls.slice(0, isHalf ? -1 : undefined).map(({ name, args, signature }) => ({
    functionCall: { name, args: typeof args === "string" ? record(fromJson(args)) : args },
    ...signed(signature),
  }));

function chunk(said: Said, parts: readonly object[], isLast: boolean): object {
  const { usage, finish, model } = said;
  const finishReason = isLast && finish !== "none" ? { finishReason: finishes[finish] } : {};
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...finishReason }],
    ...(usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            cachedContentTokenCount: usage.cacheRead,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
          },
        }),
    modelVersion: model,
  };
}

const finishes = {
  stop: "STOP",
  length: "MAX_TOKENS",
  window: "MAX_TOKENS",
  content_filter: "SAFETY",
  error: "MALFORMED_FUNCTION_CALL",
};

function toItem({ role, parts }: Record<string, unknown>): LabTurn {
  const all = records(parts);
  const toolCalls = all
    .filter(({ functionCall }) => functionCall !== undefined)
    .map(({ functionCall }) => record(functionCall))
    .map(({ id, name, args }) => ({ id: str(id), name: str(name), args }));
  const results = all
    .filter(({ functionResponse }) => functionResponse !== undefined)
    .map(({ functionResponse }) => record(functionResponse));
  if (results.length > 0)
    return makeTurn({
      role: "tool",
      text: JSON.stringify(results.map(({ response }) => response)),
      toolCalls,
      results: results.map(({ id, name, response }) => ({
        callId: str(id),
        name: str(name),
        text: resultText(response),
      })),
    });
  const isThought = (part: Record<string, unknown>) => part.thought === true;
  return makeTurn({
    role: role === "model" ? "assistant" : "user",
    text: textOf(all.filter((part) => !isThought(part))),
    reasoning: textOf(all.filter(isThought)),
    toolCalls,
  });
}

/** The SDK puts a result's text below `content`. */
function resultText(response: unknown): string {
  const { content } = record(response);
  return typeof content === "string" ? content : JSON.stringify(response);
}

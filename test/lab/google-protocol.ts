// Google generateContent and streamGenerateContent. Only tests import it.

import {
  type LabMessage,
  type LabProtocol,
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
    messages: records(body.contents).map(toMessage),
    tools: records(body.tools)
      .flatMap((tool) => records(tool.functionDeclarations))
      .map(({ name }) => str(name)),
    wantsJson: record(body.generationConfig).responseMimeType === "application/json",
    maxOutputTokens: num(record(body.generationConfig).maxOutputTokens),
  }),
  whole: (said) => chunk(said, [...(said.text === "" ? [] : [{ text: said.text }]), ...calls(said)], true),
  events: (said) => {
    const parts: object[] = [...wordsOf(said.text).map((text) => ({ text })), ...calls(said)];
    const pieces = parts.length === 0 ? [{ text: "" }] : parts;
    return pieces.map((part, at) => ({ data: chunk(said, [part], at === pieces.length - 1) }));
  },
  error: (status, message) => ({ error: { code: status, message, status: "LAB" } }),
};

const calls = ({ toolCalls }: Said) => toolCalls.map(({ name, args }) => ({ functionCall: { name, args } }));

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

const finishes = { stop: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY", error: "MALFORMED_FUNCTION_CALL" };

function toMessage({ role, parts }: Record<string, unknown>): LabMessage {
  const all = records(parts);
  const toolCalls = all
    .filter(({ functionCall }) => functionCall !== undefined)
    .map(({ functionCall }) => ({ name: str(record(functionCall).name), args: record(functionCall).args }));
  const results = all.filter(({ functionResponse }) => functionResponse !== undefined);
  if (results.length > 0)
    return {
      role: "tool",
      text: JSON.stringify(results.map((each) => record(each.functionResponse).response)),
      toolCalls,
    };
  return { role: role === "model" ? "assistant" : "user", text: textOf(parts), toolCalls };
}

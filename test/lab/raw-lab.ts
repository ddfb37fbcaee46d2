// Talks to the lab as a program without any SDK does, and in the SDKs' words where what they make of it is the question.
// Call `rawLab` at the top of a test file. Only tests import it.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from "ai";
import { afterEach, expect } from "vitest";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import type { LabMode } from "./lab-mode.ts";
import { fromJson, record } from "./lab-protocol.ts";

// The SDK writes its warnings to the console of the tests otherwise.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export type Heard = {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  /** Of a stream, what its events hold. */
  readonly events: readonly Record<string, unknown>[];
};

export type RawLab = {
  readonly open: (options: LabOptions | LabOptions["script"]) => Promise<Lab>;
  /** Sends both: the first is refused for the rule with these words, the other is answered. */
  readonly checkRefusal: (
    provider: string,
    requests: readonly [refused: object, taken: object],
    refusal: readonly [rule: string, words: string],
    modes?: readonly LabMode[],
  ) => Promise<void>;
};

export function rawLab(): RawLab {
  const labs: Lab[] = [];
  afterEach(async () => {
    for (const lab of labs.splice(0)) await lab.close();
  });
  const open: RawLab["open"] = async (options) => {
    const lab = await startLab(typeof options === "function" ? { script: options } : options);
    labs.push(lab);
    return lab;
  };
  return {
    open,
    checkRefusal: async (provider, [refused, taken], [rule, words], modes = []) => {
      const lab = await open({ script: () => ({ text: "fine" }), modes });
      const no = await post(lab, provider, refused);
      expect(readError(no)).toContain(words);
      expect(lab.refusals).toMatchObject([{ rule, at: 0, status: no.status }]);
      expect(no.status).toBe(400);
      expect(readError(await post(lab, provider, taken))).toBe("200 ");
      expect(lab.ledger.entries.map(({ state }) => state)).toEqual(["refused", "answered"]);
    },
  };
}

const paths: Readonly<Record<string, string>> = { anthropic: "/messages", openai: "/responses" };

/** A Google body names its model and whether it streams in the address; here it does so in the body, as the others do. */
export async function post(lab: Lab, provider: string, body: object, key = "key-1"): Promise<Heard> {
  const { model, stream } = record(body);
  const google = `/models/${model}:${stream === true ? "streamGenerateContent" : "generateContent"}`;
  const path = provider === "google" ? google : (paths[provider] ?? "/chat/completions");
  const response = await fetch(`${lab.baseUrl(provider)}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: key, "content-type": "application/json" },
  });
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => record(fromJson(line.slice(6))));
  return { status: response.status, text, body: record(fromJson(text)), events };
}

/** The words of an error, whichever shape it has. */
export function readError({ status, body }: Heard): string {
  const error = record(body.error);
  const { raw } = record(error.metadata);
  return `${status} ${typeof raw === "string" ? raw : (error.message ?? body.message ?? body.error ?? "")}`;
}

/** The models of the SDKs, by the provider they are asked under. */
export function sdkModel(lab: Lab, provider: string, name: string, apiKey = "key-1"): LanguageModel {
  const options = { baseURL: lab.baseUrl(provider), apiKey };
  if (provider === "anthropic") return createAnthropic(options)(name);
  if (provider === "openai") return createOpenAI(options)(name);
  if (provider === "google") return createGoogle(options)(name);
  if (provider === "openrouter") return createOpenRouter({ ...options, compatibility: "strict" })(name);
  return createOpenAICompatible({ ...options, name: provider, includeUsage: true })(name);
}

const noteTools: ToolSet = {
  note: tool({
    description: "Writes a note",
    inputSchema: jsonSchema({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
  }),
};

/** One call through the SDK: what came of it, and the messages to send back. */
export async function ask(model: LanguageModel, messages: readonly ModelMessage[], more: object = {}) {
  const result = streamText({
    model,
    instructions: "You plan.",
    messages: [...messages],
    tools: noteTools,
    maxRetries: 0,
    onError: () => {},
    providerOptions: { openai: { store: false } },
    ...more,
  });
  const errors: unknown[] = [];
  for await (const part of result.stream) {
    if (part.type === "error") errors.push(part.error);
    else if (part.type === "abort") errors.push(part.reason);
  }
  const none = { messages: [], finish: "error", calls: [], text: "", usage: null, metadata: undefined } as const;
  if (errors.length > 0) return { errors, ...none };
  const calls = await result.toolCalls;
  return {
    errors,
    messages: (await result.responseMessages) as ModelMessage[],
    finish: await result.finishReason,
    calls,
    text: await result.text,
    usage: await result.totalUsage,
    metadata: (await result.finalStep).providerMetadata,
  };
}

/** The answers of tools to all calls of an answer. */
export function resultsFor(calls: readonly { readonly toolCallId: string; readonly toolName: string }[]): ModelMessage {
  return {
    role: "tool",
    content: calls.map(({ toolCallId, toolName }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "text", value: `written by ${toolName}` },
    })),
  };
}

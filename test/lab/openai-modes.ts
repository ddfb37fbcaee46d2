// The ways of OpenAI's responses: encrypted reasoning that only its own account can send back, items that are not stored, and
// responses that fail. Only tests import it.

import { findMode, type ModeFamily, remember } from "./lab-mode.ts";
import { type LabEvent, record, type Said } from "./lab-protocol.ts";
import { callItemId, reasoningItemId } from "./responses-protocol.ts";
import { writeSeal } from "./seal.ts";
import { refuseResponses } from "./strict-openai.ts";

const keyItem = (id: string): string => `openai ${id}`;

export const openAiFamily: ModeFamily = {
  refuse: ({ request, modes, memory }) =>
    refuseResponses(request, (id) => memory.issued.get(keyItem(id)), findMode(modes, "openai-stateless") !== undefined),
  say: (said, { request, modes, memory }) => {
    const isStateless = findMode(modes, "openai-stateless") !== undefined;
    const { include } = record(request.raw);
    const isEncrypted = Array.isArray(include) && include.includes("reasoning.encrypted_content");
    const first = { text: "", signature: null, isRedacted: false };
    const thought = said.reasoning.length === 0 && isStateless ? [first] : said.reasoning;
    const reasoning = thought.map((part, at) => {
      const id = reasoningItemId(said.id, at);
      remember(memory, keyItem(id), "");
      const { model, account } = request;
      const sealed = isEncrypted ? writeSeal({ by: "openai", model, account, content: id }) : null;
      return { ...part, signature: part.signature ?? sealed };
    });
    const required = reasoning.length > 0 ? reasoningItemId(said.id, 0) : "";
    for (const at of said.toolCalls.keys()) remember(memory, keyItem(callItemId(said.id, at)), required);
    remember(memory, keyItem(`msg_${said.id}`), required);
    return { ...said, reasoning };
  },
  events: (events, said, { modes }) => {
    const failed = findMode(modes, "openai-failed");
    if (failed === undefined) return events;
    const kept = failed.when === "after-text" ? events.slice(0, -1) : events.slice(0, 1);
    return [...kept, failedEvent(said, failed.code, kept.length)];
  },
};

const failures: Readonly<Record<string, string>> = {
  context_length_exceeded:
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  insufficient_quota: "You exceeded your current quota, please check your plan and billing details.",
};

function failedEvent({ id, model }: Said, code: string, sequence: number): LabEvent {
  const type = "response.failed";
  const error = { code, message: failures[code] ?? "The model failed to answer." };
  const response = { id: `resp_${id}`, object: "response", created_at: 1_900_000_000, model, status: "failed", error };
  return { event: type, data: { type, sequence_number: sequence, response: { ...response, output: [], usage: null } } };
}

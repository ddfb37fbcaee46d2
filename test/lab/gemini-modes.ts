// The ways of the Gemini API: signatures on calls, and ends that are neither an answer nor an error. Only tests import it.

import { findMode, type GeminiOdd, type ModeContext, type ModeFamily } from "./lab-mode.ts";
import { type LabEvent, type LabFault, type Refusal, record, records, type Said, str } from "./lab-protocol.ts";
import { hashText, readSeal, writeSeal } from "./seal.ts";
import { refuseGemini } from "./strict-gemini.ts";

const sentinels = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

export const geminiFamily: ModeFamily = {
  refuse: (context) =>
    refuseGemini(context.request) ?? (findMode(context.modes, "gemini-sign") ? refuseUnsigned(context) : null),
  fault: ({ modes }) => (findMode(modes, "gemini-odd")?.odd === "per-day" ? dayIsUsedUp : null),
  say: (said, { request, modes }) => {
    if (findMode(modes, "gemini-sign") === undefined) return said;
    const { model, account } = request;
    const seal = (content: string) => writeSeal({ by: "gemini", model, account, content: hashText(content) });
    const toolCalls = said.toolCalls.map((call, at) => ({ ...call, signature: at === 0 ? seal(call.name) : null }));
    return { ...said, toolCalls };
  },
  events: (events, said, { modes }) => {
    const odd = findMode(modes, "gemini-odd")?.odd;
    return odd === undefined ? events : oddEvents(events, said, odd);
  },
};

/** Only the turn under way is looked at: all after the user's last words. */
function refuseUnsigned({ request, memory }: ModeContext): Refusal | null {
  const contents = records(record(request.raw).contents);
  const isWords = ({ role, parts }: Record<string, unknown>) =>
    role === "user" && records(parts).every(({ functionResponse }) => functionResponse === undefined);
  const from = contents.findLastIndex(isWords) + 1;
  for (const [at, { parts }] of contents.entries()) {
    const call = records(parts).find(({ functionCall }) => functionCall !== undefined);
    const signature = str(call?.thoughtSignature);
    if (sentinels.includes(signature)) memory.sentinels += 1;
    if (call === undefined || at < from || sentinels.includes(signature)) continue;
    const name = str(record(call.functionCall).name);
    if (signature === "")
      return {
        rule: "missing-signature",
        status: 400,
        message: `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${at + 1}.`,
      };
    if (readSeal(signature)?.by !== "gemini")
      return { rule: "foreign-signature", status: 400, message: "Corrupted thought signature." };
  }
  return null;
}

function oddEvents(events: readonly LabEvent[], said: Said, odd: GeminiOdd): readonly LabEvent[] {
  const { input = 0, cacheRead = 0 } = said.usage ?? {};
  const usageMetadata = { promptTokenCount: input, cachedContentTokenCount: cacheRead, totalTokenCount: input };
  if (odd === "blocked-prompt")
    return [
      { data: { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata, modelVersion: said.model } },
    ];
  const texts = events.filter(({ data }) => str(readPart(data).text) !== "");
  const last = { candidates: [{ content: {}, finishReason: odd, index: 0 }], usageMetadata, modelVersion: said.model };
  return [...texts.map(withoutFinish), { data: last }];
}

const readPart = (data: unknown): Record<string, unknown> =>
  record(records(record(records(record(data).candidates)[0]?.content).parts)[0]);

function withoutFinish({ data }: LabEvent): LabEvent {
  const { candidates, ...rest } = record(data);
  const [{ finishReason: _finish, ...candidate } = {}] = records(candidates);
  return { data: { ...rest, candidates: [candidate] } };
}

const dayIsUsedUp: LabFault = {
  status: 429,
  body: {
    error: {
      code: 429,
      message: "You exceeded your current quota, please check your plan and billing details.",
      status: "RESOURCE_EXHAUSTED",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [
            {
              quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
              quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
              quotaValue: "250",
            },
          ],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" },
      ],
    },
  },
};

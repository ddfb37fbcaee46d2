// The ways of OpenRouter: half calls that look whole, reasoning details that must come back, errors inside a 200.
// Only tests import it.

import { findMode, type LabMemory, type ModeContext, type ModeFamily, type ModeOf, remember } from "./lab-mode.ts";
import { type LabEvent, type Refusal, record, records, str, textOf } from "./lab-protocol.ts";
import { hashText, writeSeal } from "./seal.ts";
import { fromUpstream, refuseChat } from "./strict-openai.ts";

export const openRouterFamily: ModeFamily = {
  refuse: (context) => {
    const { request, modes } = context;
    const refusal = refuseChat(request, findMode(modes, "claude-strict") !== undefined);
    return refusal ?? (findMode(modes, "openrouter-details") ? refuseWithoutDetails(context) : null);
  },
  say: (said, { request, modes, memory }) => {
    const half = findMode(modes, "openrouter-half");
    const isDetailed = findMode(modes, "openrouter-details") !== undefined;
    const { model, account } = request;
    const seal = () => writeSeal({ by: "openrouter", model, account, content: hashText(said.id) });
    const hidden = { text: "", signature: seal(), isRedacted: true };
    const signed = said.reasoning.map((part) => ({ ...part, signature: part.signature ?? seal() }));
    const reasoning = isDetailed ? [...signed.filter(({ isRedacted }) => !isRedacted), hidden] : signed;
    // An answer that was cut off is none: nothing of it has to come back.
    if (isDetailed && said.finish === "stop") remember(memory, keyMessage(said.text, said.toolCalls), hidden.signature);
    if (half === undefined) return { ...said, reasoning };
    return { ...said, reasoning, isHalf: true, finish: half.hasFinish ? "stop" : "none" };
  },
  events: (events, _said, { modes }) => {
    const inband = findMode(modes, "openrouter-inband");
    return inband === undefined ? events : breakInBand(events, inband);
  },
};

/** An answer is known again by its calls, or by its text where it has none. */
const keyMessage = (text: string, calls: readonly { readonly id: unknown }[]): string =>
  `openrouter ${calls.length > 0 ? calls.map(({ id }) => str(id)).join(" ") : hashText(text)}`;

function refuseWithoutDetails({ request, memory }: ModeContext): Refusal | null {
  for (const message of records(record(request.raw).messages)) {
    if (message.role !== "assistant") continue;
    const due = findDueDetail(memory, message);
    const came = records(message.reasoning_details).map(({ data }) => str(data));
    if (due === undefined || came.includes(due)) continue;
    const refusal = {
      rule: "missing-details",
      status: 400,
      message: "Reasoning of an earlier answer is missing: `reasoning_details` must be sent back unchanged.",
    };
    return fromUpstream(refusal, request.model);
  }
  return null;
}

const findDueDetail = (memory: LabMemory, message: Record<string, unknown>): string | undefined =>
  memory.issued.get(
    keyMessage(
      textOf(message.content),
      records(message.tool_calls).map(({ id }) => ({ id })),
    ),
  );

const inbandErrors = {
  402: { message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits", metadata: {} },
  403: {
    message: "Input was flagged by moderation",
    metadata: { reasons: ["violence"], flagged_input: "…", provider_name: "OpenAI", model_slug: "lab" },
  },
  429: {
    message: "Provider returned error",
    metadata: { raw: "temporarily rate-limited upstream", provider_name: "Anthropic", retry_after_seconds: 20 },
  },
} as const;

function breakInBand(events: readonly LabEvent[], mode: ModeOf<"openrouter-inband">): readonly LabEvent[] {
  const { message, metadata } = inbandErrors[mode.code];
  const begun = events.slice(0, 2);
  const choices = [{ index: 0, delta: { content: "" }, finish_reason: "error" }];
  const error = { code: mode.code, message, metadata: mode.metadata ?? metadata };
  return [...begun, { data: { ...record(begun[0]?.data), choices, error } }, { data: "[DONE]" }];
}

// One call, one try: sent, read to its end, and judged. Only what was refused for free goes out once more in another form:
// without the reasoning of earlier answers, with reasoning for all of them, or with tools as text.

import type { Env } from "../lib/env.ts";
import { judgeError, type Redact, refusesReasoning, refusesTools, wantsReasoning } from "./faults.ts";
import type { ModelOutcome } from "./model.ts";
import { protocolOf } from "./model-id.ts";
import { judgeRead, type Read } from "./outcome.ts";
import type { PriceBook } from "./prices.ts";
import { readStream, type StreamInput } from "./read-stream.ts";
import { fromTaggedOutcome, fromTextOutcome, toTextRequest } from "./text-tools.ts";

export type CallInput = Omit<StreamInput, "reasoning"> & {
  readonly env: Pick<Env, "now" | "random">;
  readonly redact: Redact;
  readonly prices: PriceBook;
  /** Ids of models that cannot call tools; one that turns out to be such is added. */
  readonly modelsWithoutTools: Set<string>;
  /** Ids of models that turned out to want reasoning with every answer. */
  readonly modelsWantingReasoning: Set<string>;
};

export async function callModel(input: CallInput): Promise<ModelOutcome> {
  const { model, request, modelsWithoutTools } = input;
  if (request.tools.length > 0 && modelsWithoutTools.has(model.id)) return callWithText(input);
  const read = await readTwice(input);
  if (request.tools.length > 0 && refusesTools(read.error)) {
    modelsWithoutTools.add(model.id);
    return callWithText(input);
  }
  const outcome = judge(input, read);
  return protocolOf(model) === "openai-compatible" ? fromTaggedOutcome(outcome, request) : outcome;
}

/** The text is heard when it is known not to be a call. */
async function callWithText(input: CallInput): Promise<ModelOutcome> {
  const sent = { ...input, request: toTextRequest(input.request), onText: () => {} };
  const outcome = fromTextOutcome(fromTaggedOutcome(judge(sent, await readTwice(sent)), sent.request), input.request);
  if (outcome.kind === "answered") input.onText(outcome.answer.text);
  return outcome;
}

async function readTwice(input: CallInput): Promise<Read> {
  const { model, modelsWantingReasoning: insisting } = input;
  const isInsisting = insisting.has(model.id);
  const read = await readStream({ ...input, reasoning: isInsisting ? "insisted" : "own" });
  if (refusesReasoning(read.error)) return readStream({ ...input, reasoning: "none" });
  if (isInsisting || !wantsReasoning(read.error)) return read;
  insisting.add(model.id);
  return readStream({ ...input, reasoning: "insisted" });
}

function judge(input: CallInput, read: Read): ModelOutcome {
  const { env, redact } = input;
  const options = { nowMs: env.now(), random: env.random(), redact };
  return judgeRead({ ...input, judge: (error) => judgeError(error, options) }, read);
}

// One call, one try: sent, read to its end, and judged. Nothing is retried here but a request whose reasoning of earlier
// answers was refused: it goes out once more without it, and the refusal was free.

import type { Env } from "../lib/env.ts";
import { judgeError, refusesReasoning } from "./faults.ts";
import type { ModelOutcome } from "./model.ts";
import { judgeRead } from "./outcome.ts";
import type { PriceBook } from "./prices.ts";
import { readStream, type StreamInput } from "./read-stream.ts";
import type { Redact } from "./redact.ts";

export type Timeouts = StreamInput["timeouts"];

/**
 * Models that think say nothing for minutes, before their first word and in the middle; what takes longer than a quarter of
 * an hour is not a step of an iteration.
 */
export const defaultTimeouts: Timeouts = { firstChunkMs: 300_000, chunkMs: 300_000, totalMs: 900_000 };

export type CallInput = Omit<StreamInput, "isPlain"> & {
  readonly env: Pick<Env, "now" | "random">;
  readonly redact: Redact;
  readonly prices: PriceBook;
  /** Ids of models that cannot call tools; one that turns out to be such is added. */
  readonly modelsWithoutTools: Set<string>;
};

export async function callModel(input: CallInput): Promise<ModelOutcome> {
  const { env, redact } = input;
  const first = await readStream({ ...input, isPlain: false });
  const read = refusesReasoning(first.error) ? await readStream({ ...input, isPlain: true }) : first;
  const judge = (error: unknown) => judgeError(error, { nowMs: env.now(), random: env.random(), redact });
  return judgeRead({ ...input, judge }, read);
}

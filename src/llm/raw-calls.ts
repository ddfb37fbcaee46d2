// The arguments of calls as OpenRouter's stream brought them. Its SDK turns half arguments, and those after an empty
// placeholder, into `{}`; what was really sent decides. Pure but for the list that it fills.

import { z } from "zod";
import { parseForgiving } from "./find-object.ts";
import type { ToolCall } from "./model.ts";

export type RawCall = { readonly id: string | null; args: string };

const chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({
        tool_calls: z.array(
          z.object({
            index: z.number().int().min(0).max(255).nullish(),
            id: z.string().nullish(),
            function: z.object({ arguments: z.string().nullish() }).nullish(),
          }),
        ),
      }),
    }),
  ),
});

export function addRawChunk(calls: RawCall[], rawValue: unknown): void {
  const { data } = chunk.safeParse(rawValue);
  for (const delta of data?.choices[0]?.delta.tool_calls ?? []) {
    const index = delta.index ?? Math.max(0, calls.length - 1);
    const call = calls[index];
    const args = delta.function?.arguments ?? "";
    if (call === undefined) calls[index] = { id: delta.id ?? null, args };
    else call.args += args;
  }
}

/** Arguments that are not whole, or no JSON however forgivingly read, stay the string they came as. */
export function readRawArgs(calls: readonly ToolCall[], raw: readonly RawCall[]): readonly ToolCall[] {
  return calls.map((call, at) => {
    const sent = raw.find((each) => each?.id === call.callId) ?? raw[at];
    const text = sent === undefined || sent.args.trim() === "" ? call.args : sent.args;
    // Arguments that the SDK could read are no text.
    if (typeof text !== "string") return call;
    return { ...call, args: parseForgiving(text) ?? parseForgiving(text.replace(/^\s*\{\s*\}/, "")) ?? text };
  });
}

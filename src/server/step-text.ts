// A step on the wire: what the entry says of itself, and what it was called with and came to as the beginning of a text.

import { z } from "zod";
import { cut as cutLine, oneLine } from "../domain/workspace/pages.ts";
import type { RunStep } from "../protocol/api.ts";
import type { StepContent } from "../store/run-step-store.ts";
import type { StepLine } from "./step-lines.ts";

/** Characters of what a step was called with, and of what it answered. */
const shownMax = 4_000;
/** Characters of why it failed; entries keep no more. */
const errorMax = 2_000;
const lineMax = 300;

/** `content`: of the entry in the journal; null where the journal has no entry. */
export function toWireStep(step: StepLine, content: StepContent | null): RunStep {
  const answer = step.kind === "model" ? answerIn(content) : null;
  const [args, result] = [cut(textOf(content?.args ?? null)), cut(resultText(step, content, answer))];
  return {
    id: step.id,
    key: step.key,
    kind: step.kind,
    lane: step.lane.id,
    lane_title: step.lane.title,
    state: step.state,
    summary: inLine(step.did) || stateWords[step.state],
    tool: step.tool,
    role: step.call?.role ?? null,
    model: step.call?.model ?? null,
    is_error: step.error !== null || step.state === "uncertain",
    error: step.error?.slice(0, errorMax) ?? null,
    args: args.text,
    result: result.text,
    is_cut: args.isCut || result.isCut,
    calls: answer?.toolCalls.length ?? null,
    began_at: step.beganAt,
    ended_at: step.endedAt,
    cost_micro_usd: step.call?.costMicroUsd ?? null,
    tokens: step.call?.tokens ?? null,
    cached_tokens: step.call?.cachedTokens ?? null,
    messages: step.call?.messages ?? null,
  };
}

/** For an entry that has no words yet. */
const stateWords = { intended: "In progress", done: "Done", uncertain: "Interrupted" } as const;

const answered = z.object({
  answer: z.object({
    text: z.string(),
    toolCalls: z.array(z.object({ tool: z.string(), args: z.unknown() })),
  }),
});
type Answer = z.infer<typeof answered>["answer"];

const stored = z.object({ result: z.unknown() });

/** Entries keep their result beside what they made; effects of the outside world keep it alone. */
const unwrap = (content: StepContent | null): unknown => stored.safeParse(content?.result).data?.result ?? null;

const answerIn = (content: StepContent | null): Answer | null =>
  answered.safeParse(unwrap(content)).data?.answer ?? null;

const toolResult = z.object({ outcome: z.object({ text: z.string() }) });
const spoken = z.object({ text: z.string() });

/** The words of a result where it has some, and JSON where it has not. */
function resultText({ kind }: StepLine, content: StepContent | null, answer: Answer | null): string | null {
  if (answer !== null) {
    const calls = answer.toolCalls.map(({ tool, args }) => `${tool} ${textOf(args)}`);
    return [answer.text.trim(), ...calls].filter((text) => text !== "").join("\n\n");
  }
  const result = kind === "effect" ? (content?.result ?? null) : unwrap(content);
  return toolResult.safeParse(result).data?.outcome.text ?? spoken.safeParse(result).data?.text ?? textOf(result);
}

/** Of a long text no more is looked at than could be shown. */
const inLine = (text: string): string => cutLine(oneLine(text.slice(0, 4 * lineMax)), lineMax);

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function cut(text: string | null): { readonly text: string | null; readonly isCut: boolean } {
  if (text === null || text.length <= shownMax) return { text, isCut: false };
  return { text: text.slice(0, shownMax).replace(/[\uD800-\uDBFF]$/, ""), isCut: true };
}

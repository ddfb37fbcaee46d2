// The one tool loop behind planner, executor and chat: ask the model with its tools, carry out what it calls, show it every result,
// until it ends or its limits are reached. Messages are only ever appended. Every answer and every call is an entry of the
// journal, so another attempt goes through the same conversation and begins where it broke off.

import { clip } from "../domain/planner/clip.ts";
import type { SessionLimits } from "../domain/planner/view.ts";
import type { ModelMessage, ModelRequest, ToolCall, ToolReply } from "../llm/model.ts";
import { brokenAnswer, brokeOff, lastAnswer, nearLimit } from "../prompts/session-notes.ts";
import type { Asked, Said } from "./ask.ts";

export type LoopRequest = Pick<ModelRequest, "role" | "system" | "tools" | "maxOutputTokens" | "cacheKey" | "view">;

/** What differs between the roles. */
export type ToolLoop = {
  /** The conversation so far. */
  readonly opening: readonly ModelMessage[];
  readonly limits: SessionLimits;
  /** How this role ends, in words: `call end_iteration now`. */
  readonly howToEnd: string;
  /** Asks the model; the same step of another attempt gets the same answer. */
  readonly ask: (step: number, messages: readonly ModelMessage[]) => Promise<Asked<Said>>;
  /** Tools of the session itself, which are never too many in one answer. */
  readonly isFree?: (tool: string) => boolean;
  /** Carries out the calls of one answer, in order; `isEnd` ends the session after them. */
  readonly carryOut: (step: number, calls: readonly ToolCall[]) => Promise<CarriedOut>;
  /** Takes note of calls that were too many for one answer and were not carried out. */
  readonly onLeft?: (step: number, calls: readonly ToolCall[]) => Promise<void>;
  /** An answer without a call: true, or left out, ends the session; a text goes back to the model. */
  readonly onText?: () => true | string;
  /** What the user has said meanwhile. */
  readonly hear?: (step: number) => Promise<string>;
  /** Why it should come to its end now, such as a budget that is reached; null while it need not. */
  readonly mustEnd?: (step: number) => Promise<string | null>;
};

export type CarriedOut = { readonly replies: readonly ToolReply[]; readonly isEnd: boolean };

export type LoopEnd =
  /** By its own word: a tool that ends it, or a last text. */
  | { readonly kind: "ended"; readonly text: string }
  /** It was told to end and did not. */
  | { readonly kind: "silent"; readonly why: string }
  /** Its request failed for good, or two answers in a row broke off. */
  | { readonly kind: "failed"; readonly why: string };

/** Two answers in a row that broke off: a third would, too. */
const cutOffMax = 2;
/** Answers that a session has after it was told to end: one to finish in, one to say so. */
const warningsMax = 2;
/** Characters of a conversation: about 56,000 tokens, so that an end fits below 64,000. */
const conversationMax = 224_000;

export async function runToolLoop(loop: ToolLoop): Promise<LoopEnd> {
  const talk: Talk = { messages: [...loop.opening], calls: 0, cutOffs: 0, warnings: 0 };
  for (let step = 0; step < loop.limits.answers; step++) {
    const end = await takeTurn(loop, talk, step);
    if (end !== null) return end;
  }
  return { kind: "silent", why: `it did not end within ${loop.limits.answers} answers` };
}

/** The conversation so far. */
type Talk = { readonly messages: ModelMessage[]; calls: number; cutOffs: number; warnings: number };

/** One answer and what comes of it; null: it goes on. */
async function takeTurn(loop: ToolLoop, talk: Talk, step: number): Promise<LoopEnd | null> {
  const notes = await gatherNotes(loop, talk, step);
  if (notes.isOver) return { kind: "silent", why: notes.text };
  talk.warnings += notes.isWarning ? 1 : 0;
  if (notes.text !== "") talk.messages.push({ role: "user", text: notes.text });
  const asked = await loop.ask(step, talk.messages);
  if (!asked.ok) return { kind: "failed", why: asked.why };
  if (asked.value.kind === "cut_off") return showBreak(talk, asked.value);
  talk.cutOffs = 0;
  const { text, toolCalls, native } = asked.value.answer;
  talk.messages.push({ role: "assistant", text, toolCalls, native });
  if (toolCalls.length === 0) {
    const back = loop.onText?.() ?? true;
    if (back === true) return { kind: "ended", text };
    talk.messages.push({ role: "user", text: back });
    return null;
  }
  const { taken, left } = splitCalls(loop, toolCalls);
  const { replies, isEnd } = await loop.carryOut(step, taken);
  if (left.length > 0) await loop.onLeft?.(step, left);
  talk.calls += toolCalls.length;
  talk.messages.push({ role: "tool", results: [...replies, ...left.map((call) => turnDown(call, loop.limits))] });
  return isEnd ? { kind: "ended", text } : null;
}

/** What is too much for one answer is answered without being carried out. */
function splitCalls({ limits, isFree = () => false }: ToolLoop, calls: readonly ToolCall[]) {
  const isTaken = ({ tool }: ToolCall, at: number) => at < limits.callsAtOnce || isFree(tool);
  return { taken: calls.filter(isTaken), left: calls.filter((call, at) => !isTaken(call, at)) };
}

const turnDown = ({ callId, tool }: ToolCall, { callsAtOnce }: SessionLimits): ToolReply => {
  const text = `Not done: at most ${callsAtOnce} calls in one answer. Call it again.`;
  return { callId, tool, text, isError: true };
};

/** An answer that broke off is shown to the model, never carried out and never asked for in the same words. */
function showBreak(talk: Talk, { text, outputTokens }: Extract<Said, { kind: "cut_off" }>): LoopEnd | null {
  talk.cutOffs += 1;
  if (talk.cutOffs === cutOffMax)
    return { kind: "failed", why: `two answers in a row broke off, the last after ${outputTokens} tokens` };
  const shown = text.trim() === "" ? brokenAnswer : clip(text.trim(), 2_000);
  talk.messages.push({ role: "assistant", text: shown, toolCalls: [], native: null });
  talk.messages.push({ role: "user", text: brokeOff(outputTokens) });
  return null;
}

type Notes = { readonly text: string; readonly isWarning: boolean; readonly isOver: boolean };

/** What is said to the model before this answer. One that was told to end twice and goes on is over. */
async function gatherNotes(loop: ToolLoop, { messages, calls, warnings }: Talk, step: number): Promise<Notes> {
  const { limits, howToEnd } = loop;
  const heard = (await loop.hear?.(step)) ?? "";
  const said = heard === "" ? [] : [heard];
  if (step === limits.answers - 1)
    return { text: [...said, lastAnswer(howToEnd)].join("\n\n"), isWarning: true, isOver: false };
  const why =
    (await loop.mustEnd?.(step)) ??
    (calls >= limits.calls ? `${calls} tool calls were made, and ${limits.calls} are the limit` : null) ??
    (measureTalk(messages) > conversationMax ? "This session is nearly as long as it may get" : null);
  if (why === null) return { text: said.join("\n\n"), isWarning: false, isOver: false };
  if (warnings === warningsMax) return { text: why, isWarning: true, isOver: true };
  return { text: [...said, nearLimit(why, howToEnd)].join("\n\n"), isWarning: true, isOver: false };
}

/** As it is sent, without what a provider keeps of its own thinking. */
function measureTalk(messages: readonly ModelMessage[]): number {
  const plain = messages.map((message) => ("native" in message ? { ...message, native: null } : message));
  return JSON.stringify(plain).length;
}

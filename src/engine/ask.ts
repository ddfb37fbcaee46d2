// A model asked through the journal of its owner, so it is asked and paid for once. Its entry tells what it answered; a fault that
// only time or the user can mend interrupts the iteration (`held`), because it is not the run's doing.

import type { z } from "zod";
import { clipLine } from "../domain/planner/clip.ts";
import type { ProviderFault } from "../domain/run/iteration-result.ts";
import { unreachable } from "../lib/assert.ts";
import type { Env } from "../lib/env.ts";
import { type Asked as AskedModel, type AskJournal, askModel, prefer } from "../llm/ask-model.ts";
import type { ModelAnswer, ModelFault, ModelRef, ModelRequest, Models, TextPart } from "../llm/model.ts";
import { askForObject } from "../llm/structured.ts";
import { type Answer, Interrupted, type Journal, type Written } from "../runs/ports/engine.ts";
import { type Lane, plannerLane } from "../runs/ports/run-store.ts";

/** An outage: every model of the role failed, each of them several times. */
const outageMs = 60_000;

/** Null: waiting does not help. */
function toHold(fault: ModelFault, nowMs: number): ProviderFault | null {
  switch (fault.kind) {
    case "limit":
      return { kind: "hold", untilMs: fault.untilMs, why: fault.why };
    case "transient":
    case "silent":
      return { kind: "hold", untilMs: nowMs + outageMs, why: fault.why };
    case "auth":
    case "quota":
      return { kind: fault.kind, why: fault.why };
    case "refused":
    case "too_long":
    case "filtered":
      return null;
    default:
      return unreachable(fault);
  }
}

export type Asking = {
  readonly models: Models;
  readonly journal: Pick<Journal<never>, "signal" | "ask">;
  readonly env: Pick<Env, "now" | "sleep">;
  readonly run: { readonly models: Readonly<Partial<Record<string, string>>> | null };
};

/** What the entry says beside the answer. */
export type AskAbout = { readonly lane?: Lane; readonly messages?: number; readonly onText?: TextPart };

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** An answer, or one that broke off: that one was paid, is journaled, and is never carried out. */
export type Said =
  | { readonly kind: "answered"; readonly answer: ModelAnswer; readonly model: ModelRef }
  | { readonly kind: "cut_off"; readonly text: string; readonly outputTokens: number };

export async function askSaid(it: Asking, key: string, request: ModelRequest, about: AskAbout): Promise<Asked<Said>> {
  const asked = await askModel(toInput(it, key, request, about));
  if (asked.kind === "fault") return toFailure(it, asked.fault);
  return { ok: true, value: asked };
}

/** What the platform notes down for itself in the journal, and says to the user in a line. */
export const toNote = <T>(result: T, summary: string, error: string | null = null): Written<T> => ({
  result,
  summary,
  error,
  artifacts: [],
  isBookkeeping: true,
});

type FailureJournal = Pick<Journal<never>, "recall" | "once">;

/**
 * For sessions: a request that failed for good is journaled as well, because what comes after it was said knowing that. Another
 * attempt would else ask again and be answered into a conversation that has gone on.
 */
export async function askInSession(
  it: Asking & { readonly journal: FailureJournal },
  key: string,
  request: ModelRequest,
  about: AskAbout,
): Promise<Asked<Said>> {
  const failed = `${key}/failed`;
  const known = it.journal.recall<string>(failed);
  if (known !== null) return { ok: false, why: known.result };
  const asked = await askSaid(it, key, request, about);
  if (asked.ok) return asked;
  const { why } = asked;
  await it.journal.once(failed, async () => toNote(why, why, why));
  return asked;
}

/** For questions with one answer. An answer that broke off counts as a failure. */
export async function ask(
  it: Asking,
  key: string,
  request: ModelRequest,
  about: AskAbout = {},
): Promise<Asked<ModelAnswer>> {
  const asked = await askSaid(it, key, request, about);
  if (!asked.ok) return asked;
  if (asked.value.kind === "answered") return { ok: true, value: asked.value.answer };
  return { ok: false, why: `the answer broke off after ${asked.value.outputTokens} tokens` };
}

export async function askObject<T>(
  it: Asking,
  key: string,
  request: ModelRequest,
  schema: z.ZodType<T>,
  about: AskAbout = {},
): Promise<Asked<T>> {
  const asked = await askForObject({ ...toInput(it, key, request, about), schema, describe });
  switch (asked.kind) {
    case "object":
      return { ok: true, value: asked.object };
    case "malformed":
      return { ok: false, why: `the answer could not be read: ${clipLine(asked.why, 300)}` };
    case "cut_off":
      return { ok: false, why: `the answer broke off after ${asked.outputTokens} tokens` };
    case "fault":
      return toFailure(it, asked.fault);
    default:
      return unreachable(asked);
  }
}

const describe = (why: string) =>
  `Your answer could not be used:\n${why}\nAnswer again with the whole JSON object, and nothing else.`;

function toInput({ models, journal, env, run }: Asking, key: string, request: ModelRequest, about: AskAbout) {
  const { lane = plannerLane, messages = 0, onText } = about;
  const telling: AskJournal = {
    signal: journal.signal,
    ask: (call, work) =>
      journal.ask({ ...call, lane, messages }, async (callId, signal, tell) =>
        tellOf(await work(callId, signal, tell)),
      ),
  };
  const heard = onText === undefined ? {} : { onText };
  return { models: prefer(models, run.models), journal: telling, env, key, request, ...heard };
}

/** The entry in words: what the model wants done, or why it gave no answer. */
function tellOf<T>(answer: Omit<Answer<T>, "did" | "error">): Answer<T> {
  const said = answer.result as AskedModel;
  switch (said.kind) {
    case "answered":
      return { ...answer, did: wordsOf(said.answer) };
    case "cut_off":
      return { ...answer, did: "Answer broke off", error: `broke off after ${said.outputTokens} tokens` };
    case "fault":
      return { ...answer, error: said.fault.why };
    default:
      return unreachable(said);
  }
}

const didMax = 200;

function wordsOf({ text, toolCalls }: ModelAnswer): string {
  // What the tools did is told by their own entries.
  if (text.trim() !== "" || toolCalls.length === 0) return clipLine(text, didMax);
  return toolCalls.length === 1 ? "Asked for 1 tool call" : `Asked for ${toolCalls.length} tool calls`;
}

function toFailure({ env }: Asking, fault: ModelFault): { readonly ok: false; readonly why: string } {
  const hold = toHold(fault, env.now());
  if (hold !== null) throw new Interrupted({ kind: "held", fault: hold });
  return { ok: false, why: `${failureWords[fault.kind]}: ${fault.why}` };
}

const failureWords: Readonly<Record<ModelFault["kind"], string>> = {
  limit: "the provider's limit is reached",
  transient: "the provider cannot be reached",
  silent: "the model does not answer",
  auth: "the provider refuses our credentials",
  quota: "the provider's account is used up",
  refused: "the model's provider refused the request",
  too_long: "the request is too long for the model",
  filtered: "the provider filtered the answer",
};

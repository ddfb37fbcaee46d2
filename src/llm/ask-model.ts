// How an engine asks a role: the role's models one after the other, each try a row of the ledger, until one answers. An entry
// that is journaled answers at once, whichever model it was, so a second attempt at an iteration does not ask again.

import { assert } from "../lib/assert.ts";
import type { Env } from "../lib/env.ts";
import type {
  CutOff,
  ModelAnswer,
  ModelFault,
  ModelOutcome,
  ModelRef,
  ModelRequest,
  Models,
  ModelUsage,
  TextPart,
} from "./model.ts";
import { parseModelId } from "./model-id.ts";

type Answer<T> = { readonly result: T; readonly usage: ModelUsage | "unknown"; readonly isKept: boolean };
type ModelCall = {
  readonly key: string;
  readonly role: string;
  readonly model: string;
  readonly reservedMicroUsd: number;
  readonly isUnpriced: boolean;
};

/** The part of an iteration's journal that asking needs. */
export type AskJournal = {
  readonly signal: AbortSignal;
  readonly ask: <T>(
    call: ModelCall,
    ask: (callId: string, signal: AbortSignal, tell: (silence: ToldSilence | null) => void) => Promise<Answer<T>>,
  ) => Promise<T>;
};

/** Nothing was heard for so long; `triesLeft`: how often the request is sent again before it is given up for now. */
type ToldSilence = { readonly silentMs: number; readonly triesLeft: number };

export type AskInput = {
  readonly models: Models;
  readonly journal: AskJournal;
  readonly env: Pick<Env, "now" | "sleep">;
  /** Of the entry; the same one whenever the same thing is asked. */
  readonly key: string;
  readonly request: ModelRequest;
  /** Hears the answer as it comes; of a try that failed, too. Hears nothing of an entry that is there. */
  readonly onText?: TextPart;
};

export type Asked =
  | { readonly kind: "answered"; readonly answer: ModelAnswer; readonly model: ModelRef }
  /** Journaled like an answer: the same request is not sent again, also not to another model. */
  | (CutOff & { readonly model: ModelRef })
  /** No model of the role has answered; this is the fault that promises most. */
  | { readonly kind: "fault"; readonly fault: ModelFault; readonly model: ModelRef };

/** Between tries of the same model. What is not over after seven seconds lasts longer than an iteration should wait. */
const pausesMs = [1_000, 2_000, 4_000];
/** A model that is silent is left for the next one; only the last of them is asked once more. */
const lastSilencesMax = 2;

/** Across the tries of one request: since when no model has said a word; null: none was silent for long. */
type Waiting = { sinceMs: number | null };

export async function askModel(input: AskInput): Promise<Asked> {
  const faults: Extract<Asked, { kind: "fault" }>[] = [];
  const barred = new Set<string>();
  const waiting: Waiting = { sinceMs: null };
  const chain = input.models.chainOf(input.request.role);
  for (const [at, model] of chain.entries()) {
    if (barred.has(model.provider)) continue;
    const others = chain.slice(at + 1).filter(({ provider }) => !barred.has(provider)).length;
    const asked = await askOne(input, model, others, waiting);
    if (asked.kind !== "fault") return asked;
    faults.push(asked);
    if (isOfProvider(asked.fault)) barred.add(model.provider);
  }
  const [best] = faults.sort((a, b) => hopeOf(a.fault) - hopeOf(b.fault));
  assert(best, "a role has at least one model");
  return best;
}

/** `others`: how many models may still be asked after this one. */
async function askOne(input: AskInput, model: ModelRef, others: number, waiting: Waiting): Promise<Asked> {
  const { journal, env } = input;
  const silencesMax = others === 0 ? lastSilencesMax : 1;
  for (let tried = 0, silences = 0; ; tried++) {
    const triesLeft = others === 0 ? silencesMax - silences - 1 : others + lastSilencesMax - 1;
    const asked = await tryOnce(input, model, triesLeft, waiting);
    const pauseMs = pausesMs[tried];
    if (asked.kind !== "fault" || pauseMs === undefined) return asked;
    if (asked.fault.kind === "silent") silences += 1;
    else if (asked.fault.kind !== "transient") return asked;
    if (silences === silencesMax) return asked;
    await env.sleep(pauseMs, journal.signal);
  }
}

function tryOnce(input: AskInput, model: ModelRef, triesLeft: number, waiting: Waiting): Promise<Asked> {
  const { models, journal, env, key, request, onText } = input;
  journal.signal.throwIfAborted();
  const call = {
    key,
    role: request.role,
    model: model.id,
    reservedMicroUsd: models.reservationOf(model, request),
    isUnpriced: !models.isPriced(model),
  };
  return journal.ask<Asked>(call, async (_callId, signal, tell) => {
    const tellSince = (sinceMs: number) => tell({ silentMs: Math.max(0, env.now() - sinceMs), triesLeft });
    // The try before it was silent to its end, so nothing was heard yet.
    if (waiting.sinceMs !== null) tellSince(waiting.sinceMs);
    let wasHeard = false;
    const onSilence = (silentMs: number | null) => {
      wasHeard ||= silentMs === null;
      if (silentMs !== null && waiting.sinceMs === null) {
        waiting.sinceMs = env.now() - silentMs;
        tellSince(waiting.sinceMs);
      } else if (silentMs === null && waiting.sinceMs !== null) {
        waiting.sinceMs = null;
        tell(null);
      }
    };
    const beganMs = env.now();
    const outcome = await models.call(model, request, signal, onText, onSilence);
    // One that was heard and then took too long was not silent all the while.
    if (outcome.kind === "fault" && outcome.fault.kind === "silent" && !wasHeard) waiting.sinceMs ??= beganMs;
    return toAnswer(model, outcome);
  });
}

/** The model is kept with its answer: a replay has to name the one that answered, not the one that would be asked today. */
function toAnswer(model: ModelRef, outcome: ModelOutcome): Answer<Asked> {
  const { usage, ...result } = outcome;
  return { result: { ...result, model }, usage, isKept: result.kind !== "fault" };
}

/** Said of the account, not of the model: another model of the same provider would be told the same. */
function isOfProvider({ kind }: ModelFault): boolean {
  return kind === "limit" || kind === "auth" || kind === "quota";
}

/** Smaller promises more: a limit is over at its time, an outage sometime, a key when someone mends it. */
function hopeOf(fault: ModelFault): number {
  if (fault.kind === "limit") return fault.untilMs;
  const order = ["transient", "silent", "too_long", "filtered", "auth", "quota", "refused"];
  return Number.MAX_SAFE_INTEGER - order.length + order.indexOf(fault.kind);
}

type Preferred = Readonly<Partial<Record<string, string>>>;

/**
 * The models a run asks for itself come before those of the settings; those remain what is asked when they fail, but never the demo
 * model, which would do the work by rules under another model's name. A name that means no model any more fails as its provider would.
 */
export function prefer(models: Models, wanted: Preferred | null): Models {
  if (wanted === null) return models;
  return {
    ...models,
    chainOf: (role) => {
      const chain = models.chainOf(role);
      const id = wanted[role];
      if (id === undefined) return chain;
      const model = parseModelId(id) ?? { provider: id.split("/")[0] ?? id, id, isDemo: false };
      return [model, ...chain.filter((each) => each.id !== model.id && !each.isDemo)];
    },
  };
}

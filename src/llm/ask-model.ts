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
  readonly ask: <T>(call: ModelCall, ask: (callId: string, signal: AbortSignal) => Promise<Answer<T>>) => Promise<T>;
};

export type AskInput = {
  readonly models: Models;
  readonly journal: AskJournal;
  readonly env: Pick<Env, "sleep">;
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

export async function askModel(input: AskInput): Promise<Asked> {
  const faults: Extract<Asked, { kind: "fault" }>[] = [];
  const barred = new Set<string>();
  for (const model of input.models.chainOf(input.request.role)) {
    if (barred.has(model.provider)) continue;
    const asked = await askOne(input, model);
    if (asked.kind !== "fault") return asked;
    faults.push(asked);
    if (isOfProvider(asked.fault)) barred.add(model.provider);
  }
  const [best] = faults.sort((a, b) => hopeOf(a.fault) - hopeOf(b.fault));
  assert(best, "a role has at least one model");
  return best;
}

async function askOne(input: AskInput, model: ModelRef): Promise<Asked> {
  const { journal, env } = input;
  let asked = await tryOnce(input, model);
  for (const pauseMs of pausesMs) {
    if (asked.kind !== "fault" || asked.fault.kind !== "transient") return asked;
    await env.sleep(pauseMs, journal.signal);
    asked = await tryOnce(input, model);
  }
  return asked;
}

function tryOnce({ models, journal, key, request, onText }: AskInput, model: ModelRef): Promise<Asked> {
  journal.signal.throwIfAborted();
  const call = {
    key,
    role: request.role,
    model: model.id,
    reservedMicroUsd: models.reservationOf(model, request),
    isUnpriced: !models.isPriced(model),
  };
  return journal.ask<Asked>(call, async (_callId, signal) =>
    toAnswer(model, await models.call(model, request, signal, onText)),
  );
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
  const order = ["transient", "too_long", "filtered", "auth", "quota", "refused"];
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

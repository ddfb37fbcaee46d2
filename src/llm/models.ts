// The models of a process: who answers for each role, what that may cost, and calls of them past the shared limiter.

import type { NonEmpty } from "../domain/run/run.ts";
import type { Env } from "../lib/env.ts";
import { defaultTimeouts, type Timeouts } from "./answer-limits.ts";
import { callModel } from "./call-model.ts";
import { redacting } from "./faults.ts";
import { createLimiter } from "./limiter.ts";
import type { ModelOutcome, ModelRef, ModelRequest, ModelRole, Models, PlainAnswer, TextPart } from "./model.ts";
import { isProviderName, providerSpecs } from "./model-id.ts";
import { freeUsage } from "./outcome.ts";
import { createPriceBook, type OwnPrices } from "./prices.ts";
import type { Provider, Providers } from "./providers.ts";
import type { OnSilence } from "./watch-silence.ts";

export type ModelsOptions = {
  readonly chains: Readonly<Record<ModelRole, NonEmpty<ModelRef>>>;
  readonly providers: Providers;
  readonly env: Env;
  readonly fetch: typeof fetch;
  /** The demo model: rules, no AI. */
  readonly demo: (request: ModelRequest) => PlainAnswer;
  readonly timeouts?: Timeouts;
  /** Of the settings; they come before the list prices. */
  readonly ownPrices?: OwnPrices;
  /** Ids of models that cannot call tools: their tools go as text. */
  readonly withoutTools?: readonly string[];
};

/** Far above what one process has under way, far below what a provider takes for an attack. */
const callsAtOnce = 32;
/** A machine of one's own has one graphics card; more at once only makes each slower. */
const localCallsAtOnce = 4;

export function createModels(options: ModelsOptions): Models {
  const { chains, providers, env, fetch, demo, timeouts = defaultTimeouts } = options;
  const modelsWithoutTools = new Set(options.withoutTools);
  const modelsWantingReasoning = new Set<string>();
  const prices = createPriceBook(options.ownPrices ?? {});
  const redact = redacting([...providers.values()].map(({ apiKey }) => apiKey));
  const limiter = createLimiter({
    env,
    concurrencyOf: (name) => (isProviderName(name) && providerSpecs[name].isLocal ? localCallsAtOnce : callsAtOnce),
  });

  const callProvider = async (
    provider: Provider,
    model: ModelRef,
    request: ModelRequest,
    signal: AbortSignal,
    onText: TextPart,
    onSilence: OnSilence,
  ): Promise<ModelOutcome> => {
    const entered = await limiter.enter(provider.name, signal).catch(() => null);
    if (entered === null) return free({ kind: "transient", why: "given up before it was sent" });
    if (entered.kind === "limited") return free({ kind: "limit", why: entered.why, untilMs: entered.untilMs });
    try {
      const asked = { provider, model, request, signal, onText, onSilence, fetch, env, redact, prices, timeouts };
      const outcome = await callModel({ ...asked, modelsWithoutTools, modelsWantingReasoning });
      if (outcome.kind === "fault" && outcome.fault.kind === "limit")
        limiter.notBefore(provider.name, outcome.fault.untilMs);
      return outcome;
    } finally {
      entered.leave();
    }
  };

  return {
    chainOf: (role) => chains[role],
    isPriced: prices.isPriced,
    reservationOf: prices.reservationOf,
    call: async (model, request, signal, onText = () => {}, onSilence = () => {}) => {
      if (model.isDemo) return askDemo(demo, request, onText);
      const provider = providers.get(model.provider);
      if (provider === undefined)
        return free({ kind: "auth", why: `${model.provider} is not configured: set its key (homework model list)` });
      return callProvider(provider, model, request, signal, onText, onSilence);
    },
  };
}

function askDemo(demo: ModelsOptions["demo"], request: ModelRequest, onText: TextPart): ModelOutcome {
  const answer = demo(request);
  onText(answer.text);
  return { kind: "answered", answer: { ...answer, native: null }, usage: freeUsage };
}

const free = (fault: Extract<ModelOutcome, { kind: "fault" }>["fault"]): ModelOutcome => ({
  kind: "fault",
  fault,
  usage: freeUsage,
});

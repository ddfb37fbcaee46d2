// Models whose provider is the outside of a simulation, asked with the product's own code: retries, holds and what is journaled
// are that of src/engine/ask.ts and src/llm/ask-model.ts.

import type { RunningRun } from "../../src/domain/run/run.ts";
import { type Asked, askInSession, askSaid, type Said } from "../../src/engine/ask.ts";
import type { ModelMessage, ModelRef, ModelRole, Models } from "../../src/llm/model.ts";
import type { Journal } from "../../src/runs/ports/engine.ts";
import type { Lane } from "../../src/runs/ports/run-store.ts";
import type { Outside } from "./provider.ts";
import type { Actor, World } from "./world.ts";

const chance: ModelRef = { provider: "chance", id: "chance/one", isDemo: false };
/** The dearest call of a role, in micro-dollars. */
const mostMicroUsd: Partial<Record<ModelRole, number>> = { planner: 60, executor: 40, judge: 40, summary: 20 };

/** A planted bug gets in here: an outcome that is taken for another. `under` is the call under way. */
export type ModelsBug = (models: Models, under: { readonly callId: string }) => Models;

/** One call in eight is not heard at first, without a draw of its own. */
const isSilent = (callId: string): boolean => /[08]$/.test(callId);
const silentMs = 1_000;

export type Asker<Writes> = {
  readonly world: World;
  readonly actor: Actor;
  readonly outside: Outside;
  readonly journal: Journal<Writes>;
  readonly run: RunningRun;
  readonly modelsBug: ModelsBug | undefined;
};

export type Question = {
  readonly key: string;
  readonly role: ModelRole;
  readonly lane: Lane;
  readonly messages: readonly ModelMessage[];
};

export function askSimulated<Writes>(
  asker: Asker<Writes>,
  { key, role, lane, messages }: Question,
): Promise<Asked<Said>> {
  const { world, actor, journal, run } = asker;
  const under = { callId: "" };
  const models = simulateModels(asker, key, under);
  const asking = {
    models: asker.modelsBug?.(models, under) ?? models,
    // The provider's books go by the ledger's id.
    journal: {
      signal: journal.signal,
      recall: (key: string) => journal.recall<never>(key),
      once: ((entry, work) => journal.once(entry, work)) satisfies Journal<Writes>["once"],
      ask: ((call, work) =>
        journal.ask(call, (callId, signal, tell) => {
          under.callId = callId;
          return work(callId, signal, tell);
        })) satisfies Journal<Writes>["ask"],
    },
    env: world.envOf(actor),
    run,
  };
  const request = {
    role,
    system: "",
    messages,
    tools: [],
    format: "text",
    maxOutputTokens: 100,
    cacheKey: run.id,
  } as const;
  const isSession = role === "planner" || role === "executor";
  const about = { lane, messages: idsIn(messages).length };
  return (isSession ? askInSession : askSaid)(asking, key, { ...request, view: null }, about);
}

function simulateModels<Writes>(
  { actor, outside, run }: Asker<Writes>,
  key: string,
  under: { callId: string },
): Models {
  return {
    chainOf: () => [chance],
    isPriced: () => true,
    reservationOf: (_model, { role }) => mostMicroUsd[role] ?? 1,
    call: (_model, { role, messages }, signal, _onText, onSilence = () => {}) => {
      const prompt = {
        runId: run.id,
        iteration: run.state.iteration,
        key,
        role,
        reservedMicroUsd: mostMicroUsd[role] ?? 1,
        heard: idsIn(messages),
        messages: JSON.stringify(messages),
      };
      if (isSilent(under.callId)) onSilence(silentMs);
      return outside.call(actor, under.callId, prompt, signal);
    },
  };
}

/** Messages of the user stand in prompts as their ids. */
export const toMessage = (id: string): string => `<said ${id}>`;

function idsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "user" ? [...message.text.matchAll(/<said ([^>]+)>/g)].map((match) => match[1] ?? "") : [],
  );
}

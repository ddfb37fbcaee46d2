// The outside of a simulation, with books of its own: providers of models, who count every call, and foreign systems, who
// count every act. Invariants compare these with what the platform wrote down.

import type { ProviderFault } from "../../src/domain/run/iteration-result.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import type { Answer } from "../../src/runs/engine-port.ts";
import type { Actor, World } from "./world.ts";

export type Prompt = {
  readonly runId: RunId;
  readonly iteration: number;
  readonly key: string;
  readonly reservedMicroUsd: number;
  /** Ids of what the user said that the prompt contains. */
  readonly heard: readonly string[];
};

export type CountedCall = Prompt & { readonly callId: string; costMicroUsd: number | null };
export type CountedAct = { readonly op: string; readonly idempotencyKey: string; readonly isRepeatable: boolean };

/** A failure that is part of the play. */
export class Simulated extends Error {}

/** The provider would not work: not the run's doing. */
export class ProviderRefused extends Simulated {
  readonly fault: ProviderFault;
  constructor(fault: ProviderFault) {
    super(fault.why);
    this.fault = fault;
  }
}

export class Outside {
  readonly calls = new Map<string, CountedCall>();
  readonly acts: CountedAct[] = [];
  readonly #world: World;
  /** What a model says. */
  readonly #think: (prompt: Prompt) => unknown;
  /** Whether the provider refuses this one. */
  refuse: (prompt: Prompt, actor: Actor) => void = (_prompt, actor) => this.#refuseAtRandom(actor);
  /** Looks at how the platform stands when a call arrives, before anything of it is known there. */
  onCall: (call: CountedCall) => void = () => {};
  onAct: (act: CountedAct) => void = () => {};

  constructor(world: World, think: (prompt: Prompt) => unknown) {
    this.#world = world;
    this.#think = think;
  }

  async call(actor: Actor, callId: string, prompt: Prompt, signal: AbortSignal): Promise<Answer<unknown>> {
    const world = this.#world;
    const counted: CountedCall = { ...prompt, callId, costMicroUsd: null };
    if (signal.aborted) throw new Simulated("aborted before it began");
    this.calls.set(callId, counted);
    this.onCall(counted);
    const isSlow = world.faults.strikes("provider_slow");
    const wait = isSlow ? { minMs: 5_000, maxMs: 60_000 } : { minMs: 200, maxMs: 4_000 };
    await Promise.race([world.pointOutside(actor, `provider ${prompt.key}`, wait), aborted(signal)]);
    if (signal.aborted) throw new Simulated("aborted under way");
    this.refuse(prompt, actor);
    counted.costMicroUsd = world.wait({ minMs: 1, maxMs: prompt.reservedMicroUsd });
    const usage = {
      costMicroUsd: counted.costMicroUsd,
      inputTokens: 10,
      cachedTokens: 0,
      writtenTokens: 0,
      outputTokens: 5,
      pricedBy: "provider",
    } as const;
    return { result: this.#think(prompt), usage, isKept: true };
  }

  async act(actor: Actor, op: string, idempotencyKey: string, isRepeatable: boolean): Promise<{ done: string }> {
    await this.#world.pointOutside(actor, `outside ${op}: before`, { minMs: 5, maxMs: 3_000 });
    const act = { op, idempotencyKey, isRepeatable };
    this.acts.push(act);
    this.onAct(act);
    await this.#world.pointOutside(actor, `outside ${op}: after`, { minMs: 5, maxMs: 3_000 });
    return { done: op };
  }

  #refuseAtRandom(actor: Actor): void {
    const { faults, random } = this.#world;
    if (faults.strikes("provider_error")) throw new Simulated("simulated: the provider answers with nonsense");
    const untilMs = this.#world.nowMs + actor.clockOffMs + random.between(1_000, 60_000);
    if (faults.strikes("provider_hold")) throw new ProviderRefused({ kind: "hold", untilMs, why: "too many requests" });
    if (faults.strikes("provider_auth")) throw new ProviderRefused({ kind: "auth", why: "the key is refused" });
    if (faults.strikes("provider_quota")) throw new ProviderRefused({ kind: "quota", why: "no money left" });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

// The outside of a simulation, with books of its own: providers of models, who count every call, and foreign systems, who
// count every act. Invariants compare these with what the platform wrote down.

import type { RunId } from "../../src/domain/run/run.ts";
import type { ModelFault, ModelOutcome, ModelRole, ModelUsage } from "../../src/llm/model.ts";
import type { LastingEffect } from "../../src/runs/ports/engine.ts";
import type { Thought } from "./think.ts";
import type { Actor, World } from "./world.ts";

export type Prompt = {
  readonly runId: RunId;
  readonly iteration: number;
  readonly key: string;
  readonly role: ModelRole;
  readonly reservedMicroUsd: number;
  /** Ids of what the user said that the prompt contains. */
  readonly heard: readonly string[];
  /** The messages as they were sent. */
  readonly messages: string;
};

export type CallEnd = "under_way" | "lost" | "answered" | "cut_off" | ModelFault["kind"];

export type CountedCall = Prompt & {
  readonly callId: string;
  costMicroUsd: number | null;
  end: CallEnd;
  endedAtMs: number;
  /** The text of the answer. */
  said: string;
  /** When the provider will take requests again, by its own word. */
  namedUntilMs: number | null;
};
/** Something that goes on, whatever becomes of the process that started it. */
type Lasting = { readonly op: string; readonly key: string; readonly endsAtMs: number; isStopped: boolean };
type LastingHandle = { readonly key: string };

export type CountedAct = { readonly op: string; readonly idempotencyKey: string; readonly isRepeatable: boolean };

/** A failure that is part of the play. */
export class Simulated extends Error {}

/** Nothing answers until then; `role` null: no role. */
export type Outage = { readonly untilMs: number; readonly role: ModelRole | null };

const freeOfCharge: ModelUsage = {
  costMicroUsd: 0,
  inputTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 0,
  pricedBy: "provider",
};

export class Outside {
  readonly calls = new Map<string, CountedCall>();
  readonly acts: CountedAct[] = [];
  /** In the order in which they were started. */
  readonly lasting: Lasting[] = [];
  outage: Outage | null = null;
  readonly #world: World;
  /** What a model says. */
  readonly #think: (prompt: Prompt) => Thought;
  /** Why the provider does not answer this one; null where it does. */
  refuse: (prompt: Prompt, actor: Actor) => ModelFault | null = (prompt, actor) => this.#refuseAtRandom(prompt, actor);
  /** Looks at how the platform stands when a call arrives, before anything of it is known there. */
  onCall: (call: CountedCall) => void = () => {};
  onAct: (act: CountedAct) => void = () => {};
  onStart: (started: Lasting) => void = () => {};
  /** By whom: only the newest fence says something about the journal. */
  onAdopt: (adopted: Lasting, fence: number) => void = () => {};

  constructor(world: World, think: (prompt: Prompt) => Thought) {
    this.#world = world;
    this.#think = think;
  }

  async call(actor: Actor, callId: string, prompt: Prompt, signal: AbortSignal): Promise<ModelOutcome> {
    const world = this.#world;
    const books = { costMicroUsd: null, end: "under_way", endedAtMs: 0, said: "", namedUntilMs: null } as const;
    const counted: CountedCall = { ...prompt, callId, ...books };
    if (signal.aborted) throw new Simulated("aborted before it began");
    this.calls.set(callId, counted);
    this.onCall(counted);
    const isSlow = world.faults.strikes("provider_slow");
    const wait = isSlow ? { minMs: 5_000, maxMs: 60_000 } : { minMs: 100, maxMs: 2_000 };
    await Promise.race([world.pointOutside(actor, `provider ${prompt.key}`, wait), waitForAbort(signal)]);
    if (signal.aborted) throw new Simulated("aborted under way");
    const outcome = this.#answer(prompt, actor, counted);
    counted.endedAtMs = world.nowMs;
    counted.costMicroUsd = outcome.usage === "unknown" ? null : outcome.usage.costMicroUsd;
    return outcome;
  }

  #answer(prompt: Prompt, actor: Actor, counted: CountedCall): ModelOutcome {
    if (this.#world.faults.strikes("provider_error")) {
      counted.end = "lost";
      throw new Simulated("simulated: what came from the provider took the program by surprise");
    }
    const fault = this.refuse(prompt, actor);
    if (fault !== null) {
      counted.end = fault.kind;
      if (fault.kind === "limit") counted.namedUntilMs = fault.untilMs;
      return { kind: "fault", fault, usage: fault.kind === "transient" ? "unknown" : freeOfCharge };
    }
    const costMicroUsd = this.#world.wait({ minMs: 1, maxMs: prompt.reservedMicroUsd });
    const usage: ModelUsage = { ...freeOfCharge, costMicroUsd, inputTokens: 10, outputTokens: 5 };
    const thought = this.#think(prompt);
    const isCutOff = thought.isCutOff || this.#world.faults.strikes("provider_cut_off");
    counted.said = thought.text;
    counted.end = isCutOff ? "cut_off" : "answered";
    if (isCutOff) return { kind: "cut_off", text: thought.text, outputTokens: 5, why: "length", usage };
    const toolCalls = thought.calls.map((call, n) => ({ ...call, callId: `${counted.callId}.${n}` }));
    return { kind: "answered", answer: { text: thought.text, toolCalls, native: null }, usage };
  }

  async act(actor: Actor, op: string, idempotencyKey: string, isRepeatable: boolean): Promise<{ done: string }> {
    await this.#world.pointOutside(actor, `outside ${op}: before`, { minMs: 5, maxMs: 3_000 });
    const act = { op, idempotencyKey, isRepeatable };
    this.acts.push(act);
    this.onAct(act);
    await this.#world.pointOutside(actor, `outside ${op}: after`, { minMs: 5, maxMs: 3_000 });
    return { done: op };
  }

  /** What a worker can do with something that outlives it; a key is taken by the first that starts something under it. */
  lastingAs(actor: Actor, op: string, fence: number): LastingEffect<LastingHandle, { readonly done: string }> {
    const world = this.#world;
    const there = (key: string) => this.lasting.find((each) => each.key === key) ?? null;
    const reach = (what: string) => world.pointOutside(actor, `outside ${op}: ${what}`, { minMs: 5, maxMs: 3_000 });
    return {
      start: async (key) => {
        await reach("before its start");
        if (there(key) === null) {
          const endsAtMs = world.nowMs + world.wait({ minMs: 100, maxMs: 30_000 });
          const started = { op, key, endsAtMs, isStopped: false };
          this.lasting.push(started);
          this.onStart(started);
        }
        await reach("after its start");
        return { key };
      },
      find: async (key) => {
        await reach("found");
        return there(key) && { key };
      },
      adopt: async ({ key }, signal) => {
        const it = there(key);
        if (it === null) return { kind: "uncertain" };
        this.onAdopt(it, fence);
        const leftMs = Math.max(1, it.endsAtMs - world.nowMs);
        const end = world.pointOutside(actor, `outside ${op}: its end`, { minMs: leftMs, maxMs: leftMs });
        await Promise.race([end, waitForAbort(signal)]);
        if (signal.aborted) throw new Simulated("aborted while it waited");
        return { kind: "done", result: { done: op } };
      },
      stop: async ({ key }) => {
        await reach("stopped");
        const it = there(key);
        if (it !== null) it.isStopped = true;
      },
    };
  }

  #refuseAtRandom({ role }: Prompt, actor: Actor): ModelFault | null {
    const { faults, random } = this.#world;
    const ownMs = this.#world.nowMs + actor.clockOffMs;
    const { outage } = this;
    if (outage !== null && this.#world.nowMs < outage.untilMs && (outage.role ?? role) === role)
      return { kind: "transient", why: "nothing answers" };
    const waitMs = random.chance(0.05) ? random.between(900_000, 1_500_000) : random.between(1_000, 60_000);
    if (faults.strikes("provider_hold")) return { kind: "limit", untilMs: ownMs + waitMs, why: "too many requests" };
    if (faults.strikes("provider_away")) return { kind: "transient", why: "the connection was lost" };
    if (faults.strikes("provider_auth")) return { kind: "auth", why: "the key is refused" };
    if (faults.strikes("provider_quota")) return { kind: "quota", why: "no money left" };
    const kind = random.pick(["refused", "too_long", "filtered"] as const);
    return faults.strikes("provider_refused") ? { kind, why: "it will never take this" } : null;
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

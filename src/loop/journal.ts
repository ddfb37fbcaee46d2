// The step journal as an engine uses it: what is recorded is answered from the record, everything else is done and recorded
// under the claim's fence. See docs/design/loop.md for what a crash at each place leads to.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import { assert } from "../lib/assert.ts";
import type { Answer, EffectResult, Journal, Written } from "../runs/engine-port.ts";
import type {
  Claim,
  JournaledStep,
  Kept,
  ModelCall,
  RecordedStep,
  StepKind,
  StepStore,
  TakenRun,
} from "../runs/ports.ts";

/** The run belongs to someone else now: stop, write nothing. Not an error of anyone. */
export class ClaimLost extends Error {
  constructor() {
    super("the claim is someone else's now");
    this.name = "ClaimLost";
  }
}

/** A hard limit leaves no room for this call. The gate stops the run; the engine only has to end its iteration. */
export class CallRefused extends Error {
  constructor() {
    super("this call could cross the limit of what the run may cost");
    this.name = "CallRefused";
  }
}

/** What the platform itself saw an iteration do. */
export type JournalFacts = {
  readonly artifacts: readonly ArtifactRef[];
  readonly wasRefused: boolean;
  /** A model's answer or an effect is recorded, by this attempt or by one before it; the platform's own checks are neither. */
  readonly hasBegun: boolean;
};

/** How a step's result is kept. */
type Stored = { readonly result: unknown; readonly artifacts: readonly ArtifactRef[] };

export class StepJournal<Writes> implements Journal<Writes> {
  readonly signal: AbortSignal;
  readonly #store: StepStore<Writes>;
  readonly #claim: Claim;
  readonly #newId: () => string;
  readonly #steps: Map<string, JournaledStep>;
  readonly #artifacts: ArtifactRef[] = [];
  #wasRefused = false;

  constructor(
    store: StepStore<Writes>,
    { claim, journal }: Pick<TakenRun, "claim" | "journal">,
    signal: AbortSignal,
    newId: () => string,
  ) {
    this.signal = signal;
    this.#store = store;
    this.#claim = claim;
    this.#newId = newId;
    this.#steps = new Map(journal.map((step) => [step.key, step]));
  }

  facts(): JournalFacts {
    const hasBegun = [...this.#steps.values()].some(({ kind }) => kind === "model" || kind === "effect");
    return { artifacts: this.#artifacts, wasRefused: this.#wasRefused, hasBegun };
  }

  async once<T>(key: string, work: () => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(key);
    if (done) return done.result;
    const written = await work();
    keep(await this.#store.recordStep(this.#claim, this.#toRecord(key, kindOf(written), written)));
    return this.#remember(key, kindOf(written), written);
  }

  async write<T>(key: string, work: (writes: Writes) => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(key);
    if (done) return done.result;
    const made: Written<T>[] = [];
    const kept = await this.#store.recordWrites(this.#claim, async (writes) => {
      const written = await work(writes);
      made[0] = written;
      return this.#toRecord(key, kindOf(written), written);
    });
    keep(kept);
    assert(made[0], "a transaction that was kept has run its work");
    return this.#remember(key, kindOf(made[0]), made[0]);
  }

  async ask<T>(
    call: Omit<ModelCall, "callId">,
    ask: (callId: string, signal: AbortSignal) => Promise<Answer<T>>,
  ): Promise<T> {
    const done = this.#replay<T>(call.key);
    if (done) return done.result;
    const reserved: ModelCall = { ...call, callId: this.#newId() };
    const room = await this.#store.reserveCall(this.#claim, reserved);
    if (room === "refused") {
      this.#wasRefused = true;
      throw new CallRefused();
    }
    keep(room);
    const { result, usage, isKept } = await this.#answerOf(reserved, ask);
    if (!isKept) {
      keep(await this.#store.settleCall(this.#claim, reserved, usage, null));
      return result;
    }
    const written = { result, summary: `${call.role}: ${call.model}`, artifacts: [] };
    keep(await this.#store.settleCall(this.#claim, reserved, usage, this.#toRecord(call.key, "model", written)));
    return this.#remember(call.key, "model", written);
  }

  /** An answer that did not come is paid for all the same: nobody knows what the provider has counted. */
  async #answerOf<T>(
    call: ModelCall,
    ask: (callId: string, signal: AbortSignal) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    try {
      return await ask(call.callId, this.signal);
    } catch (thrown) {
      await this.#store.settleCall(this.#claim, call, "unknown", null);
      throw thrown;
    }
  }

  async effect<T>(
    key: string,
    isRepeatable: boolean,
    act: (idempotencyKey: string) => Promise<T>,
  ): Promise<EffectResult<T>> {
    const known = this.#steps.get(key);
    if (known?.state === "done") return { kind: "done", result: known.result as T };
    if (known?.state === "uncertain") return { kind: "uncertain" };
    // Begun by an attempt that did not live to tell: repeated only where that does no harm.
    if (known?.state === "intended" && !isRepeatable) {
      keep(await this.#store.finishEffect(this.#claim, key, { kind: "uncertain" }));
      return { kind: "uncertain" };
    }
    keep(await this.#store.intendEffect(this.#claim, key));
    this.#steps.set(key, { key, kind: "effect", state: "intended", result: null });
    const result = await act(`${this.#claim.runId}:${this.#claim.iteration}:${key}`);
    keep(await this.#store.finishEffect(this.#claim, key, { kind: "done", result }));
    this.#steps.set(key, { key, kind: "effect", state: "done", result });
    return { kind: "done", result };
  }

  #replay<T>(key: string): { readonly result: T } | null {
    const step = this.#steps.get(key);
    if (step?.state !== "done") return null;
    const stored = step.result as Stored;
    this.#artifacts.push(...stored.artifacts);
    return { result: stored.result as T };
  }

  #toRecord<T>(key: string, kind: StepKind, { result, summary, artifacts, isBookkeeping }: Written<T>): RecordedStep {
    assert(!this.#steps.has(key), `step ${key} is asked for once`);
    const stored: Stored = { result, artifacts };
    const said = { type: "step_recorded" as const, iteration: this.#claim.iteration, step: key, summary };
    const event = isBookkeeping ? { ...said, isBookkeeping } : said;
    return { key, kind, result: stored, event };
  }

  #remember<T>(key: string, kind: StepKind, { result, artifacts }: Written<T>): T {
    const stored: Stored = { result, artifacts };
    this.#steps.set(key, { key, kind, state: "done", result: stored });
    this.#artifacts.push(...artifacts);
    return result;
  }
}

const kindOf = ({ isBookkeeping }: Written<unknown>): StepKind => (isBookkeeping ? "platform" : "tool");

function keep(kept: Kept): void {
  if (kept === "lost") throw new ClaimLost();
}

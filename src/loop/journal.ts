// The journal of one iteration over a store: what is recorded answers from the record, everything else is done and recorded
// under the claim's fence. See docs/design/loop.md for what a crash at each place leads to.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import { assert } from "../lib/assert.ts";
import { toStoredJson } from "../lib/stored-json.ts";
import {
  type Answer,
  type EffectResult,
  type Entry,
  Interrupted,
  type Journal,
  type Telling,
  type Written,
} from "../runs/engine-port.ts";
import {
  type Claim,
  type EntryHead,
  type JournaledStep,
  type Kept,
  type ModelCall,
  plannerLane,
  platformLane,
  type RecordedStep,
  type Signal,
  type StepKind,
  type StepStore,
  type TakenRun,
} from "../runs/ports.ts";

/** What the platform itself saw an iteration do. */
export type JournalFacts = {
  readonly artifacts: readonly ArtifactRef[];
  readonly wasRefused: boolean;
  /** A model's answer or an effect is recorded, by this attempt or by one before it; the platform's own checks are neither. */
  readonly hasBegun: boolean;
  /** A message was heard, and no answer of a model came after it: its session broke off there. */
  readonly isUnanswered: boolean;
};

/** How a step's result is kept. */
type Stored = { readonly result: unknown; readonly artifacts: readonly ArtifactRef[] };

/** Ids and the time come from outside, so that a simulation can give them. */
export type JournalEnv = { readonly newId: () => string; readonly now: () => number };

export class StepJournal<Writes> implements Journal<Writes> {
  readonly signal: AbortSignal;
  readonly #store: StepStore<Writes>;
  readonly #claim: Claim;
  readonly #env: JournalEnv;
  readonly #steps: Map<string, JournaledStep>;
  readonly #artifacts: ArtifactRef[] = [];
  /** By lane: ids of the messages that it heard. */
  readonly #heard = new Map<string, readonly string[]>();
  readonly #answered = new Set<string>();
  #wasRefused = false;

  constructor(
    store: StepStore<Writes>,
    { claim, journal }: Pick<TakenRun, "claim" | "journal">,
    signal: AbortSignal,
    env: JournalEnv,
  ) {
    this.signal = signal;
    this.#store = store;
    this.#claim = claim;
    this.#env = env;
    this.#steps = new Map(journal.map((step) => [step.key, step]));
  }

  facts(): JournalFacts {
    const hasBegun = [...this.#steps.values()].some(({ kind }) => kind === "model" || kind === "effect");
    const isUnanswered = [...this.#heard.values()].flat().some((id) => !this.#answered.has(id));
    return { artifacts: this.#artifacts, wasRefused: this.#wasRefused, hasBegun, isUnanswered };
  }

  has(key: string): boolean {
    return this.#steps.get(key)?.state === "done";
  }

  recall<T>(key: string): { readonly result: T } | null {
    const step = this.#steps.get(key);
    if (step?.state === "done" && step.kind === "effect") return { result: step.result as T };
    return this.#replay<T>(key);
  }

  async once<T>(entry: Entry, work: () => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(keyOf(entry));
    if (done) return done.result;
    const beganMs = this.#env.now();
    const written = await work();
    keep(await this.#store.recordStep(this.#claim, this.#toRecord(entry, kindOf(written), written, beganMs)));
    return this.#remember(keyOf(entry), kindOf(written), written);
  }

  async write<T>(entry: Entry, work: (writes: Writes) => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(keyOf(entry));
    if (done) return done.result;
    const beganMs = this.#env.now();
    const made: Written<T>[] = [];
    const kept = await this.#store.recordWrites(this.#claim, async (writes) => {
      const written = await work(writes);
      made[0] = written;
      return this.#toRecord(entry, kindOf(written), written, beganMs);
    });
    keep(kept);
    assert(made[0], "a transaction that was kept has run its work");
    return this.#remember(keyOf(entry), kindOf(made[0]), made[0]);
  }

  async ask<T>(
    call: Omit<ModelCall, "callId">,
    ask: (callId: string, signal: AbortSignal) => Promise<Answer<T>>,
  ): Promise<T> {
    const done = this.#replay<T>(call.key);
    if (done) {
      this.#noteAnswer(call);
      return done.result;
    }
    const reserved: ModelCall = { ...call, callId: this.#env.newId() };
    const beganMs = this.#env.now();
    const room = await this.#store.reserveCall(this.#claim, reserved);
    if (room === "refused") {
      this.#wasRefused = true;
      throw new Interrupted({ kind: "refused", why: "This call could cross the limit of what the run may cost" });
    }
    keep(room);
    const { usage, isKept, did, error, ...answer } = await this.#answerOf(reserved, ask);
    // As another attempt will read it: what is sent on is then the same bytes before and after a crash.
    const result = toStoredJson(answer.result);
    if (!isKept) {
      keep(await this.#store.settleCall(this.#claim, reserved, usage, null, error ?? "no answer"));
      return result;
    }
    const written = { result, summary: did ?? `${call.role}: ${call.model}`, artifacts: [], error: error ?? null };
    const head = { key: call.key, lane: call.lane ?? plannerLane, tool: null, args: null };
    const record = this.#toRecord(head, "model", written, beganMs);
    keep(await this.#store.settleCall(this.#claim, reserved, usage, record, null));
    this.#noteAnswer(call);
    return this.#remember(call.key, "model", written);
  }

  /** An answer that did not come is paid for all the same: only the provider knows what it has counted. */
  async #answerOf<T>(
    call: ModelCall,
    ask: (callId: string, signal: AbortSignal) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    try {
      return await ask(call.callId, this.signal);
    } catch (thrown) {
      await this.#store.settleCall(this.#claim, call, "unknown", null, "the answer was lost");
      throw thrown;
    }
  }

  async effect<T>(
    entry: Entry,
    isRepeatable: boolean,
    act: (idempotencyKey: string) => Promise<T>,
    tell: Telling<T> = () => ({ did: "done", error: null }),
  ): Promise<EffectResult<T>> {
    const head = toHead(entry);
    const { key } = head;
    const known = this.#steps.get(key);
    if (known?.state === "done") return { kind: "done", result: known.result as T };
    if (known?.state === "uncertain") return { kind: "uncertain" };
    // Begun by an attempt that did not live to tell: repeated only where that does no harm.
    if (known?.state === "intended" && !isRepeatable) {
      keep(await this.#store.finishEffect(this.#claim, head, { kind: "uncertain" }));
      return { kind: "uncertain" };
    }
    keep(await this.#store.intendEffect(this.#claim, head));
    this.#steps.set(key, { key, kind: "effect", state: "intended", result: null });
    const result = await act(`${this.#claim.runId}:${this.#claim.iteration}:${key}`);
    keep(await this.#store.finishEffect(this.#claim, head, { kind: "done", result, ...tell(result) }));
    this.#steps.set(key, { key, kind: "effect", state: "done", result });
    return { kind: "done", result };
  }

  async hear(entry: Entry, shown: readonly string[]): Promise<readonly Signal[]> {
    const head = toHead(entry);
    const done = this.#replay<readonly Signal[]>(head.key);
    const heard = done ? done.result : await this.#store.hear(this.#claim, head, shown);
    if (heard === "lost") throw new Interrupted({ kind: "lost" });
    if (heard.length > 0 && !done) this.#remember(head.key, "platform", { result: heard, summary: "", artifacts: [] });
    this.#heard.set(head.lane.id, [...(this.#heard.get(head.lane.id) ?? []), ...heard.map(({ id }) => id)]);
    return heard;
  }

  /** Its prompt contained all that its lane had heard. */
  #noteAnswer({ lane = plannerLane }: Pick<ModelCall, "lane">): void {
    for (const id of this.#heard.get(lane.id) ?? []) this.#answered.add(id);
  }

  #replay<T>(key: string): { readonly result: T } | null {
    const step = this.#steps.get(key);
    if (step?.state !== "done") return null;
    const stored = step.result as Stored;
    this.#artifacts.push(...stored.artifacts);
    return { result: stored.result as T };
  }

  #toRecord<T>(entry: Entry, kind: StepKind, written: Written<T>, beganMs: number): RecordedStep {
    const head = toHead(entry, kind);
    assert(!this.#steps.has(head.key), `entry ${head.key} is asked for once`);
    const { result, summary, artifacts, isBookkeeping, error = null } = written;
    const stored: Stored = { result, artifacts };
    const { lane } = head;
    const said = {
      type: "step_recorded" as const,
      iteration: this.#claim.iteration,
      step: head.key,
      summary,
      ...(lane.id === plannerLane.id ? {} : { lane: lane.id }),
      ...(error === null ? {} : { isFailed: true as const }),
      ...(isBookkeeping ? { isBookkeeping } : {}),
    };
    const tookMs = Math.max(0, Math.round(this.#env.now() - beganMs));
    return { ...head, kind, result: stored, did: summary, error, tookMs, event: said };
  }

  #remember<T>(key: string, kind: StepKind, { result, artifacts }: Written<T>): T {
    const stored: Stored = { result, artifacts };
    this.#steps.set(key, { key, kind, state: "done", result: stored });
    this.#artifacts.push(...artifacts);
    return result;
  }
}

const keyOf = (entry: Entry): string => (typeof entry === "string" ? entry : entry.key);

/** A key alone is the planner's, or the platform's where it is its own bookkeeping. */
function toHead(entry: Entry, kind: StepKind = "tool"): EntryHead {
  if (typeof entry !== "string") return entry;
  return { key: entry, lane: kind === "platform" ? platformLane : plannerLane, tool: null, args: null };
}

const kindOf = ({ isBookkeeping }: Written<unknown>): StepKind => (isBookkeeping ? "platform" : "tool");

function keep(kept: Kept): void {
  if (kept === "lost") throw new Interrupted({ kind: "lost" });
}

// The journal of one iteration of a run, of one answer of a conversation or of one turn of HOMЯ, over a store: what is recorded answers
// from the record, everything else is done and recorded under the lease's fence. See docs/design/loop.md for what a crash at each place leads to.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import { assert } from "../lib/assert.ts";
import { toStoredJson } from "../lib/stored-json.ts";
import {
  type Answer,
  type AskCall,
  type EffectResult,
  type Entry,
  Interrupted,
  type Journal,
  type LastingEffect,
  type Telling,
  type Written,
} from "./ports/engine.ts";
import {
  type EntryHead,
  type EntryKind,
  isOfWork,
  type JournalEntry,
  type JournalStore,
  type Kept,
  type Lease,
  type ModelCall,
  type Owner,
  plannerLane,
  platformLane,
  type RecordedEntry,
  type RunMessage,
  type Silence,
  tellEntry,
} from "./ports/run-store.ts";
import { isEndOfWork } from "./wait-for-all.ts";

/** What the platform itself saw an iteration do. */
export type JournalFacts = {
  readonly artifacts: readonly ArtifactRef[];
  readonly wasRefused: boolean;
  /**
   * A model's answer or an effect is recorded, by this attempt or by one before it. Checks, a judge and the narrative do not count:
   * none of them works on what the user said.
   */
  readonly hasBegun: boolean;
  /** A message was heard, and no answer of a model came after it: its session broke off there. */
  readonly isUnanswered: boolean;
};

/** How an entry's result is kept. */
type Stored = { readonly result: unknown; readonly artifacts: readonly ArtifactRef[] };

/** Ids and the time come from outside, so that a simulation can give them. */
export type JournalEnv = { readonly newId: () => string; readonly now: () => number };

export class StoredJournal<Writes, Held extends Owner = Lease> implements Journal<Writes> {
  readonly signal: AbortSignal;
  readonly #store: JournalStore<Writes, Held>;
  readonly #lease: Held;
  readonly #env: JournalEnv;
  readonly #entries: Map<string, JournalEntry>;
  readonly #artifacts: ArtifactRef[] = [];
  /** By lane: ids of the messages that it heard. */
  readonly #heard = new Map<string, readonly string[]>();
  readonly #answered = new Set<string>();
  #wasRefused = false;

  constructor(
    store: JournalStore<Writes, Held>,
    { lease, journal }: { readonly lease: Held; readonly journal: readonly JournalEntry[] },
    signal: AbortSignal,
    env: JournalEnv,
  ) {
    this.signal = signal;
    this.#store = store;
    this.#lease = lease;
    this.#env = env;
    this.#entries = new Map(journal.map((entry) => [entry.key, entry]));
  }

  facts(): JournalFacts {
    const hasBegun = [...this.#entries.values()].some(isBegun);
    const isUnanswered = [...this.#heard.values()].flat().some((id) => !this.#answered.has(id));
    return { artifacts: this.#artifacts, wasRefused: this.#wasRefused, hasBegun, isUnanswered };
  }

  has(key: string): boolean {
    return this.#entries.get(key)?.state === "done";
  }

  recall<T>(key: string): { readonly result: T } | null {
    const entry = this.#entries.get(key);
    if (entry?.state === "done" && entry.kind === "effect") return { result: entry.result as T };
    return this.#replay<T>(key);
  }

  async once<T>(entry: Entry, work: () => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(keyOf(entry));
    if (done) return done.result;
    const beganMs = this.#env.now();
    const written = await work();
    keep(await this.#store.recordEntry(this.#lease, this.#toRecord(entry, kindOf(written), written, beganMs)));
    return this.#remember(toHead(entry, kindOf(written)), kindOf(written), written);
  }

  async write<T>(entry: Entry, work: (writes: Writes) => Promise<Written<T>>): Promise<T> {
    const done = this.#replay<T>(keyOf(entry));
    if (done) return done.result;
    const beganMs = this.#env.now();
    const made: Written<T>[] = [];
    const kept = await this.#store.recordWrites(this.#lease, async (writes) => {
      const written = await work(writes);
      made[0] = written;
      return this.#toRecord(entry, kindOf(written), written, beganMs);
    });
    keep(kept);
    assert(made[0], "a transaction that was kept has run its work");
    return this.#remember(toHead(entry, kindOf(made[0])), kindOf(made[0]), made[0]);
  }

  async ask<T>(call: Omit<ModelCall, "callId">, ask: AskCall<T>): Promise<T> {
    const done = this.#replay<T>(call.key);
    if (done) {
      this.#noteAnswer(call);
      return done.result;
    }
    const reserved: ModelCall = { ...call, callId: this.#env.newId() };
    const beganMs = this.#env.now();
    const room = await this.#store.reserveCall(this.#lease, reserved);
    if (room === "refused") {
      this.#wasRefused = true;
      throw new Interrupted({ kind: "refused", why: "This call could cross the limit of what the run may cost" });
    }
    if (room === "monthly_quota" || room === "unpriced")
      throw new Interrupted({ kind: "held", fault: { kind: "monthly_quota", why: quotaWords[room] } });
    keep(room);
    const { usage, isKept, did, error, ...answer } = await this.#answerOf(reserved, ask);
    // As another attempt will read it: what is sent on is then the same bytes before and after a crash.
    const result = toStoredJson(answer.result);
    if (!isKept) {
      keep(await this.#store.settleCall(this.#lease, reserved, usage, null, error ?? "no answer"));
      return result;
    }
    const written = { result, summary: did ?? `${call.role}: ${call.model}`, artifacts: [], error: error ?? null };
    const head = { key: call.key, lane: call.lane ?? plannerLane, tool: null, args: null };
    const record = this.#toRecord(head, "model", written, beganMs);
    keep(await this.#store.settleCall(this.#lease, reserved, usage, record, null));
    this.#noteAnswer(call);
    return this.#remember(head, "model", written);
  }

  /** An answer that did not come is paid for all the same: only the provider knows what it has counted. */
  async #answerOf<T>(call: ModelCall, ask: AskCall<T>): Promise<Answer<T>> {
    let noted: Promise<unknown> = Promise.resolve();
    const tell = (silence: Silence | null): void => {
      // What is told is only for people: a store that cannot be reached now says so when the call is settled.
      noted = noted.then(() => this.#store.noteSilence(this.#lease, call, silence)).catch(() => {});
    };
    try {
      const answer = await ask(call.callId, this.signal, tell);
      await noted;
      return answer;
    } catch (thrown) {
      await noted;
      await this.#store.settleCall(this.#lease, call, "unknown", null);
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
    const known = this.#entries.get(key);
    const ended = endOf<T>(known);
    if (ended !== null) return ended;
    // Begun by an attempt that did not live to tell: repeated only where that does no harm.
    if (known?.state === "intended" && !isRepeatable) {
      return this.#finish(head, { kind: "uncertain" }, tell);
    }
    keep(await this.#store.intendEffect(this.#lease, head));
    this.#note(head, "effect", "intended", null);
    const result = await act(`${nameOf(this.#lease)}:${key}`);
    return this.#finish(head, { kind: "done", result }, tell);
  }

  async startOrAdopt<Handle, T>(
    entry: Entry,
    effect: LastingEffect<Handle, T>,
    tell: Telling<T> = () => ({ did: "done", error: null }),
  ): Promise<EffectResult<T>> {
    const head = toHead(entry);
    const known = this.#entries.get(head.key);
    const ended = endOf<T>(known);
    if (ended !== null) return ended;
    const handle = await this.#open(head, known?.state ?? null, effect, known?.handle);
    if (handle === null) return this.#finish(head, { kind: "uncertain" }, tell);
    try {
      return await this.#finish(head, await effect.adopt(handle, this.signal), tell);
    } catch (thrown) {
      if (isEndOfWork(thrown, this.signal)) await this.#letGo(effect, handle);
      else await effect.stop(handle);
      throw thrown;
    }
  }

  /** What runs, started now or before; null: an attempt before this one may have started it, and it cannot be found. */
  async #open<Handle, T>(
    head: EntryHead,
    state: JournalEntry["state"] | null,
    effect: LastingEffect<Handle, T>,
    kept: unknown,
  ): Promise<Handle | null> {
    if (kept != null) return kept as Handle;
    if (state === "intended" && effect.find === undefined) return null;
    const name = `${nameOf(this.#lease)}:${head.key}`;
    const found = state === "intended" ? await effect.find?.(name) : null;
    keep(await this.#store.intendEffect(this.#lease, head));
    const handle = found ?? (await effect.start(name));
    this.#note(head, "effect", "intended", null, handle);
    const room = await this.#store.keepHandle(this.#lease, head, handle);
    if (room === "lost") await this.#letGo(effect, handle);
    keep(room);
    return handle;
  }

  /** Another attempt adopts it, unless there will be none: then it is ended. */
  async #letGo<Handle, T>(effect: LastingEffect<Handle, T>, handle: Handle): Promise<void> {
    if (!(await this.#store.isAtWork(this.#lease))) await effect.stop(handle);
  }

  async #finish<T>(head: EntryHead, ended: EffectResult<T>, tell: Telling<T>): Promise<EffectResult<T>> {
    const told = ended.kind === "done" ? { ...ended, ...tell(ended.result) } : ended;
    keep(await this.#store.finishEffect(this.#lease, head, told));
    this.#note(head, "effect", ended.kind, ended.kind === "done" ? ended.result : null);
    return ended;
  }

  async hear(entry: Entry, shown: readonly string[]): Promise<readonly RunMessage[]> {
    const head = toHead(entry);
    const done = this.#replay<readonly RunMessage[]>(head.key);
    const heard = done ? done.result : await this.#store.hear(this.#lease, head, shown);
    if (heard === "lost") throw new Interrupted({ kind: "lost" });
    if (heard.length > 0 && !done) this.#remember(head, "platform", { result: heard, summary: "", artifacts: [] });
    this.#heard.set(head.lane.id, [...(this.#heard.get(head.lane.id) ?? []), ...heard.map(({ id }) => id)]);
    return heard;
  }

  /** Its prompt contained all that its lane had heard. */
  #noteAnswer({ lane = plannerLane }: Pick<ModelCall, "lane">): void {
    for (const id of this.#heard.get(lane.id) ?? []) this.#answered.add(id);
  }

  #replay<T>(key: string): { readonly result: T } | null {
    const entry = this.#entries.get(key);
    if (entry?.state !== "done") return null;
    const stored = entry.result as Stored;
    this.#artifacts.push(...stored.artifacts);
    return { result: stored.result as T };
  }

  #toRecord<T>(entry: Entry, kind: EntryKind, written: Written<T>, beganMs: number): RecordedEntry {
    const head = toHead(entry, kind);
    assert(!this.#entries.has(head.key), `entry ${head.key} is asked for once`);
    const { result, summary, artifacts, isBookkeeping, error = null } = written;
    const stored: Stored = { result, artifacts };
    const event = "runId" in this.#lease ? tellEntry(this.#lease.iteration, head, summary, error) : null;
    const told = event && isBookkeeping ? { ...event, is_bookkeeping: isBookkeeping } : event;
    const tookMs = Math.max(0, Math.round(this.#env.now() - beganMs));
    return { ...head, kind, result: stored, did: summary, error, tookMs, event: told };
  }

  #note(head: EntryHead, kind: EntryKind, state: JournalEntry["state"], result: unknown, handle: unknown = null): void {
    this.#entries.set(head.key, { key: head.key, lane: head.lane.id, kind, state, result, handle });
  }

  #remember<T>(head: EntryHead, kind: EntryKind, { result, artifacts }: Written<T>): T {
    const stored: Stored = { result, artifacts };
    this.#note(head, kind, "done", stored);
    this.#artifacts.push(...artifacts);
    return result;
  }
}

/** How an effect ended, as it is recorded; null: it has not. */
function endOf<T>(known: JournalEntry | undefined): EffectResult<T> | null {
  if (known?.state === "done") return { kind: "done", result: known.result as T };
  return known?.state === "uncertain" ? { kind: "uncertain" } : null;
}

/** For keys that the outside world tells two effects apart by. */
function nameOf(lease: Owner): string {
  if ("runId" in lease) return `${lease.runId}:${lease.iteration}`;
  return "chatId" in lease ? `chat:${lease.chatId}:${lease.seq}` : `homr:${lease.outcomeId}:${lease.turn}`;
}

const isBegun = ({ kind, lane }: JournalEntry): boolean => (kind === "model" || kind === "effect") && isOfWork(lane);

const keyOf = (entry: Entry): string => (typeof entry === "string" ? entry : entry.key);

/** A key alone is the planner's, or the platform's where it is its own bookkeeping. */
function toHead(entry: Entry, kind: EntryKind = "tool"): EntryHead {
  if (typeof entry !== "string") return entry;
  return { key: entry, lane: kind === "platform" ? platformLane : plannerLane, tool: null, args: null };
}

const kindOf = ({ isBookkeeping }: Written<unknown>): EntryKind => (isBookkeeping ? "platform" : "tool");

function keep(kept: Kept): void {
  if (kept === "lost") throw new Interrupted({ kind: "lost" });
}

const quotaWords = {
  monthly_quota: "Your monthly budget is used up: resume next month, or ask an admin to raise it",
  unpriced: "Your monthly budget cannot be kept with a model whose price is not known: choose another, or ask an admin",
} as const;

// What an engine is to the loop: it does the work of one iteration through a journal, and says what came of it. It
// knows nothing of queues, retries or stopping.

import type { ArtifactRef } from "../../domain/plan/plan.ts";
import type { Proof } from "../../domain/run/checks/check.ts";
import type { ContentState } from "../../domain/run/gate/progress.ts";
import type { ProviderFault, WorkedIteration } from "../../domain/run/iteration-result.ts";
import type { EngineName, RunningRun } from "../../domain/run/run.ts";
import { unreachable } from "../../lib/assert.ts";
import type { EntryHead, ModelCall, RunMessage, Silence, Usage } from "./run-store.ts";

export type IterationInput = {
  readonly run: RunningRun;
  readonly attempt: number;
  /** What the user said since the last iteration. */
  readonly messages: readonly RunMessage[];
  /** Where on this machine the run's files are; null for an engine that works in no folder. */
  readonly workFolder: string | null;
};

/** What an engine reports. What was written, and what the checks show, the platform knows itself. */
export type Worked = Omit<
  WorkedIteration,
  "proofs" | "artifacts" | "progress" | "wasRefused" | "wasHeard" | "narrative"
>;

export type EngineResult = Worked | Interruption;

/** What ended an iteration, its checks or its narrative in the middle. It is not the engine's doing, and the loop answers it. */
export type Interruption =
  /** A provider cannot be asked: time, or the user, has to mend that. */
  | { readonly kind: "held"; readonly fault: ProviderFault }
  /** A hard limit leaves no room for the next call of a model. */
  | { readonly kind: "refused"; readonly why: string }
  /** The lease belongs to another worker: nothing may be written. */
  | { readonly kind: "lost" }
  /** The signal of the journal says so: cancel, pause, or this process stopping. */
  | { readonly kind: "aborted" };

/** Unwinds the inside of an engine. It never leaves `iterate`, `prove` and `narrate`: they return the interruption. */
export class Interrupted extends Error {
  readonly by: Interruption;
  constructor(by: Interruption) {
    super(describeInterruption(by));
    this.name = "Interrupted";
    this.by = by;
  }
}

function describeInterruption(by: Interruption): string {
  switch (by.kind) {
    case "held":
      return by.fault.why;
    case "refused":
      return by.why;
    case "lost":
      return "the lease belongs to another worker now";
    case "aborted":
      return "the work was aborted";
    default:
      return unreachable(by);
  }
}

/** Does the inside of an engine's method: an interruption comes back as data, a bug is thrown on. */
export async function untilInterrupted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | Interruption> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Interrupted) return thrown.by;
    // Whatever waited for something fails in its own way once it is aborted.
    if (signal.aborted) return { kind: "aborted" };
    throw thrown;
  }
}

/** What does the work of a run: its engine, what runs its checks, and the folder it works in. */
export type InstalledEngine<Writes> = {
  readonly engine: Engine<Writes>;
  readonly prover: Prover<Writes>;
  readonly workFolder: string | null;
};

/** Answers with why, and what to do, where the engine of this run is not installed here. */
export type EngineFor<Writes> = (run: RunningRun) => InstalledEngine<Writes> | { readonly missing: string };

/** By engine: why runs cannot have it here, and what to do about it; null: it is installed. */
export type EngineProblems = Readonly<Record<EngineName, string | null>>;

export type Engine<Writes> = {
  readonly iterate: (input: IterationInput, journal: Journal<Writes>) => Promise<EngineResult>;
  /** Tells in three to five sentences what came of a run that is about to end. */
  readonly narrate?: (ending: Ending, journal: Journal<Writes>) => Promise<Narrated>;
};

/** Null: a narrative cannot be had, and the report is made of the facts. */
export type Narrated = { readonly kind: "narrated"; readonly text: string | null } | Interruption;

/** How a run is going to end, unless the user says something meanwhile. */
export type Ending = {
  readonly run: RunningRun;
  readonly status: "completed" | "stopped";
  readonly why: string;
  readonly proofs: readonly Proof[];
  readonly summary: string;
};

/** What the checks showed, or what kept them from being run to their end. */
export type Proven = { readonly kind: "proven"; readonly proofs: readonly Proof[] } | Interruption;

/** Runs the checks of a run against what is really there. */
export type Prover<Writes> = {
  readonly prove: (run: RunningRun, result: Worked, journal: Journal<Writes>) => Promise<Proven>;
  /** For progress: what became of the things that an iteration wrote. Without it, every write is a new state. */
  readonly readStates?: (run: RunningRun, artifacts: readonly ArtifactRef[]) => Promise<readonly ContentState[]>;
};

export type Written<T> = {
  readonly result: T;
  /** What was done, in words, for the timeline. */
  readonly summary: string;
  /** Why it failed; left out where it did not. */
  readonly error?: string | null;
  /** What was made or changed. */
  readonly artifacts: readonly ArtifactRef[];
  /** The platform's own bookkeeping: it is no call of a tool, and nothing that the engine has done. */
  readonly isBookkeeping?: true;
};

export type Answer<T> = {
  readonly result: T;
  /** `unknown`: what the provider has counted is not known, so the reservation is paid. */
  readonly usage: Usage | "unknown";
  /** False: it cost something but is no answer; the journal does not remember it, and asking again asks again. */
  readonly isKept: boolean;
  /** What the model answered, in words, for the timeline; left out: that it answered. */
  readonly did?: string;
  /** Why it is no answer. */
  readonly error?: string | null;
};

/** One try. `tell` notes down that nothing is heard of it, or that something is again (null). */
export type AskCall<T> = (
  callId: string,
  signal: AbortSignal,
  tell: (silence: Silence | null) => void,
) => Promise<Answer<T>>;

export type EffectResult<T> = { readonly kind: "done"; readonly result: T } | { readonly kind: "uncertain" };

/** Something in the outside world that goes on without us, such as a process. Its handle is JSON. */
export type LastingEffect<Handle, T> = {
  /** Starts it under this key and answers as soon as it runs. Where something runs under the key already, that is the answer. */
  readonly start: (key: string) => Promise<Handle>;
  /** What was started under this key, even if it has ended since; null: nothing was. Left out where that cannot be known. */
  readonly find?: (key: string) => Promise<Handle | null>;
  /** Waits for its end; rejects once the signal is aborted, and what runs goes on. `uncertain`: gone without a result. */
  readonly adopt: (handle: Handle, signal: AbortSignal) => Promise<EffectResult<T>>;
  /** Ends it. */
  readonly stop: (handle: Handle) => Promise<void>;
};

/** What an entry tells of itself; a key alone is an entry of the planner's own. */
export type Entry = string | EntryHead;

/** What came of something in the outside world, in words. */
export type Telling<T> = (result: T) => { readonly did: string; readonly error: string | null };

/**
 * The journal of one iteration. Keys are deterministic (`llm:0`, `tool:0.2`, `exec:1/llm:0`, `judge:d1`, …): an entry that is
 * there answers with its stored result and is never done again, whichever attempt asks. Results are JSON.
 * Every method throws `Interrupted` (lost) once the run belongs to another worker; `ask` also where a hard limit refuses the call.
 */
export type Journal<Writes> = {
  /** Aborted when the lease is gone: cancel, pause, another worker, or this process stopping. */
  readonly signal: AbortSignal;
  /** An attempt before this one, or this one, has done it. */
  readonly has: (key: string) => boolean;
  /** What that came to; null where it was not done. */
  readonly recall: <T>(key: string) => { readonly result: T } | null;
  /** Something worked out that writes nothing of the user's. */
  readonly once: <T>(entry: Entry, work: () => Promise<Written<T>>) => Promise<T>;
  /** Writes to our database in the user's name, in one transaction with the journal's line: exactly once. */
  readonly write: <T>(entry: Entry, work: (writes: Writes) => Promise<Written<T>>) => Promise<T>;
  /** A call of a model: paid for once, and where the answer got lost, at its reservation. */
  readonly ask: <T>(call: Omit<ModelCall, "callId">, ask: AskCall<T>) => Promise<T>;
  /** Something in the outside world. One that may be repeated gets the same idempotency key every time. */
  readonly effect: <T>(
    entry: Entry,
    isRepeatable: boolean,
    act: (idempotencyKey: string) => Promise<T>,
    tell?: Telling<T>,
  ) => Promise<EffectResult<T>>;
  /**
   * Something in the outside world that outlives this process: started once, and adopted by every attempt after that. A worker
   * that stops lets go of it; it is ended only where its owner is not at work any more (canceled, paused).
   */
  readonly startOrAdopt: <Handle, T>(
    entry: Entry,
    effect: LastingEffect<Handle, T>,
    tell?: Telling<T>,
  ) => Promise<EffectResult<T>>;
  /** What the user has said meanwhile and this lane has not been `shown`; the same for every attempt. */
  readonly hear: (entry: Entry, shown: readonly string[]) => Promise<readonly RunMessage[]>;
};

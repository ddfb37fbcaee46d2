// What an owner's outcomes learn from each other: which discoveries are worth keeping beyond their outcome, which of the kept ones a new
// outcome is offered, and how their weight changes with whether they helped.

import type { Observation } from "../observe/observation.ts";
import type { HomrWorld } from "../outcome-state.ts";
import type { Discovery, OutcomeContext } from "./context.ts";

export const memoryTypes = ["fact", "pattern", "preference", "decision", "lesson", "context"] as const;
export const importances = ["low", "medium", "high", "critical"] as const;

export type LearntMemory = {
  readonly type: (typeof memoryTypes)[number];
  readonly importance: (typeof importances)[number];
  readonly content: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly isTainted: boolean;
};

/** Anything shorter cannot be understood outside of its outcome. */
const contentMin = 20;
const contentMax = 2_000;
const confidenceAtFirst = 0.8;
/** Words of strangers have to prove themselves first. */
const confidenceOfTainted = 0.5;

const kinds: Readonly<Record<Discovery["type"], Pick<LearntMemory, "type" | "importance">>> = {
  blocker: { type: "lesson", importance: "critical" },
  constraint: { type: "fact", importance: "high" },
  dependency: { type: "fact", importance: "medium" },
  decision: { type: "decision", importance: "high" },
  pattern: { type: "pattern", importance: "medium" },
};

/** Null: it is too short to be understood elsewhere, or comes from the memory itself. */
export function learnFrom({ type, content, isTainted, memoryId, sourceTaskId }: Discovery): LearntMemory | null {
  const said = content.trim();
  if (memoryId !== null || sourceTaskId === null || said.length < contentMin) return null;
  const confidence = isTainted ? confidenceOfTainted : confidenceAtFirst;
  return { ...kinds[type], content: said.slice(0, contentMax).toWellFormed(), confidence, isTainted };
}

/** Only a model that saw good work is believed beyond the outcome. */
export const isWorthKeeping = ({ by, hasSucceeded, onTrack, quality }: Observation): boolean =>
  by === "model" && hasSucceeded && onTrack && quality !== "off_rails";

/** Null: it says nothing either way. */
export function hasHelped({ hasSucceeded, onTrack, quality }: Observation): boolean | null {
  if (hasSucceeded && onTrack && quality === "good") return true;
  return !hasSucceeded || quality === "off_rails" ? false : null;
}

type Weighed = { readonly confidence: number; readonly timesUsed: number; readonly timesHelped: number };

/** Trust is lost faster than it is won. */
const steps = { helped: 0.05, failed: -0.1 } as const;

export const weighMemory = ({ confidence, timesUsed, timesHelped }: Weighed, helped: boolean): Weighed => ({
  confidence: Math.min(1, Math.max(0, confidence + (helped ? steps.helped : steps.failed))),
  timesUsed: timesUsed + 1,
  timesHelped: timesHelped + (helped ? 1 : 0),
});

export type OfferedMemory = LearntMemory & {
  readonly id: string;
  /** How well it fits the outcome, 0 to 1, as the search says. */
  readonly match: number;
};

const offeredMax = 5;
/** The confidence below which a memory has failed more often than it helped, and is no longer offered. */
export const offeredFrom = 0.3;
const weights = { match: 0.5, importance: 0.3, confidence: 0.2 } as const;

/** The best few that fit, as discoveries for every task. Those that are there already are not offered twice. */
export function offerMemories(
  context: OutcomeContext,
  memories: readonly OfferedMemory[],
  { nowMs, newId }: HomrWorld,
): OutcomeContext {
  const known = new Set(context.discoveries.map(({ memoryId }) => memoryId));
  const fitting = memories.filter(
    ({ id, match, confidence }) => !known.has(id) && match > 0 && confidence >= offeredFrom,
  );
  const best = fitting.toSorted((a, b) => score(b) - score(a) || (a.id < b.id ? -1 : 1)).slice(0, offeredMax);
  const offered = best.map(
    ({ id, type, content, isTainted }): Discovery => ({
      id: newId(),
      type: discoveryTypes[type],
      content,
      sourceTaskId: null,
      atMs: nowMs,
      isTainted,
      audience: "every",
      resolvedAtMs: null,
      memoryId: id,
    }),
  );
  return { ...context, discoveries: [...context.discoveries, ...offered] };
}

const score = ({ match, importance, confidence }: OfferedMemory): number =>
  weights.match * match +
  (weights.importance * importances.indexOf(importance)) / (importances.length - 1) +
  weights.confidence * confidence;

/** A lesson about a blocker elsewhere blocks nothing here. */
const discoveryTypes: Readonly<Record<LearntMemory["type"], Discovery["type"]>> = {
  fact: "constraint",
  pattern: "pattern",
  preference: "decision",
  decision: "decision",
  lesson: "constraint",
  context: "pattern",
};

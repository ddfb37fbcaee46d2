// Whether the work goes wrong again and again: failures in a row, alignment that gets worse, or the same kind of drift in several
// tasks. `history` is what was observed before; this observation counts once, whether or not it stands in the history already.

import { clipLine } from "../../planner/clip.ts";
import type { HomrConfig } from "../homr-config.ts";
import type { FailurePatternType } from "../questions/escalation.ts";
import type { TaskId } from "../tasks/task-id.ts";
import type { DriftItem, Observation, ObservationSummary } from "./observation.ts";
import { summarizeObservation } from "./read-observation.ts";

type FailurePatternConfig = HomrConfig["failurePatterns"];

export type FailurePattern = {
  readonly type: FailurePatternType;
  /** What was found, in a sentence. */
  readonly why: string;
  readonly evidence: readonly string[];
  /** The tasks in which it was found. */
  readonly taskIds: readonly TaskId[];
};

/** So many in a row, each worse than the one before: two points make no trend, nor does one bad attempt after good ones. */
const trendMin = 3;
/** From the mean of the earlier half to that of the later one; less is noise of a model that gives scores. */
const dropMin = 15;
/** One drift is an accident, two may be one. */
const repeatedDriftMin = 3;

/** The first that is found, the gravest first. */
export function findPatterns(
  history: readonly ObservationSummary[],
  observation: Observation,
  config: FailurePatternConfig,
): FailurePattern | null {
  const before = history.filter(({ id }) => id !== observation.id);
  const all = [...before, summarizeObservation(observation)];
  return (
    findConsecutiveFailures(all, config) ??
    findRepeatedDrift(all.slice(-config.lookbackCount), observation) ??
    findDecliningQuality(all.slice(-config.lookbackCount), config)
  );
}

function findConsecutiveFailures(
  all: readonly ObservationSummary[],
  config: FailurePatternConfig,
): FailurePattern | null {
  const { consecutiveFailureThreshold: threshold, lookbackCount } = config;
  // A threshold above what is looked back at would never be reached.
  const looked = all.slice(-Math.max(threshold, lookbackCount));
  const lastHealthy = looked.findLastIndex((each) => !isFailing(each, config));
  const failing = looked.slice(lastHealthy + 1);
  if (failing.length < threshold) return null;
  return patternOf("consecutive_failures", `The last ${failing.length} attempts failed or went off course`, failing);
}

const isFailing = (seen: ObservationSummary, { healthyAlignmentThreshold }: FailurePatternConfig): boolean =>
  !seen.hasSucceeded || seen.quality === "off_rails" || seen.alignmentScore < healthyAlignmentThreshold;

function findRepeatedDrift(looked: readonly ObservationSummary[], { drift }: Observation): FailurePattern | null {
  for (const type of new Set(drift.map((each) => each.type))) {
    const drifted = looked.filter(({ driftTypes }) => driftTypes.includes(type));
    const tasks = new Set(drifted.map(({ taskId }) => taskId));
    if (drifted.length >= repeatedDriftMin && tasks.size > 1)
      return patternOf("repeated_drift", `${drifted.length} recent attempts ${driftWords[type]}`, drifted);
  }
  return null;
}

export const driftWords: Readonly<Record<DriftItem["type"], string>> = {
  scope_creep: "did more than was asked for",
  wrong_direction: "went in a wrong direction",
  missed_requirement: "missed a requirement",
  contradicts_design: "contradicted the approach",
};

/** Scores fall, and the last ones are below the healthy line: good work may vary. */
function findDecliningQuality(
  looked: readonly ObservationSummary[],
  { healthyAlignmentThreshold }: FailurePatternConfig,
): FailurePattern | null {
  const scores = looked.map(({ alignmentScore }) => alignmentScore);
  const last = scores.at(-1);
  if (last === undefined || scores.length < trendMin || last >= healthyAlignmentThreshold) return null;
  const half = Math.floor(scores.length / 2);
  const isLowest = scores.slice(0, -1).every((score) => score > last);
  const isFalling = scores.slice(-trendMin).every((score, n, recent) => n === 0 || score < (recent[n - 1] ?? 0));
  if (!isLowest || !isFalling || mean(scores.slice(0, half)) - mean(scores.slice(-half)) < dropMin) return null;
  return patternOf("declining_quality", `Alignment fell from ${scores[0]} to ${last} of 100`, looked);
}

const mean = (scores: readonly number[]): number => scores.reduce((sum, score) => sum + score, 0) / scores.length;

const patternOf = (type: FailurePatternType, why: string, seen: readonly ObservationSummary[]): FailurePattern => ({
  type,
  why,
  evidence: seen.map(({ summary, alignmentScore }) => `${alignmentScore}/100: ${clipLine(summary, 300)}`).slice(-10),
  taskIds: [...new Set(seen.map(({ taskId }) => taskId))],
});

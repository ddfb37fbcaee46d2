// What a model saw in the work of a task, as far as it can be used: its lists are bounded, and only tasks of this outcome are named.
// What is left out is told, nothing is guessed. Where no model could be asked, the platform says what it knows itself.

import { z } from "zod";
import { clipLine } from "../../planner/clip.ts";
import { fitAnswer } from "../fit-answer.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { isOpenTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import {
  ambiguitySignal,
  driftItem,
  everyTask,
  foundDecision,
  foundDiscovery,
  type Observation,
  type ObservationResult,
  type ObservationSummary,
  observationResult,
  qualityIssue,
  type SteeringWish,
  steeringWish,
} from "./observation.ts";

export type ReadObservation =
  | { readonly isRead: true; readonly result: ObservationResult; readonly leftOut: readonly string[] }
  | { readonly isRead: false; readonly why: string };

/** Of each list; one output does not teach more. */
const listMax = 20;
/** Lines that say what was left out; the others are counted. */
const leftOutMax = 20;

const frame = z.object({
  onTrack: z.boolean(),
  alignmentScore: z.number().transform((score) => Math.round(Math.min(100, Math.max(0, score)))),
  quality: observationResult.shape.quality,
  summary: observationResult.shape.summary,
});

export function readObservation(answer: unknown, state: OutcomeState): ReadObservation {
  const whole = fitAnswer(frame, answer);
  if (!whole.isRead) return whole;
  const given = answer as Readonly<Record<string, unknown>>;
  const ambiguity = readAmbiguity(given.ambiguity);
  if (!ambiguity.isRead) return ambiguity;
  const leftOut: string[] = [...whole.cuts, ...ambiguity.cuts];
  const list = <T>(name: string, item: z.ZodType<T>): readonly T[] => readList(name, given[name], item, leftOut);
  const result: ObservationResult = {
    ...whole.value,
    drift: list("drift", driftItem),
    issues: list("issues", qualityIssue),
    discoveries: list("discoveries", foundDiscovery),
    decisions: list("decisions", foundDecision),
    ambiguity: ambiguity.value,
    wishes: list("wishes", steeringWish),
  };
  const known = dropUnknownTasks(result, state, leftOut);
  const more = leftOut.length - leftOutMax;
  return {
    isRead: true,
    result: known,
    leftOut: more > 0 ? [...leftOut.slice(0, leftOutMax), `and ${more} more`] : leftOut,
  };
}

/** For asking a model until its answer can be used. */
export const observationAnswer = (state: OutcomeState) =>
  z.unknown().transform((answer, context) => {
    const read = readObservation(answer, state);
    if (read.isRead) return read;
    context.addIssue({ code: "custom", message: read.why });
    return z.NEVER;
  });

/** The seed writes "none" as `detected: false`. */
function readAmbiguity(given: unknown) {
  const isNone =
    given === undefined ||
    given === null ||
    given === false ||
    (typeof given === "object" && "detected" in given && given.detected === false);
  return fitAnswer(ambiguitySignal.nullable(), isNone ? null : withNumbers(given));
}

function readList<T>(name: string, given: unknown, item: z.ZodType<T>, leftOut: string[]): readonly T[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    leftOut.push(`${name} is not a list`);
    return [];
  }
  if (given.length > listMax) leftOut.push(`${name} has ${given.length} items; the first ${listMax} are read`);
  return given.slice(0, listMax).flatMap((each: unknown, n) => {
    const read = fitAnswer(item, withNumbers(each));
    leftOut.push(...(read.isRead ? read.cuts : [read.why]).map((said) => `${name}[${n}]: ${clipLine(said, 300)}`));
    return read.isRead ? [read.value] : [];
  });
}

const numberKeys = ["task", "before", "dependsOn", "relevantTasks", "affectedTasks"] as const;

/** People and models write #7 as well as 7. */
function withNumbers(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const given = item as Readonly<Record<string, unknown>>;
  const named = numberKeys.filter((key) => key in given).map((key) => [key, toNumbers(given[key])]);
  return { ...given, ...Object.fromEntries(named) };
}

function toNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNumbers);
  return typeof value === "string" && /^#?\d{1,9}$/.test(value.trim()) ? Number(value.trim().replace("#", "")) : value;
}

function dropUnknownTasks(result: ObservationResult, { tasks }: OutcomeState, leftOut: string[]): ObservationResult {
  const numbers = new Set(tasks.map(({ number }) => number));
  const isKnown = (named: number | typeof everyTask, where: string): boolean => {
    if (named === everyTask || numbers.has(named)) return true;
    leftOut.push(`${where} names #${named}, which is no open task of this outcome`);
    return false;
  };
  const { ambiguity } = result;
  return {
    ...result,
    discoveries: result.discoveries.map((found, n) => ({
      ...found,
      relevantTasks: found.relevantTasks.filter((named) => isKnown(named, `discoveries[${n}]`)),
    })),
    ambiguity: ambiguity && {
      ...ambiguity,
      affectedTasks: ambiguity.affectedTasks.filter((named) => isKnown(named, "ambiguity")),
    },
    wishes: result.wishes.filter((wish, n) => namedIn(wish).every((named) => isKnown(named, `wishes[${n}]`))),
  };
}

function namedIn(wish: SteeringWish): readonly number[] {
  if (wish.type === "suggest_design_update") return [];
  if (wish.type === "create_task") return wish.before === undefined ? [] : [wish.before];
  return wish.type === "add_dependency" ? [wish.task, wish.dependsOn] : [wish.task];
}

export type EndedAttempt = { readonly taskId: TaskId; readonly hasSucceeded: boolean; readonly why: string };

/** A run that completed has passed its checks; how good its work is, rules cannot tell. */
const scoreOfSuccess = 70;
const scoreOfFailure = 40;

/** `reason`: why no model has looked at it. */
export function ruleObservation({ hasSucceeded, why }: EndedAttempt, reason: string): ObservationResult {
  const ended = hasSucceeded ? "The attempt passed its checks" : "The attempt failed";
  return {
    onTrack: hasSucceeded,
    alignmentScore: hasSucceeded ? scoreOfSuccess : scoreOfFailure,
    drift: [],
    quality: hasSucceeded ? "good" : "needs_work",
    issues: [],
    discoveries: [],
    decisions: [],
    ambiguity: null,
    wishes: [],
    summary: clipLine(`${ended}: ${why}. No model observed it: ${reason}`, 1_900),
  };
}

/** Whether this end of an attempt is observed at all. */
export function shouldObserve({ outcome, tasks }: OutcomeState, ended: Omit<EndedAttempt, "why">): boolean {
  if (!outcome.config.enabled) return false;
  if (outcome.config.observeAfterEveryTask || !ended.hasSucceeded) return true;
  return !tasks.some((task) => task.id !== ended.taskId && isOpenTask(task));
}

/** What is remembered of an observation. */
export function summarizeObservation(observation: Observation): ObservationSummary {
  const { id, taskId, attempt, hasSucceeded, onTrack, alignmentScore, quality, summary, atMs, drift } = observation;
  const types = [...new Set(drift.map(({ type }) => type))];
  return { id, taskId, attempt, hasSucceeded, onTrack, alignmentScore, quality, summary, atMs, driftTypes: types };
}

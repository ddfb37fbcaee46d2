// When a person is asked, and what. A failure pattern comes before a doubt, never are both asked at once. What an option does is
// the platform's: options that a model wrote only say how to go on.

import { z } from "zod";
import { clip, clipLine } from "../../planner/clip.ts";
import type { Cause } from "../context/context.ts";
import { type FailurePattern, findPatterns } from "../observe/failure-patterns.ts";
import {
  type AmbiguitySignal,
  everyTask,
  type Observation,
  type QuestionOption,
  questionOption,
} from "../observe/observation.ts";
import type { HomrWorld, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { followedBy } from "../state-changes.ts";
import { settlePauses } from "../tasks/pausing.ts";
import { canBeSplit } from "../tasks/split-parts.ts";
import { isOpenTask, type OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { weighAmbiguity } from "./ambiguity-signals.ts";
import {
  type EscalationOption,
  type EscalationTrigger,
  type FailurePatternType,
  isOpenEscalation,
} from "./escalation.ts";
import { type NewEscalation, openEscalation } from "./open-escalation.ts";
import { usualQuestion } from "./usual-questions.ts";

/** A doubt, or a failure pattern. What the platform asks by itself is in `platform-questions.ts`. */
export type EscalationNeed = {
  readonly trigger: AmbiguitySignal["type"] | FailurePatternType;
  readonly triggerTaskId: TaskId | null;
  readonly observationId: string | null;
  readonly cause: Cause;
  /** What is unclear or went wrong, in a sentence without its full stop. */
  readonly why: string;
  readonly evidence: readonly string[];
  /** Null: the outcome as a whole. Every open task is paused, and none begins. */
  readonly affected: readonly TaskId[] | null;
  /** As the observer would ask; empty: the usual question of the trigger. */
  readonly question: string;
  readonly options: readonly QuestionOption[];
  readonly isTainted: boolean;
};

/** What a model is asked to write where a doubt was found. */
export const askedQuestion = z.object({
  question: z.string().trim().min(1).max(1_000),
  options: z.array(questionOption).min(2).max(4),
  /** The id of the option that it would take. */
  recommended: z.string().max(60).nullish(),
});
export type AskedQuestion = Readonly<z.infer<typeof askedQuestion>>;

/** `state.history` is what was observed before. Null: no question is needed, or it is open already. */
export function needsEscalation(state: OutcomeState, observation: Observation, output: string): EscalationNeed | null {
  const { autoEscalate, failurePatterns, escalationThreshold } = state.outcome.config;
  if (!autoEscalate) return null;
  const pattern = findPatterns(historySinceAnswers(state), observation, failurePatterns);
  if (pattern !== null && !isAsked(state, pattern.type, null)) return patternNeed(pattern, observation);
  const doubt = weighAmbiguity(observation.ambiguity, output, escalationThreshold);
  if (doubt === null || isAsked(state, doubt.type, observation.taskId)) return null;
  return doubtNeed(state, doubt, observation);
}

/** What people have decided about a pattern is behind: the next question about it needs new failures. */
function historySinceAnswers({ history, context }: OutcomeState): OutcomeState["history"] {
  const answered = context.decisions.filter(
    ({ madeBy, affectedAreas }) => madeBy !== "worker" && affectedAreas.includes(patternArea),
  );
  const sinceMs = Math.max(0, ...answered.map(({ atMs }) => atMs));
  return history.filter(({ atMs }) => atMs > sinceMs);
}

/** Marks decisions about failure patterns. */
export const patternArea = "failure patterns";

const isAsked = ({ escalations }: OutcomeState, trigger: EscalationTrigger, taskId: TaskId | null): boolean =>
  escalations.some((each) => isOpenEscalation(each) && each.trigger === trigger && each.triggerTaskId === taskId);

const patternNeed = ({ type, why, evidence }: FailurePattern, observation: Observation): EscalationNeed => ({
  trigger: type,
  triggerTaskId: null,
  observationId: observation.id,
  cause: { kind: "pattern", observationId: observation.id },
  why,
  evidence,
  affected: null,
  question: "",
  options: [],
  isTainted: observation.isTainted,
});

function doubtNeed(state: OutcomeState, doubt: AmbiguitySignal, observation: Observation): EscalationNeed {
  return {
    trigger: doubt.type,
    triggerTaskId: observation.taskId,
    observationId: observation.id,
    cause: { kind: "ambiguity", observationId: observation.id },
    why: doubt.description,
    evidence: doubt.evidence,
    affected: findAffected(state, doubt, observation.taskId),
    question: doubt.suggestedQuestion.trim(),
    options: doubt.options ?? [],
    isTainted: observation.isTainted,
  };
}

/** Those that it names and, where it is still to be done, the task itself. Named none: those that wait for the task. */
function findAffected(
  { tasks }: OutcomeState,
  { type, affectedTasks }: AmbiguitySignal,
  observedId: TaskId,
): EscalationNeed["affected"] {
  if (affectedTasks.includes(everyTask)) return null;
  const open = tasks.filter(isOpenTask);
  const isAffected = ({ number, dependsOn }: OutcomeTask): boolean => {
    if (affectedTasks.length > 0) return affectedTasks.includes(number);
    return type === "blocking_decision" || dependsOn.includes(observedId);
  };
  return open.filter((task) => task.id === observedId || isAffected(task)).map(({ id }) => id);
}

/** `asked`: what a model made of a doubt; null: none could be asked. Does nothing where the same is asked already. */
export function escalate(
  state: OutcomeState,
  need: EscalationNeed,
  asked: AskedQuestion | null,
  world: HomrWorld,
): OutcomeMove {
  const opened = openEscalation(state, describe(state, need, asked, world), need.cause, world);
  return followedBy(opened, settlePauses);
}

const questionMax = 1_000;
const contextMax = 2_000;
const evidenceMax = 10;

function describe(
  state: OutcomeState,
  need: EscalationNeed,
  asked: AskedQuestion | null,
  world: HomrWorld,
): NewEscalation {
  const { trigger, triggerTaskId, observationId, affected, isTainted } = need;
  const open = state.tasks.filter(isOpenTask).map(({ id }) => id);
  const { question, options, recommended } = chooseQuestion(state, need, asked);
  const pauses = state.outcome.config.pauseOnEscalation;
  const defaultOption = options.some(({ id }) => id === recommended) ? recommended : null;
  return {
    trigger,
    triggerTaskId,
    observationId,
    evidence: need.evidence.slice(0, evidenceMax).map((line) => clip(line, contextMax)),
    question: clipLine(question, questionMax),
    context: clip(need.why, contextMax),
    options,
    affectedTasks: affected === null ? open : open.filter((id) => affected.includes(id)),
    isWholeOutcome: affected === null && pauses,
    pauses,
    defaultOption,
    deadlineMs: defaultOption === null || isTainted ? null : findDeadline(state, world),
    isTainted,
  };
}

/** As the owner set it. Words of strangers are never followed for want of an answer. */
function findDeadline({ outcome: { autoResolve } }: OutcomeState, { nowMs }: HomrWorld): number | null {
  const { deadlineHours } = autoResolve;
  return deadlineHours === null ? null : nowMs + deadlineHours * hourMs;
}

const hourMs = 60 * 60_000;

type Chosen = {
  readonly question: string;
  readonly options: readonly EscalationOption[];
  readonly recommended: string | null;
};

/** A model writes questions about doubts only; what can be done about failures is the platform's to offer. */
function chooseQuestion(state: OutcomeState, need: EscalationNeed, asked: AskedQuestion | null): Chosen {
  const canSplit = state.tasks.some((task) => isFailing(task) && canBeSplit(task));
  const usual = { ...usualQuestion(need.trigger, need.why.replace(/[.\s]+$/, ""), canSplit), recommended: null };
  if (need.cause.kind !== "ambiguity") return usual;
  const written = onlyProceed(asked?.options ?? []);
  if (asked !== null && written.length >= 2)
    return { question: asked.question, options: written, recommended: asked.recommended ?? null };
  const suggested = onlyProceed(need.options);
  return {
    question: need.question === "" ? usual.question : need.question,
    options: suggested.length >= 2 ? suggested : usual.options,
    recommended: null,
  };
}

/** Whatever an option of a model is called, choosing it means to go on that way. Of two with one id the first counts. */
function onlyProceed(options: readonly QuestionOption[]): readonly EscalationOption[] {
  const ids = options.map(({ id }) => id);
  const distinct = options.filter(({ id }, n) => ids.indexOf(id) === n).slice(0, 4);
  return distinct.map(({ id, label, description, implications }) => {
    return { id, label, description, implications, action: "proceed" };
  });
}

/** Its attempts so far led to nothing. */
export const isFailing = (task: OutcomeTask): boolean =>
  task.status === "failed" || (isOpenTask(task) && task.failures.length > 0);

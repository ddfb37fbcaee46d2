// What HOMЯ would do about an observation, the most important first. What a model wishes is only taken up where it may be: out of text
// of strangers comes no new task and no skipped one, and no description is changed.

import { clip, clipLine } from "../../planner/clip.ts";
import type { Audience, Cause } from "../context/context.ts";
import { driftWords } from "../observe/failure-patterns.ts";
import {
  type DriftItem,
  everyTask,
  type FoundDiscovery,
  type Observation,
  type SteeringWish,
} from "../observe/observation.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { taskOf } from "../state-changes.ts";
import { correctivePriority, isOpenTask, isSettledTask, type OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { nameTask, shorten } from "../tasks/task-list.ts";
import type { SteeringAction } from "./steering-action.ts";

export function planSteering(state: OutcomeState, observation: Observation): readonly SteeringAction[] {
  const { drift, discoveries, wishes } = observation;
  const slight = drift.filter(({ severity }) => severity !== "high");
  const [blockers, others] = [true, false].map((isBlocker) =>
    discoveries.filter(({ type }) => (type === "blocker") === isBlocker).flatMap(shareOf(state, observation)),
  );
  return [
    ...planCorrection(state, observation),
    ...(blockers ?? []),
    ...wishes.flatMap((wish) => takeUp(state, observation, wish)),
    ...(others ?? []),
    ...warn(state, observation, slight),
  ];
}

const titleMax = 300;

/** One corrective task for all grave drifts. What was drifted from waits for it: the task itself, or those that wait for it. */
export function planCorrection(state: OutcomeState, observation: Observation): readonly SteeringAction[] {
  const grave = observation.drift.filter(({ severity }) => severity === "high");
  const [first] = grave;
  if (first === undefined) return [];
  const target = taskOf(state, observation.taskId);
  const cause: Cause = { kind: "drift", drift: first.type, observationId: observation.id };
  if (!mayCorrect(state, target)) return warn(state, observation, grave);
  const listed = grave.map(({ type, description, evidence }, n) => {
    const seen = evidence === "" ? "" : `\n   Seen: ${clip(evidence, 500)}`;
    return `${n + 1}. It ${driftWords[type]}: ${description}${seen}`;
  });
  return [
    {
      type: "create_task",
      reason: `The work on #${target.number} ${driftWords[first.type]}`,
      cause,
      task: {
        title: shorten(clipLine(`Correct #${target.number}: ${first.description}`, titleMax - 40), titleMax),
        description: [`Put right what went wrong in the work on ${nameTask(target)}:`, ...listed].join("\n"),
        priority: correctivePriority,
        madeBy: "homr",
        why: `The work on #${target.number} ${driftWords[first.type]}`,
        corrects: target.id,
        isTainted: observation.isTainted,
      },
      waiting: findWaiting(state, target),
    },
  ];
}

/** A correction that drifts is not corrected by another: that would have no end. Nor is the same task corrected twice at a time. */
const mayCorrect = ({ outcome, tasks }: OutcomeState, target: OutcomeTask): boolean =>
  outcome.config.autoCreateCorrectiveTasks &&
  target.corrects === null &&
  !tasks.some((task) => task.corrects === target.id && isOpenTask(task));

const findWaiting = ({ tasks }: OutcomeState, target: OutcomeTask): readonly TaskId[] =>
  isSettledTask(target)
    ? tasks.filter((task) => !isSettledTask(task) && task.dependsOn.includes(target.id)).map(({ id }) => id)
    : [target.id];

/** Told to all that are still to be done; to the task itself, where it is tried again, as something it must know. */
function warn(state: OutcomeState, observation: Observation, drift: readonly DriftItem[]): readonly SteeringAction[] {
  const target = taskOf(state, observation.taskId);
  const audience = state.tasks.filter(isOpenTask).map(({ id }) => id);
  if (audience.length === 0) return [];
  return drift.map(({ type, description, severity }) => ({
    type: "inject_context",
    reason: `The work on #${target.number} ${driftWords[type]}`,
    cause: { kind: "drift", drift: type, observationId: observation.id },
    audience,
    injection: {
      type: "warning",
      content: `The work on #${target.number} ${driftWords[type]}: ${description}`,
      priority: severity === "high" ? "must_know" : "should_know",
    },
  }));
}

const shareOf =
  (state: OutcomeState, { id, taskId }: Observation) =>
  (found: FoundDiscovery): readonly SteeringAction[] => {
    const audience = audienceOf(state, found);
    if (audience !== "every" && audience.length === 0) return [];
    return [
      {
        type: "inject_context",
        reason: `Found in the work on #${taskOf(state, taskId).number}`,
        cause: { kind: "discovery", observationId: id },
        audience,
        injection: {
          type: found.type === "constraint" || found.type === "pattern" ? found.type : "discovery",
          content: found.content,
          priority: priorities[found.type],
        },
      },
    ];
  };

const priorities = {
  blocker: "must_know",
  constraint: "should_know",
  dependency: "should_know",
  decision: "should_know",
  pattern: "nice_to_know",
} as const;

/** Open tasks among those that are named. */
export function audienceOf({ tasks }: OutcomeState, { relevantTasks }: FoundDiscovery): Audience {
  if (relevantTasks.includes(everyTask)) return "every";
  return tasks.filter((task) => isOpenTask(task) && relevantTasks.includes(task.number)).map(({ id }) => id);
}

function takeUp(state: OutcomeState, observation: Observation, wish: SteeringWish): readonly SteeringAction[] {
  const { config } = state.outcome;
  const said = { reason: wish.reason, cause: { kind: "wish", observationId: observation.id } } as const;
  const find = (number: number) => state.tasks.find((task) => task.number === number && !isSettledTask(task));
  switch (wish.type) {
    case "suggest_design_update":
      return [{ ...said, type: wish.type, suggestion: wish.suggestion }];
    case "create_task":
      return config.autoCreateCorrectiveTasks ? [createWished(state, observation, wish, said)] : [];
    case "add_dependency": {
      const [task, other] = [find(wish.task), find(wish.dependsOn)];
      return task && other ? [{ ...said, type: wish.type, taskId: task.id, dependsOn: other.id }] : [];
    }
    case "update_priority": {
      const task = find(wish.task);
      return task && config.autoAdjustPriority
        ? [{ ...said, type: wish.type, taskId: task.id, priority: wish.priority }]
        : [];
    }
    default:
      return changeTaskAsWished(observation, wish, find(wish.task), said);
  }
}

type Said = Pick<SteeringAction, "reason" | "cause">;

/** Out of text of strangers: proposed to people, not made. */
function createWished(
  { tasks }: OutcomeState,
  { isTainted }: Observation,
  { title, description, before }: Extract<SteeringWish, { type: "create_task" }>,
  said: Said,
): SteeringAction {
  if (isTainted)
    return {
      ...said,
      type: "suggest_design_update",
      suggestion: `A new task: ${title}. ${clipLine(description, 1_000)}`,
    };
  const next = tasks.find(({ number }) => number === before);
  const waiting = next === undefined || isSettledTask(next) ? [] : [next.id];
  return { ...said, type: "create_task", task: { title, description, madeBy: "homr", why: said.reason }, waiting };
}

function changeTaskAsWished(
  { isTainted }: Observation,
  wish: Extract<SteeringWish, { type: "update_description" | "mark_obsolete" }>,
  task: OutcomeTask | undefined,
  said: Said,
): readonly SteeringAction[] {
  if (task === undefined) return [];
  if (wish.type === "mark_obsolete") {
    if (!isTainted) return [{ ...said, type: wish.type, taskId: task.id }];
    return [{ ...said, type: "suggest_design_update", suggestion: `Skip ${nameTask(task)}: ${wish.reason}` }];
  }
  if (!isTainted) return [{ ...said, type: wish.type, taskId: task.id, additions: wish.additions }];
  // As context it stands between fences.
  const injection = { type: "discovery", content: wish.additions, priority: "should_know" } as const;
  return [{ ...said, type: "inject_context", audience: [task.id], injection }];
}

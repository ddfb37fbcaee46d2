// What must be true of every outcome after every commit, and when everything has come to rest.

import { isOpenEscalation } from "../../../src/domain/homr/questions/escalation.ts";
import { isOpenTask } from "../../../src/domain/homr/tasks/task.ts";
import { isAttemptOver } from "../../../src/domain/run/run.ts";
import { toHomrJob } from "../../../src/store/outcome/homr-jobs.ts";
import type { JobRow, OutcomeRecord, State } from "../memory/records.ts";
import type { Finding } from "./run-checks.ts";

type Findings = readonly (Finding | false)[];

export function findInOutcome(record: OutcomeRecord, state: State): readonly Finding[] {
  return [...inTasks(record, state), ...inAttempts(record, state), ...inObservations(record)].filter(
    (each) => each !== false,
  );
}

const jobsOf = ({ jobs }: State) => [...jobs.values()].filter(({ kind }: JobRow) => kind === "homr").map(toHomrJob);

function inTasks(record: OutcomeRecord, { runs }: State): Findings {
  const asked = new Set(
    record.escalations
      .filter((each) => each.pauses && isOpenEscalation(each))
      .flatMap(({ affectedTasks }) => affectedTasks),
  );
  return record.tasks.flatMap((task): Findings => {
    const attempt = record.attempts.findLast(({ taskId }) => taskId === task.id);
    const isHeld = attempt?.state === "running" && attempt.runId === task.runId && runs.has(attempt.runId);
    return [
      isOpenTask(task) &&
        (task.status === "paused") !== asked.has(task.id) && [
          "O2 paused_while_asked",
          `#${task.number} is ${task.status}`,
        ],
      task.status === "running" &&
        !isHeld && ["O3 running_task_has_a_run", `#${task.number}: ${JSON.stringify(attempt)}`],
      task.attempts !== record.attempts.filter(({ taskId }) => taskId === task.id).length && [
        "O5 attempts_without_gaps",
        `#${task.number} counts ${task.attempts}`,
      ],
      task.dependsOn.includes(task.id) && ["O8 no_cycle", `#${task.number}`],
    ];
  });
}

function inAttempts(record: OutcomeRecord, state: State): Findings {
  const told = new Set(jobsOf(state).flatMap(({ turn }) => (turn.kind === "observe" ? [turn.runId] : [])));
  return record.attempts.flatMap(({ runId, taskId, attempt, state: at, isObserved }): Findings => {
    const run = state.runs.get(runId)?.run;
    const isOver = run !== undefined && isAttemptOver(run.state);
    const seen = record.observations.filter((each) => each.taskId === taskId && each.attempt === attempt).length;
    const task = record.tasks.find(({ id }) => id === taskId);
    return [
      run === undefined && ["O3 running_task_has_a_run", `run ${runId} is not there`],
      run !== undefined && run.outcomeTaskId !== taskId && ["O3 a_run_knows_its_task", `run ${runId}`],
      seen !== (isObserved === true ? 1 : 0) && [
        "O1 one_observation_per_attempt",
        `${seen} of ${taskId}:${attempt}, ${isObserved}`,
      ],
      at === "running" && isOver && !record.isDeleted && !told.has(runId) && ["O4 every_end_is_told", `run ${runId}`],
      at === "running" &&
        !isOver &&
        (task === undefined || task.runId !== runId || !isOpenTask(task)) && [
          "O3 attempt_is_of_its_task",
          `run ${runId} of ${taskId}`,
        ],
    ];
  });
}

function inObservations({ observations, activities, outcome, context }: OutcomeRecord): Findings {
  const { maxSteeringActionsPerTask: max, maxDiscoveries } = outcome.config;
  return [
    ...observations.map(({ id }): Finding | false => {
      const actions = activities.filter(
        ({ type, cause }) => type === "steering" && "observationId" in cause && cause.observationId === id,
      ).length;
      return actions > max && ["O6 steering_within_limit", `${actions} of ${max} after ${id}`];
    }),
    // One more: what was left out is told in one.
    context.discoveries.length > maxDiscoveries + 1 && [
      "O7 context_within_limit",
      `${context.discoveries.length} of ${maxDiscoveries}`,
    ],
  ];
}

/** Every outcome goes on, or says what it waits for. */
export function findAtRest(record: OutcomeRecord, state: State): readonly Finding[] {
  const { outcome, tasks, attempts, escalations, turns } = record;
  const open = turns.flatMap(({ calls }) => calls.filter(({ state: at }) => at === "reserved")).length;
  const isWaiting =
    outcome.status !== "active" ||
    escalations.some(isOpenEscalation) ||
    attempts.some(({ state: at }) => at === "running") ||
    tasks.some((task) => isOpenTask(task) && task.gates.some(({ given }) => given === null)) ||
    jobsOf(state).some(({ outcomeId }) => outcomeId === outcome.id);
  const findings: readonly (Finding | false)[] = [
    !isWaiting && ["L6 no_outcome_lies_idle", `${outcome.name}: ${tasks.map(({ status }) => status).join()}`],
    open > 0 &&
      turns.every(({ state: at }) => at !== "running") && ["S9 every_call_is_settled", `${open} of turns are not`],
  ];
  return findings.filter((each) => each !== false);
}

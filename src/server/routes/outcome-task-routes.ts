// Tasks of an outcome over HTTP. An edit names the version it was made against; of two that meet, the second is told what the first did.

import type { Tx } from "../../db/database.ts";
import {
  addDependency,
  addTask,
  editTask,
  obsoleteTask,
  removeDependency,
  retryTask,
  satisfyGate,
} from "../../domain/homr/commands/task-commands.ts";
import { splitTask } from "../../domain/homr/tasks/split-task.ts";
import type { OutcomeTask } from "../../domain/homr/tasks/task.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { lastOutcomeSeq } from "../../store/outcome-view/outcome-list-store.ts";
import {
  findOutcomeTask,
  findOutcomeTasks,
  listOutcomeTasks,
} from "../../store/outcome-view/outcome-task-view-store.ts";
import { mountUser } from "../mount.ts";
import { type Change, type ChangeRequest, changeOutcome, type OutcomeDeps, viewOf } from "../outcome-desk.ts";
import { taskEditFrom, taskFrom } from "../outcome-input.ts";
import { toWireTask, toWireTaskDetail } from "../outcome-wire.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";

export function mountOutcomeTaskRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.outcomeTasks.list, async ({ tx, params, query }) => {
    if ((await lastOutcomeSeq(tx, params.outcomeId)) === null) throw missing("outcome");
    return toWirePage(await listOutcomeTasks(tx, params.outcomeId, query), toWireTask);
  });

  mountUser(deps, routes.outcomeTasks.get, async ({ tx, params }) => showTask(tx, params));

  mountUser(deps, routes.outcomeTasks.create, async (request) => {
    const { tx, params, body } = request;
    const { engine } = await viewOf(tx, params.outcomeId);
    const wanted = await taskFrom(tx, engine, body);
    for (const id of body.depends_on) foundOrThrow(await findOutcomeTask(tx, params.outcomeId, id), "task");
    let made: OutcomeTask | null = null;
    await changeOutcome(deps, request, {
      action: "outcome_task_changed",
      spokenOf: body.depends_on,
      command: (state, world) => {
        const added = addTask(state, wanted, world);
        made = added.isDone ? added.task : null;
        return added;
      },
    });
    const { id: taskId } = foundOrThrow<OutcomeTask>(made, "task");
    return showTask(tx, { outcomeId: params.outcomeId, taskId });
  });

  mountUser(deps, routes.outcomeTasks.update, async (request) => {
    const { tx, params, body } = request;
    const { engine } = await viewOf(tx, params.outcomeId);
    const edit = await taskEditFrom(tx, engine, params.taskId as TaskId, body);
    return changeTask(deps, request, {
      command: (state, world) => editTask(state, edit, world),
      explain: async (why, { tasks }) => {
        const isStale = tasks.some(({ id, version }) => id === params.taskId && version !== body.version);
        return isStale
          ? new AppError("stale_version", why, { details: { current: await showTask(tx, params) } })
          : null;
      },
    });
  });

  mountTaskCommandRoutes(deps);
}

function mountTaskCommandRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.outcomeTasks.retry, (request) =>
    changeTask(deps, request, {
      command: (state, world) => retryTask(state, request.params.taskId as TaskId, world),
    }),
  );

  mountUser(deps, routes.outcomeTasks.markObsolete, (request) => {
    const taskId = request.params.taskId as TaskId;
    const why = request.body.why.trim() || null;
    return changeTask(deps, request, { command: (state, world) => obsoleteTask(state, { taskId, why }, world) });
  });

  mountUser(deps, routes.outcomeTasks.split, async (request) => {
    const { tx, params, body } = request;
    const taskId = params.taskId as TaskId;
    const split = { taskId, parts: body.parts, isInOrder: body.in_order, madeBy: "user", isTainted: false } as const;
    foundOrThrow(await findOutcomeTask(tx, params.outcomeId, taskId), "task");
    const { after } = await changeOutcome(deps, request, {
      action: "outcome_task_changed",
      spokenOf: [taskId],
      command: (state, world) => splitTask(state, split, world),
    });
    const parts = after.tasks.filter(({ splitOf }) => splitOf === taskId).map(({ id }) => id);
    return { tasks: (await findOutcomeTasks(tx, params.outcomeId, parts)).map(toWireTask) };
  });

  mountUser(deps, routes.outcomeTasks.addDependency, async (request) => {
    const { tx, params, body } = request;
    foundOrThrow(await findOutcomeTask(tx, params.outcomeId, body.depends_on), "task");
    const edge = { taskId: params.taskId as TaskId, dependsOn: body.depends_on as TaskId };
    return changeTask(deps, request, { command: (state, world) => addDependency(state, edge, world) }, [
      body.depends_on,
    ]);
  });

  mountUser(deps, routes.outcomeTasks.removeDependency, (request) => {
    const { taskId, dependsOn } = request.params;
    const edge = { taskId: taskId as TaskId, dependsOn: dependsOn as TaskId };
    return changeTask(deps, request, { command: (state, world) => removeDependency(state, edge, world) });
  });

  mountUser(deps, routes.outcomeTasks.satisfyGate, (request) => {
    const { taskId, gateId } = request.params;
    const given = { taskId: taskId as TaskId, gateId, given: request.body.given };
    return changeTask(deps, request, { command: (state, world) => satisfyGate(state, given, world) });
  });
}

type TaskParams = { readonly outcomeId: string; readonly taskId: string };

async function showTask(tx: Tx, { outcomeId, taskId }: TaskParams) {
  if ((await lastOutcomeSeq(tx, outcomeId)) === null) throw missing("outcome");
  return toWireTaskDetail(foundOrThrow(await findOutcomeTask(tx, outcomeId, taskId), "task"));
}

/** The task as it is then. `others`: tasks that the command also names. */
async function changeTask(
  deps: OutcomeDeps,
  request: ChangeRequest & { readonly params: TaskParams },
  change: Pick<Change, "command" | "explain">,
  others: readonly string[] = [],
) {
  const { tx, params } = request;
  await showTask(tx, params);
  await changeOutcome(deps, request, {
    ...change,
    action: "outcome_task_changed",
    spokenOf: [params.taskId, ...others],
  });
  return showTask(tx, params);
}

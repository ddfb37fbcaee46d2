// From what the contract carries to what the domain holds: a new outcome with its tasks, and edits. Whether the user may name this
// project and these checks is settled here, in their transaction.

import type { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { OutcomeEdit } from "../domain/homr/commands/outcome-commands.ts";
import type { TaskEdit } from "../domain/homr/commands/task-commands.ts";
import { defaultAutoResolve } from "../domain/homr/homr-config.ts";
import { type Intent, noIntent, type Outcome } from "../domain/homr/outcome.ts";
import type { HomrWorld } from "../domain/homr/outcome-state.ts";
import { hasCycle } from "../domain/homr/tasks/dependencies.ts";
import { type NewTask, newTask } from "../domain/homr/tasks/new-tasks.ts";
import type { Gate, OutcomeTask } from "../domain/homr/tasks/task.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import { nameObjective } from "../domain/run/report/notification.ts";
import type { EngineName, Permission } from "../domain/run/run.ts";
import { changeModels } from "../domain/run/run-models.ts";
import { AppError } from "../lib/app-error.ts";
import type { routes } from "../protocol/api.ts";
import { usualBudget } from "../store/identity/quota-store.ts";
import { changeAutoResolve, changeConfig } from "./homr-wire.ts";
import { refuseViewer } from "./project-rights.ts";
import { onlyGiven, readable, refuseForAgent, refuseUncheckable, toBudget, toCheck } from "./run-input.ts";

type Body<R extends { readonly body?: z.ZodType }> = z.output<NonNullable<R["body"]>>;
export type NewOutcomeBody = Body<typeof routes.outcomes.create>;
type GivenTask = NewOutcomeBody["tasks"][number];
type AddedTask = Body<typeof routes.outcomeTasks.create>;

/** `timeZone`: where the body names none. `config`: what this installation sets for HOMЯ. */
type Made = Pick<Outcome, "id" | "userId" | "timeZone" | "workFolder" | "config">;

export type NewOutcome = { readonly outcome: Outcome; readonly tasks: readonly OutcomeTask[] };

/** Not written down yet. Without tasks it waits for its draft, and one that shall start is active from the beginning. */
export async function newOutcomeFrom(tx: Tx, made: Made, body: NewOutcomeBody, world: HomrWorld): Promise<NewOutcome> {
  const { tasks: wanted, brief = "", project_id: projectId } = body;
  if (projectId !== undefined) await refuseViewer(tx, await readable(tx, { kind: "project", projectId }));
  const tasks = await tasksFrom(tx, body.engine, wanted, world);
  const outcome: Outcome = {
    id: made.id,
    userId: made.userId,
    name: body.name ?? nameObjective(brief),
    brief,
    intent:
      body.intent === undefined
        ? { ...noIntent, summary: wanted.length === 0 ? "" : briefly(brief) }
        : toIntent(body.intent),
    approach: body.approach === undefined ? null : { version: 1, text: body.approach },
    status: isDrafted(body) && body.start ? "active" : "dormant",
    projectId: projectId ?? null,
    engine: body.engine,
    workFolder: made.workFolder,
    models: changeModels(null, body.models),
    permission: permissionFrom(body.engine, body.permissions),
    timeZone: body.time_zone ?? made.timeZone,
    workers: body.workers,
    runBudget: { ...(await usualBudget(tx, made.userId)), ...toBudget(body.run_budgets) },
    maxCostMicroUsd: toMicroUsd(body.max_cost_usd),
    spent: { costMicroUsd: 0, tokens: 0, unpricedCalls: 0 },
    config: changeConfig(made.config, body.homr),
    autoResolve: changeAutoResolve(defaultAutoResolve, body.auto_resolve),
    cleanReviews: 0,
    nextNumber: tasks.length + 1,
    version: 1,
  };
  return { outcome, tasks };
}

/** A planner writes its tasks. */
export const isDrafted = ({ tasks }: Pick<NewOutcomeBody, "tasks">): boolean => tasks.length === 0;

const summaryMax = 4_000;
const briefly = (brief: string) => brief.slice(0, summaryMax).toWellFormed();

const toMicroUsd = (usd: number | null) => (usd === null ? null : Math.round(usd * 1_000_000));

function permissionFrom(
  engine: EngineName,
  { write_mode: writeMode, allowed_tools: tools }: NewOutcomeBody["permissions"],
): Permission {
  refuseForAgent(engine, { writeMode, allowedTools: tools ?? null });
  return { writeMode, allowedTools: tools ?? null };
}

const toIntent = ({ summary, items, success_criteria: criteria }: NonNullable<NewOutcomeBody["intent"]>): Intent => ({
  summary,
  items: items.map(({ id, acceptance_criteria: acceptance, ...item }, at) => ({
    ...item,
    id: id ?? `item_${at + 1}`,
    acceptanceCriteria: acceptance,
  })),
  successCriteria: criteria,
});

/** In the order in which they are given: each may depend on others of the list. */
async function tasksFrom(tx: Tx, engine: EngineName, given: readonly GivenTask[], world: HomrWorld) {
  const tasks: OutcomeTask[] = [];
  for (const [at, { depends_on: _, ...task }] of given.entries()) {
    const wanted = await taskFrom(tx, engine, { ...task, depends_on: [] }, `body.tasks.${at}.completion_criteria`);
    tasks.push(newTask(wanted, at + 1, world));
  }
  for (const [at, { depends_on: places }] of given.entries())
    for (const [place, number] of places.entries()) addEdge(tasks, at, number, `body.tasks.${at}.depends_on.${place}`);
  return tasks;
}

function addEdge(tasks: OutcomeTask[], at: number, number: number, field: string): void {
  const [task, other] = [tasks[at], tasks[number - 1]];
  if (task === undefined || other === undefined)
    throw new AppError("invalid_request", `${field}: there is no task ${number} in this list`);
  if (task === other) throw new AppError("invalid_request", `${field}: a task cannot wait for itself`);
  if (hasCycle(tasks, { taskId: task.id, dependsOn: other.id }))
    throw new AppError(
      "invalid_request",
      `${field}: task ${number} waits for task ${at + 1} already, so neither could begin`,
    );
  tasks[at] = { ...task, dependsOn: [...new Set([...task.dependsOn, other.id])] };
}

/** A task that is added to what is there. `field`: where its checks stand. */
export async function taskFrom(
  tx: Tx,
  engine: EngineName,
  given: AddedTask,
  field = "body.completion_criteria",
): Promise<NewTask> {
  const checks = given.completion_criteria.map(toCheck);
  await refuseUncheckable(tx, engine, checks, field);
  return {
    title: given.title.trim(),
    description: given.description,
    dependsOn: given.depends_on.map((id) => id as TaskId),
    gates: given.gates.map((gate, at): Gate => ({ ...gate, id: `gate_${at + 1}`, given: null })),
    checks,
    ...onlyGiven({ priority: given.priority, maxAttempts: given.max_attempts }),
  };
}

type TaskBody = Body<typeof routes.outcomeTasks.update>;

export async function taskEditFrom(tx: Tx, engine: EngineName, taskId: TaskId, body: TaskBody): Promise<TaskEdit> {
  const checks = body.completion_criteria?.map(toCheck);
  if (checks !== undefined) await refuseUncheckable(tx, engine, checks);
  const { version, title, description, priority, max_attempts: maxAttempts } = body;
  return { taskId, version, change: onlyGiven({ title: title?.trim(), description, priority, maxAttempts, checks }) };
}

type OutcomeBody = Body<typeof routes.outcomes.update>;

export async function outcomeEditFrom(
  tx: Tx,
  body: OutcomeBody,
  { runBudget, models, engine }: Pick<Outcome, "runBudget" | "models" | "engine">,
): Promise<OutcomeEdit> {
  const { version, name, brief, intent, approach = null, project_id: projectId, workers } = body;
  if (typeof projectId === "string") await refuseViewer(tx, await readable(tx, { kind: "project", projectId }));
  const { models: chosen, run_budgets: budgets, max_cost_usd: maxCost } = body;
  return {
    version,
    approach,
    change: onlyGiven({
      name,
      brief,
      workers,
      projectId,
      timeZone: body.time_zone,
      permission: body.permissions && permissionFrom(engine, body.permissions),
      intent: intent && toIntent(intent),
      models: chosen === undefined ? undefined : changeModels(models, chosen),
      runBudget: budgets && { ...runBudget, ...toBudget(budgets) },
      maxCostMicroUsd: maxCost === undefined ? undefined : toMicroUsd(maxCost),
    }),
  };
}

// From what the contract carries to what the domain holds: a new run, its scope, its budget and its checks. Whether the user
// may name these projects and this entity is settled here, in their transaction.

import type { z } from "zod";
import type { Tx } from "../db/database.ts";
import { kindSpecs } from "../domain/entity/kinds.ts";
import { planCheck } from "../domain/run/checks/adopt.ts";
import type { Check, CheckTarget } from "../domain/run/checks/check.ts";
import { cannotCheck } from "../domain/run/checks/check-problem.ts";
import type { RaisedBudget } from "../domain/run/commands.ts";
import { listProjects } from "../domain/run/describe-config.ts";
import type { Wanted } from "../domain/run/follow-up.ts";
import { newRun } from "../domain/run/new-run.ts";
import type { Run, RunContext, RunScope } from "../domain/run/run.ts";
import { changeModels } from "../domain/run/run-models.ts";
import { AppError } from "../lib/app-error.ts";
import type { routes } from "../protocol/api.ts";
import { findNode } from "../store/entity/entity-store.ts";
import { findProject } from "../store/entity/project-store.ts";
import { usualBudget } from "../store/identity/quota-store.ts";
import { isEntityKind } from "../store/workspace/check-store.ts";
import { foundOrThrow, fromWire } from "./wire.ts";

type Body<R extends { readonly body?: z.ZodType }> = z.output<NonNullable<R["body"]>>;
export type NewRunBody = Body<typeof routes.runs.create>;
export type FollowUpBody = Body<typeof routes.runs.continue>;
type GivenBudgets = NewRunBody["budgets"];
type GivenCheck = NewRunBody["completion_criteria"][number];

/** `timeZone`: where the body names none. */
type NewRun = Pick<Run, "id" | "userId" | "timeZone" | "workFolder">;

/** In line, and not written down yet. */
export async function newRunFrom(tx: Tx, made: NewRun, body: NewRunBody): Promise<Run> {
  const about = await findContext(tx, body);
  const { write_mode: writeMode, allowed_tools: allowedTools } = body.permissions;
  const checks = body.completion_criteria.map(toCheck);
  await refuseUncheckable(tx, body.engine, checks);
  refuseForAgent(body.engine, { writeMode, allowedTools: allowedTools ?? null }, changeModels(null, body.models));
  return newRun({
    ...made,
    objective: body.objective,
    foreignTexts: body.foreign_texts,
    scope: await readable(tx, scopeOf(body, about.projectId)),
    context: about.context,
    engine: body.engine,
    permission: { writeMode, allowedTools: allowedTools ?? null },
    models: changeModels(null, body.models),
    timeZone: body.time_zone ?? made.timeZone,
    isJudged: body.judge,
    budget: { ...(await usualBudget(tx, made.userId)), ...toBudget(body.budgets) },
    checks: [...checks, planCheck],
  });
}

/** What a follow-up of `old` is wanted for. What the body leaves out is not in the answer. */
export async function wantedFrom(tx: Tx, { engine }: Run, body: FollowUpBody): Promise<Wanted> {
  const { write_mode: writeMode, allowed_tools: allowedTools } = body.permissions;
  const checks = body.completion_criteria.map(toCheck);
  await refuseUncheckable(tx, engine, checks);
  refuseForAgent(engine, onlyGiven({ writeMode, allowedTools }), body.models);
  return {
    objective: body.objective,
    foreignTexts: body.foreign_texts,
    checks,
    budget: toBudget(body.budgets),
    permission: onlyGiven({ writeMode, allowedTools }),
    models: body.models,
  };
}

/** An agent has its own tools and its own model, which its settings name. */
export function refuseForAgent(
  engine: Run["engine"],
  { writeMode, allowedTools }: Partial<Run["permission"]>,
  models?: Run["models"] | undefined,
): void {
  if (engine !== "agent") return;
  const own = [
    [
      writeMode !== undefined && writeMode !== "autopilot",
      "permissions.write_mode",
      "writes its files itself; use autopilot, and look at its branch before you merge it",
    ],
    [
      Boolean(allowedTools),
      "permissions.allowed_tools",
      "has tools of its own; leave allowed_tools out, or use the planner engine",
    ],
    [
      Boolean(models),
      "models",
      "asks the model of its own settings (config.hcl); leave models out, or use the planner engine",
    ],
  ] as const;
  for (const [isGiven, field, why] of own)
    if (isGiven) throw new AppError("invalid_request", `body.${field}: an agent ${why}`);
}

/** A criterion that can never be met is refused now, with what to do instead. */
export async function refuseUncheckable(
  tx: Tx,
  engine: Run["engine"],
  checks: readonly Check[],
  field = "body.completion_criteria",
): Promise<void> {
  for (const [at, { target }] of checks.entries()) {
    const problem = cannotCheck(engine, target) ?? (await findMissing(tx, target));
    if (problem !== null) throw new AppError("unprocessable", `${field}.${at}: ${problem}`);
  }
}

/** Things that it names have to be there: a run cannot choose the id of what it makes. */
async function findMissing(tx: Tx, target: CheckTarget): Promise<string | null> {
  for (const id of namedIds(target)) {
    const node = await findNode(tx, id);
    if (node === null) return `there is nothing with the id ${id}, or you may not see it.`;
    if (target.kind === "entity_state" && !statesOf(node.kind).includes(target.state))
      return `a ${node.kind} is never "${target.state}"; use one of ${statesOf(node.kind).join(", ")}.`;
    if (target.kind === "document_has" && node.kind !== "document") return `${id} is a ${node.kind}, not a document.`;
  }
  return null;
}

const statesOf = (kind: string): readonly string[] => (isEntityKind(kind) ? kindSpecs[kind].states : []);

function namedIds(target: CheckTarget): readonly string[] {
  if (target.kind === "entity_state") return [target.entityId];
  if (target.kind === "link_exists") return [target.srcId, target.dstId];
  return target.kind === "document_has" && target.documentId !== null ? [target.documentId] : [];
}

type About = { readonly context: RunContext; readonly projectId: string | null };

/** What it is about has to be there and readable; a project is named by its own id. */
async function findContext(
  tx: Tx,
  { context_type: type, entity_id: entityId, project_ids: ids }: NewRunBody,
): Promise<About> {
  if (entityId === undefined) {
    const usual = ids.length === 1 ? "project" : "global";
    return { context: { type: type ?? usual, entityId: null }, projectId: null };
  }
  const node = await findNode(tx, entityId);
  const project = node === null ? await findProject(tx, entityId) : null;
  const found = foundOrThrow(node ?? (project && { kind: "project", projectId: project.id }), "entity");
  if (type !== undefined && type !== found.kind)
    throw new AppError("invalid_request", `body.context_type: this entity is a ${found.kind}, not a ${type}`);
  return { context: { type: found.kind, entityId }, projectId: found.projectId };
}

function scopeOf({ scope, project_ids: given }: NewRunBody, ofEntity: string | null): RunScope {
  const [first, ...rest] = [...new Set(given)];
  if (first !== undefined)
    return rest.length === 0 && scope !== "multi_project"
      ? { kind: "project", projectId: first }
      : { kind: "multi_project", projectIds: [first, ...rest] };
  return scope === undefined && ofEntity !== null ? { kind: "project", projectId: ofEntity } : { kind: "global" };
}

/** The same scope, if the user may see all of it. A project in the bin is not worked on. */
export async function readable(tx: Tx, scope: RunScope): Promise<RunScope> {
  for (const id of listProjects(scope)) {
    const project = foundOrThrow(await findProject(tx, id), "project");
    if (project.deletedAt !== null)
      throw new AppError("deleted", `The project "${project.name}" is in the bin; restore it first`);
  }
  return scope;
}

/** Dollars become whole micro-dollars here. Only what was given is in the answer. */
export function toBudget(given: GivenBudgets): RaisedBudget {
  const cost = given.max_cost_usd;
  return onlyGiven({
    maxIterations: given.max_iterations,
    maxRunningMs: given.max_wall_clock_ms,
    maxCostMicroUsd: cost === null || cost === undefined ? cost : Math.round(cost * 1_000_000),
    maxTokens: given.max_total_tokens,
    maxToolCalls: given.max_tool_calls,
    isCostHard: given.hard,
  });
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

export const onlyGiven = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

export const toCheck = (given: GivenCheck, position: number): Check => ({
  id: `user_${position + 1}`,
  deliverableId: null,
  target: fromWire(given),
  givenBy: "user",
});

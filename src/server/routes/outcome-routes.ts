// Outcomes over HTTP: making one, looking at it, and what its owner does to it as a whole.

import { asPlatform, type Tx } from "../../db/database.ts";
import {
  archiveOutcome,
  editOutcome,
  type Intervened,
  intervene,
  pauseOutcome,
  resumeOutcome,
  startOutcome,
  takeBack,
} from "../../domain/homr/commands/outcome-commands.ts";
import type { Outcome, OutcomeId } from "../../domain/homr/outcome.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { AuditAction } from "../../domain/identity/audit.ts";
import { AppError } from "../../lib/app-error.ts";
import { assert } from "../../lib/assert.ts";
import { commandOutcome } from "../../outcomes/command-outcome.ts";
import { routes } from "../../protocol/api.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { deleteOutcome } from "../../store/outcome/delete-outcome.ts";
import { dismissIntervention } from "../../store/outcome/dismiss-intervention.ts";
import { inOutcomeTx } from "../../store/outcome/outcome-store.ts";
import {
  findIntervention,
  lastOutcomeSeq,
  listDesigns,
  listInterventions,
  listOutcomes,
} from "../../store/outcome-view/outcome-list-store.ts";
import { findOutcomeTask } from "../../store/outcome-view/outcome-task-view-store.ts";
import { mountUser, type UserRequest } from "../mount.ts";
import { type ChangeRequest, changeOutcome, type OutcomeDeps, viewOf, worldOf } from "../outcome-desk.ts";
import { isDrafted, type NewOutcome, newOutcomeFrom, outcomeEditFrom } from "../outcome-input.ts";
import { toWireDesign, toWireIntervention, toWireOutcome, toWireOutcomeSummary } from "../outcome-wire.ts";
import { refuseViewer } from "../project-rights.ts";
import { findWorkFolder, refuseMissingEngine, refuseModels, refuseObserver, refuseUnpriced } from "../run-refusals.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";

export function mountOutcomeRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.outcomes.create, (request) => createOutcome(deps, request));

  mountUser(deps, routes.outcomes.list, async ({ tx, query }) =>
    toWirePage(await listOutcomes(tx, query), toWireOutcomeSummary),
  );

  mountUser(deps, routes.outcomes.get, async ({ tx, params }) => toWireOutcome(await viewOf(tx, params.outcomeId)));

  mountUser(deps, routes.outcomes.update, (request) => updateOutcome(deps, request));

  const commands = [
    [routes.outcomes.pause, "outcome_paused", pauseOutcome],
    [routes.outcomes.archive, "outcome_archived", archiveOutcome],
  ] as const;
  for (const [route, action, command] of commands)
    mountUser(deps, route, (request) => changeAndShow(deps, request, action, command));

  const goingOn = [
    [routes.outcomes.start, "outcome_started", startOutcome],
    [routes.outcomes.resume, "outcome_resumed", resumeOutcome],
  ] as const;
  for (const [route, action, command] of goingOn)
    mountUser(deps, route, async (request) => {
      const outcome = await viewOf(request.tx, request.params.outcomeId);
      refuseMissingEngine(deps, outcome);
      const { projectId } = outcome;
      if (projectId !== null) await refuseViewer(request.tx, { kind: "project", projectId });
      await refuseModels(deps, request.tx, request.actor.userId, outcome.models);
      return changeAndShow(deps, request, action, command);
    });

  mountUser(deps, routes.outcomes.remove, (request) => removeOutcome(deps, request));

  mountDesignRoutes(deps);
  mountInterventionRoutes(deps);
}

type CreateRequest = UserRequest<typeof routes.outcomes.create>;

async function createOutcome(deps: OutcomeDeps, { tx, actor, body }: CreateRequest) {
  refuseMissingEngine(deps, body);
  const made = {
    id: deps.env.newId() as OutcomeId,
    userId: actor.userId,
    timeZone: deps.timeZone,
    workFolder: await findWorkFolder(deps, body),
    config: deps.homr,
  };
  const fresh = await newOutcomeFrom(tx, made, body, worldOf(deps.env));
  const { runBudget: budget, engine, models } = fresh.outcome;
  await refuseModels(deps, tx, actor.userId, models);
  if (body.homr.observation_model !== undefined)
    await refuseObserver(deps, tx, actor.userId, fresh.outcome.config, "body.homr.observation_model");
  await refuseUnpriced(deps, { budget, engine, models });
  await insert(deps, tx, fresh, isDrafted(body) ? "draft" : body.start ? "start" : "keep");
  await writeAudit(tx, { actorId: actor.userId, action: "outcome_created", target: `outcome:${made.id}` });
  return toWireOutcome(await viewOf(tx, made.id));
}

/** Written down as the platform, together with what comes next. */
const insert = (deps: OutcomeDeps, tx: Tx, { outcome, tasks }: NewOutcome, next: "draft" | "start" | "keep") =>
  asPlatform(tx, (platform) =>
    inOutcomeTx(platform, deps.jobs, async (outcomes) => {
      // Lists are told of it at once, in the user's feed, which is locked after the user. No other transaction can lock a new outcome.
      if (next === "start") await outcomes.runs.lockUser(outcome.userId);
      await outcomes.insertOutcome(outcome, tasks);
      if (next === "draft") await outcomes.enqueue(outcome.id, { kind: "draft" }, null);
      if (next !== "start") return;
      const world = worldOf(deps.env);
      const started = await commandOutcome(outcomes, outcome.userId, outcome.id, startOutcome, {
        limits: deps.limits,
        world,
      });
      assert(started.outcome === "done", "a new outcome with tasks can be started");
    }),
  );

type UpdateRequest = UserRequest<typeof routes.outcomes.update>;

async function updateOutcome(deps: OutcomeDeps, request: UpdateRequest) {
  const { tx, params, body } = request;
  const before = await viewOf(tx, params.outcomeId);
  const edit = await outcomeEditFrom(tx, body, before);
  const budget = edit.change.runBudget ?? before.runBudget;
  if (body.models) await refuseModels(deps, tx, request.actor.userId, edit.change.models ?? null);
  await refuseUnpriced(deps, { budget, engine: before.engine, models: edit.change.models ?? before.models });
  await changeOutcome(deps, request, {
    action: "outcome_edited",
    command: (state, world) => editOutcome(state, edit, world),
    explain: async (why, { outcome }) => (outcome.version === body.version ? null : staleOutcome(tx, outcome, why)),
  });
  return toWireOutcome(await viewOf(tx, params.outcomeId));
}

async function staleOutcome(tx: Tx, { id }: Outcome, why: string): Promise<AppError> {
  return new AppError("stale_version", why, { details: { current: toWireOutcome(await viewOf(tx, id)) } });
}

async function changeAndShow(
  deps: OutcomeDeps,
  request: ChangeRequest,
  action: AuditAction,
  command: typeof startOutcome,
) {
  await changeOutcome(deps, request, { action, command });
  return toWireOutcome(await viewOf(request.tx, request.params.outcomeId));
}

/** Its runs are canceled in the same transaction: no worker goes on with what is gone. */
async function removeOutcome(deps: OutcomeDeps, { tx, actor, params }: ChangeRequest) {
  const id = params.outcomeId as OutcomeId;
  if ((await lastOutcomeSeq(tx, id)) === null) throw missing("outcome");
  const world = worldOf(deps.env);
  const isThere = await asPlatform(tx, (platform) =>
    inOutcomeTx(platform, deps.jobs, async (outcomes) => {
      // One that is archived says no to that, and has nothing left to stop.
      const archived = await commandOutcome(outcomes, actor.userId, id, archiveOutcome, { limits: deps.limits, world });
      if (archived.outcome !== "missing") await deleteOutcome(platform, archived.state.outcome);
      return archived.outcome !== "missing";
    }),
  );
  if (!isThere) throw missing("outcome");
  await writeAudit(tx, { actorId: actor.userId, action: "outcome_deleted", target: `outcome:${id}` });
  return { id: params.outcomeId, deleted: true as const };
}

function mountDesignRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.outcomes.listDesigns, async ({ tx, params, query }) => {
    if ((await lastOutcomeSeq(tx, params.outcomeId)) === null) throw missing("outcome");
    return toWirePage(await listDesigns(tx, params.outcomeId, query), toWireDesign);
  });

  mountUser(deps, routes.outcomes.addDesign, async (request) => {
    const { tx, params, body } = request;
    await changeOutcome(deps, request, {
      action: "outcome_edited",
      command: (state, world) => editOutcome(state, { version: body.version, change: {}, approach: body.text }, world),
      explain: async (why, { outcome }) => (outcome.version === body.version ? null : staleOutcome(tx, outcome, why)),
    });
    const [newest] = (await listDesigns(tx, params.outcomeId, { limit: 1 })).items;
    return toWireDesign(foundOrThrow(newest, "design"));
  });
}

function mountInterventionRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.outcomes.takeBack, (request) => takeBackIntervention(deps, request));

  mountUser(deps, routes.outcomes.listInterventions, async ({ tx, params, query }) => {
    if ((await lastOutcomeSeq(tx, params.outcomeId)) === null) throw missing("outcome");
    return toWirePage(await listInterventions(tx, params.outcomeId, query), toWireIntervention);
  });

  mountUser(deps, routes.outcomes.intervene, async (request) => {
    const { tx, params, body } = request;
    if (body.task_id !== undefined) foundOrThrow(await findOutcomeTask(tx, params.outcomeId, body.task_id), "task");
    let kept: string | null = null;
    await changeOutcome(deps, request, {
      action: "outcome_intervened",
      spokenOf: body.task_id === undefined ? [] : [body.task_id],
      command: (state, world) => {
        const moved = intervene(state, toIntervened(body), world);
        const effects = moved.isDone ? moved.move.effects : [];
        kept = effects.find((effect) => effect.kind === "keep_intervention")?.intervention.id ?? null;
        return moved;
      },
    });
    assert(kept !== null, "what was said is kept");
    return toWireIntervention(foundOrThrow(await findIntervention(tx, params.outcomeId, kept), "intervention"));
  });
}

async function takeBackIntervention(deps: OutcomeDeps, request: UserRequest<typeof routes.outcomes.takeBack>) {
  const { tx, params } = request;
  const { outcomeId, interventionId: id } = params;
  const said = foundOrThrow(await findIntervention(tx, outcomeId, id), "intervention");
  if (said.status !== "acknowledged")
    throw new AppError("wrong_status", `It was ${said.status} already`, { details: { status: said.status } });
  await changeOutcome(
    deps,
    request,
    { action: "outcome_intervened", command: (state, world) => takeBack(state, id, world) },
    (platform) => dismissIntervention(platform, id),
  );
  return toWireIntervention(foundOrThrow(await findIntervention(tx, outcomeId, id), "intervention"));
}

type IntervenedBody = UserRequest<typeof routes.outcomes.intervene>["body"];

function toIntervened({ type, task_id: task, message, priority }: IntervenedBody): Intervened {
  const taskId = (task ?? null) as TaskId | null;
  if (type !== "priority_change") return { type, taskId, message };
  assert(priority !== undefined, "the contract asks for a priority");
  return { type, taskId, message, priority };
}

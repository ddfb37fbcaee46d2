// HOMЯ over HTTP: how it stands for an outcome, what can be set, what it saw, did and knows. What it asks is in escalation-routes.ts.

import type { Tx } from "../../db/database.ts";
import { forgetItem, itemsOf } from "../../domain/homr/commands/forget.ts";
import { resolveBlocker, setConfig } from "../../domain/homr/commands/outcome-commands.ts";
import { defaultAutoResolve } from "../../domain/homr/homr-config.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { routes } from "../../protocol/api.ts";
import { readOutcome } from "../../store/outcome/read-outcome.ts";
import { listEscalations } from "../../store/outcome-view/escalation-view-store.ts";
import {
  countReceipts,
  findBrief,
  findObservation,
  listActivity,
  listBriefs,
  listObservations,
  listReceipts,
  listReviews,
} from "../../store/outcome-view/homr-view-store.ts";
import { lastOutcomeSeq } from "../../store/outcome-view/outcome-list-store.ts";
import {
  changeAutoResolve,
  changeConfig,
  toWireActivity,
  toWireAutoResolve,
  toWireBrief,
  toWireBriefSummary,
  toWireConfig,
  toWireContext,
  toWireEscalation,
  toWireObservation,
  toWireReceipt,
  toWireReview,
  toWireStats,
} from "../homr-wire.ts";
import { mountUser } from "../mount.ts";
import { changeOutcome, type OutcomeDeps, viewOf } from "../outcome-desk.ts";
import { refuseObserver } from "../run-refusals.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";

export function mountHomrRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.homr.status, ({ tx, params }) => statusOf(tx, params.outcomeId));

  for (const [route, enabled] of [[routes.homr.enable, true] as const, [routes.homr.disable, false] as const])
    mountUser(deps, route, async (request) => {
      await changeOutcome(deps, request, {
        action: "homr_configured",
        command: (state, world) => setConfig(state, { config: { enabled } }, world),
      });
      return statusOf(request.tx, request.params.outcomeId);
    });

  mountUser(deps, routes.homr.config, ({ tx, params }) => configOf(deps, tx, params.outcomeId));

  mountUser(deps, routes.homr.setConfig, async (request) => {
    const { tx, params, body, actor } = request;
    const { observation_model: observationModel } = body.config ?? {};
    if (observationModel !== undefined)
      await refuseObserver(deps, tx, actor.userId, { observationModel }, "body.config.observation_model");
    await changeOutcome(deps, request, {
      action: "homr_configured",
      command: (state, world) => {
        const config = changeConfig(state.outcome.config, body.config);
        const autoResolve = changeAutoResolve(state.outcome.autoResolve, body.auto_resolve);
        return setConfig(state, { config, autoResolve }, world);
      },
    });
    return configOf(deps, tx, params.outcomeId);
  });

  mountContextRoutes(deps);
  mountLookRoutes(deps);
}

/** What the status card shows. */
const [observationsShown, activitiesShown, escalationsShown] = [5, 10, 100];

async function statusOf(tx: Tx, outcomeId: string) {
  const { outcome, context } = await stateOf(tx, outcomeId);
  const observations = await listObservations(tx, outcomeId, { limit: observationsShown });
  const escalations = await listEscalations(tx, outcomeId, { limit: escalationsShown, group: "open" });
  const activities = await listActivity(tx, outcomeId, { limit: activitiesShown });
  return {
    enabled: outcome.config.enabled,
    context: {
      discoveries: context.discoveries.length,
      decisions: context.decisions.length,
      constraints: context.constraints.length,
    },
    stats: toWireStats(context.stats),
    recent_observations: observations.items.map(toWireObservation),
    pending_escalations: escalations.items.map(toWireEscalation),
    recent_activity: activities.items.map(toWireActivity),
  };
}

async function configOf({ homr }: OutcomeDeps, tx: Tx, outcomeId: string) {
  const { config, autoResolve } = await viewOf(tx, outcomeId);
  return {
    config: toWireConfig(config),
    auto_resolve: toWireAutoResolve(autoResolve),
    defaults: { config: toWireConfig(homr), auto_resolve: toWireAutoResolve(defaultAutoResolve) },
  };
}

const stateOf = async (tx: Tx, outcomeId: string) =>
  foundOrThrow(await readOutcome(tx, outcomeId as OutcomeId), "outcome");

async function contextOf(tx: Tx, outcomeId: string) {
  const { context } = await stateOf(tx, outcomeId);
  const prompts = await countReceipts(
    tx,
    itemsOf(context).map(({ id }) => id),
  );
  return { ...toWireContext(context, prompts), stats: toWireStats(context.stats) };
}

function mountContextRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.homr.context, ({ tx, params }) => contextOf(tx, params.outcomeId));

  mountUser(deps, routes.homr.resolveBlocker, async (request) => {
    const { tx, params } = request;
    const { discoveries } = (await stateOf(tx, params.outcomeId)).context;
    foundOrThrow(
      discoveries.find(({ id }) => id === params.itemId),
      "discovery",
    );
    await changeOutcome(deps, request, {
      action: "outcome_intervened",
      command: (state, world) => resolveBlocker(state, params.itemId, world),
    });
    return contextOf(tx, params.outcomeId);
  });

  mountUser(deps, routes.homr.forget, async (request) => {
    const { tx, params } = request;
    foundOrThrow(
      itemsOf((await stateOf(tx, params.outcomeId)).context).find(({ id }) => id === params.itemId),
      "item of the context",
    );
    await changeOutcome(deps, request, {
      action: "outcome_intervened",
      command: (state, world) => forgetItem(state, params.itemId, world),
    });
    return contextOf(tx, params.outcomeId);
  });

  mountUser(deps, routes.homr.receipts, async ({ tx, params, query }) => {
    await refuseMissing(tx, params.outcomeId);
    return toWirePage(await listReceipts(tx, params.outcomeId, params.itemId, query), toWireReceipt);
  });

  mountUser(deps, routes.homr.briefs, async ({ tx, params, query }) => {
    await refuseMissing(tx, params.outcomeId);
    return toWirePage(await listBriefs(tx, params.outcomeId, query), toWireBriefSummary);
  });

  mountUser(deps, routes.homr.brief, async ({ tx, params: { outcomeId, taskRunId: runId, iteration } }) => {
    await refuseMissing(tx, outcomeId);
    return toWireBrief(foundOrThrow(await findBrief(tx, outcomeId, runId, iteration), "brief"));
  });
}

function mountLookRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.homr.observations, async ({ tx, params, query }) => {
    await refuseMissing(tx, params.outcomeId);
    return toWirePage(await listObservations(tx, params.outcomeId, query), toWireObservation);
  });

  mountUser(deps, routes.homr.observation, async ({ tx, params: { outcomeId, observationId } }) => {
    await refuseMissing(tx, outcomeId);
    return toWireObservation(foundOrThrow(await findObservation(tx, outcomeId, observationId), "observation"));
  });

  mountUser(deps, routes.homr.activity, async ({ tx, params, query }) => {
    await refuseMissing(tx, params.outcomeId);
    return toWirePage(await listActivity(tx, params.outcomeId, query), toWireActivity);
  });

  mountUser(deps, routes.homr.reviews, async ({ tx, params, query }) => {
    await refuseMissing(tx, params.outcomeId);
    return toWirePage(await listReviews(tx, params.outcomeId, query), toWireReview);
  });
}

async function refuseMissing(tx: Tx, outcomeId: string): Promise<void> {
  if ((await lastOutcomeSeq(tx, outcomeId)) === null) throw missing("outcome");
}

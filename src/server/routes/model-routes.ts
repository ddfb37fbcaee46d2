// The models of this installation, for the settings page. Anyone who may run homework may test one, and pays for it. Models and keys
// are changed by the local owner: someone who manages the installation, on the computer it runs on.

import type { Context } from "hono";
import { type Actor, includesScope } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import { routes } from "../../protocol/api.ts";
import type { RouteResult } from "../../protocol/route.ts";
import { type AuditEntry, writeAudit } from "../../store/identity/audit-store.ts";
import { recordTestCall } from "../../store/journal/test-call-store.ts";
import { tooMany } from "../guards.ts";
import { isLocalRequest } from "../local-request.ts";
import { describeTest } from "../model-test-words.ts";
import { type MountDeps, mountUser, mountWithoutTransaction, type UserRequest } from "../mount.ts";
import type { ModelSettings, ModelSettingsPort, SettingsChange } from "../ports/model-settings.ts";
import { rateLimiter } from "../rate-limit.ts";

export type ModelDeps = MountDeps & {
  readonly modelSettings: ModelSettingsPort;
  readonly logger: Logger;
};

type WireSettings = RouteResult<typeof routes.models.settings>;

/** Enough to go through a table of models; each of them costs something. */
const testsPerMinute = 20;

export function mountModelSettings(deps: ModelDeps): void {
  mountWithoutTransaction(deps, routes.models.settings, async ({ c, actor }) =>
    toWire(await deps.modelSettings.read(), c, actor),
  );
  mountTest(deps);

  mountUser(deps, routes.models.setRole, (request) => {
    const { role } = request.params;
    const { model } = request.body;
    const audit = { action: "model_default_set", target: `role:${role}`, details: { model } } as const;
    return carryOut(deps, request, audit, () => deps.modelSettings.setModel(role, model));
  });
  mountUser(deps, routes.models.setKey, (request) => {
    const { provider } = request.params;
    const audit = { action: "model_key_set", target: `provider:${provider}` } as const;
    return carryOut(deps, request, audit, () => deps.modelSettings.setKey(provider, request.body.key));
  });
  mountUser(deps, routes.models.removeKey, (request) => {
    const { provider } = request.params;
    const audit = { action: "model_key_removed", target: `provider:${provider}` } as const;
    return carryOut(deps, request, audit, () => deps.modelSettings.setKey(provider, null));
  });
}

function mountTest({ modelSettings, ...deps }: ModelDeps): void {
  const limiter = rateLimiter(testsPerMinute, deps.env);
  mountWithoutTransaction(deps, routes.models.test, async ({ actor, body }) => {
    if (!limiter.take(actor.userId)) throw tooMany();
    const tested = await modelSettings.test(body.model);
    if (tested === null) throw new AppError("unprocessable", "No provider of this installation has this model");
    const { usage } = tested;
    const { userId } = actor;
    if (usage !== null)
      await deps.db.asSystem((tx) =>
        recordTestCall(tx, { callId: deps.env.newId(), userId, model: tested.model, usage }),
      );
    return describeTest(tested, actor.role === "admin");
  });
}

type ChangeRequest = Pick<UserRequest<typeof routes.models.removeKey>, "c" | "actor" | "tx">;

/** The audit comes last: its lock must not be held while models are looked for. */
async function carryOut(
  deps: ModelDeps,
  { c, actor, tx }: ChangeRequest,
  audit: Omit<AuditEntry, "actorId">,
  change: () => Promise<SettingsChange>,
): Promise<WireSettings> {
  if (!isLocalRequest(c)) throw new AppError("forbidden", onlyHere);
  const changed = await change();
  if (changed.kind === "refused") throw new AppError("unprocessable", changed.why);
  const wire = toWire(await deps.modelSettings.read(), c, actor);
  await writeAudit(tx, { ...audit, actorId: actor.userId });
  deps.logger.info({ action: audit.action, target: audit.target, userId: actor.userId }, "the models were changed");
  return changed.isInUse ? wire : { ...wire, notice: "Saved. Restart Homework to use it." };
}

const onlyHere =
  "Models and keys can be changed only on the computer that runs Homework. Open this page there, or edit the config file.";
const onlyAdmins = "Only a person who manages this installation can change models and keys.";

function toWire({ keys, problem, file, isDemo, models, roles }: ModelSettings, c: Context, actor: Actor): WireSettings {
  const isAdmin = actor.role === "admin";
  const mayChange = isAdmin && includesScope(actor.scopes, "admin") && isLocalRequest(c);
  return {
    is_demo: isDemo,
    models: [...models],
    roles: roles.map(({ isSet, lockedBy, models: chain, ...role }) => ({
      ...role,
      models: [...chain],
      is_set: isSet,
      locked_by: lockedBy,
    })),
    keys: isAdmin ? [...keys] : [],
    config_file: isAdmin ? file : null,
    may_change: mayChange,
    who_may_change: mayChange ? null : isAdmin ? onlyHere : onlyAdmins,
    notice: problem === null ? null : isAdmin ? problem : "The models could not be opened.",
  };
}

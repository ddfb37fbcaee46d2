// One's own name, password, sessions and API keys.

import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { grantedScopes } from "../actor.ts";
import type { Auth } from "../auth.ts";
import { type MountDeps, mountUser, mountWithoutTransaction } from "../mount.ts";
import { enterGate, type GateDeps, type PasswordTurns } from "../password-turns.ts";
import { missing } from "../wire.ts";
import { toMe } from "./session-routes.ts";

const ok = { ok: true as const };

type AccountDeps = MountDeps & GateDeps & { readonly passwords: PasswordTurns };

export function mountAccountRoutes(deps: AccountDeps): void {
  mountProfileRoutes(deps);
  mountSessionListRoutes(deps);
  mountKeyRoutes(deps);
}

function mountProfileRoutes(deps: AccountDeps): void {
  mountUser(deps, routes.identity.updateMe, async ({ actor, body }) => {
    const { internalAdapter } = await deps.auth.context;
    await internalAdapter.updateUser(actor.userId, { name: body.name });
    return toMe({ ...actor, name: body.name });
  });

  // Hashing takes a tenth of a second, in which no connection to the database is held.
  mountWithoutTransaction(deps, routes.identity.changePassword, async ({ c, actor, body }) => {
    if (actor.via.kind !== "session")
      throw new AppError("forbidden", "A password is changed in the browser, not with a key");
    const { current_password: currentPassword, new_password: newPassword } = body;
    const { headers } = c.req.raw;
    const account = actor.email.toLowerCase();
    if (currentPassword === undefined)
      await deps.passwords.ofKnown(account, () => deps.auth.api.setPassword({ headers, body: { newPassword } }));
    else {
      // A session that was taken over guesses no faster than a stranger.
      const attempt = enterGate(deps, c, account);
      const change = () => deps.auth.api.changePassword({ headers, body: { currentPassword, newPassword } });
      await deps.passwords.ofKnown(account, change);
      deps.signInGate.succeed(attempt);
    }
    await endOtherSessions(deps.auth, actor.userId, actor.via.id);
    const entry = { actorId: actor.userId, action: "password_changed", target: `user:${actor.userId}` } as const;
    await deps.db.asUser({ userId: actor.userId }, (tx) => writeAudit(tx, entry));
    return ok;
  });
}

async function endOtherSessions(auth: Auth, userId: string, keepId: string): Promise<void> {
  const { internalAdapter } = await auth.context;
  const others = (await internalAdapter.listSessions(userId)).filter((session) => session.id !== keepId);
  if (others.length > 0) await internalAdapter.deleteSessions(others.map((session) => session.token));
}

function mountSessionListRoutes(deps: MountDeps): void {
  mountUser(deps, routes.identity.listSessions, async ({ actor }) => {
    const { internalAdapter } = await deps.auth.context;
    const sessions = await internalAdapter.listSessions(actor.userId);
    const items = sessions.map((session) => ({
      id: session.id,
      current: session.id === actor.via.id,
      user_agent: session.userAgent ?? null,
      address: session.ipAddress ?? null,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.updatedAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    }));
    return { items };
  });

  mountUser(deps, routes.identity.revokeSession, async ({ actor, tx, params }) => {
    const { internalAdapter } = await deps.auth.context;
    const session = (await internalAdapter.listSessions(actor.userId)).find(({ id }) => id === params.sessionId);
    if (!session) throw missing("session");
    await internalAdapter.deleteSession(session.token);
    await writeAudit(tx, { actorId: actor.userId, action: "session_revoked", target: `session:${session.id}` });
    return ok;
  });

  mountUser(deps, routes.identity.revokeOtherSessions, async ({ actor, tx }) => {
    await endOtherSessions(deps.auth, actor.userId, actor.via.id);
    await writeAudit(tx, { actorId: actor.userId, action: "session_revoked", target: `user:${actor.userId}` });
    return ok;
  });
}

const keyShape = z.object({
  id: z.string(),
  name: z.string().nullable(),
  start: z.string().nullable(),
  permissions: z.unknown(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  lastRequest: z.date().nullable(),
});

function toWireKey(row: unknown) {
  const key = keyShape.parse(row);
  return {
    id: key.id,
    name: key.name ?? "",
    start: key.start ?? "",
    scopes: [...grantedScopes(key.permissions)],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastRequest?.toISOString() ?? null,
  };
}

function mountKeyRoutes(deps: MountDeps): void {
  mountUser(deps, routes.identity.listKeys, async ({ actor }) => {
    const { adapter } = await deps.auth.context;
    const where = [{ field: "referenceId", value: actor.userId }];
    const keys = await adapter.findMany({ model: "apikey", where, sortBy: { field: "createdAt", direction: "desc" } });
    return { items: keys.map(toWireKey) };
  });

  mountUser(
    deps,
    routes.identity.createKey,
    async ({ actor, tx, body }) => {
      const { key, ...created } = await deps.auth.createKey(actor.userId, {
        name: body.name,
        scopes: body.scopes,
        expiresInDays: body.expires_in_days,
      });
      const details = { name: body.name, scopes: body.scopes };
      await writeAudit(tx, { actorId: actor.userId, action: "key_created", target: `key:${created.id}`, details });
      return { ...toWireKey(created), key };
    },
    false,
  );

  mountUser(deps, routes.identity.revokeKey, async ({ actor, tx, params }) => {
    const { adapter } = await deps.auth.context;
    const where = [
      { field: "id", value: params.keyId },
      { field: "referenceId", value: actor.userId },
    ];
    if (!(await adapter.findOne({ model: "apikey", where }))) throw missing("API key");
    await adapter.delete({ model: "apikey", where });
    await writeAudit(tx, { actorId: actor.userId, action: "key_revoked", target: `key:${params.keyId}` });
    return ok;
  });
}

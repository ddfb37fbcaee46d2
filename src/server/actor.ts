// Who makes a request: an API key in the Authorization header, or the session cookie. Nothing else, and never both.

import { z } from "zod";
import { type Actor, instanceRoles, type Scope, scopes, type UserId } from "../domain/identity/identity.ts";
import { AppError } from "../lib/app-error.ts";
import type { Auth } from "./auth.ts";

const userShape = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(instanceRoles),
  disabledAt: z.date().nullish(),
});

/** Null for a request that does not say who makes it; a credential that is not good is an error. */
export function actorOf(auth: Auth, headers: Headers): Promise<Actor | null> {
  return auth.asking(() => findActor(auth, headers));
}

async function findActor(auth: Auth, headers: Headers): Promise<Actor | null> {
  const authorization = headers.get("authorization");
  if (authorization !== null) return byKey(auth, authorization);
  if (!headers.get("cookie")) return null;
  const found = await auth.api.getSession({ headers });
  if (!found) return null;
  return toActor(found.user, { kind: "session", id: found.session.id }, scopes);
}

async function byKey(auth: Auth, authorization: string): Promise<Actor> {
  const [, key] = /^Bearer (hw_[A-Za-z0-9]{20,200})$/.exec(authorization) ?? [];
  const refused = new AppError("not_signed_in", "The API key is wrong, expired or revoked");
  if (key === undefined) throw refused;
  const checked = await auth.api.verifyApiKey({ body: { key } });
  if (!checked.valid || !checked.key) throw refused;
  const { internalAdapter } = await auth.context;
  const user = await internalAdapter.findUserById(checked.key.referenceId);
  const actor = user && toActor(user, { kind: "key", id: checked.key.id }, grantedScopes(checked.key.permissions));
  if (!actor) throw refused;
  return actor;
}

function toActor(user: unknown, via: Actor["via"], granted: readonly Scope[]): Actor | null {
  const { id, name, email, role, disabledAt } = userShape.parse(user);
  if (disabledAt) return null;
  return { userId: id as UserId, name, email, role, via, scopes: granted };
}

const permissionShape = z.object({ homework: z.array(z.enum(scopes)) });

export function grantedScopes(permissions: unknown): readonly Scope[] {
  const given: unknown = typeof permissions === "string" ? JSON.parse(permissions) : permissions;
  const parsed = permissionShape.safeParse(given);
  return parsed.success ? parsed.data.homework : [];
}

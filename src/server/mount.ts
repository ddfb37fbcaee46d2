// Puts a route of the contract on the router: checks who asks, reads what came in, runs the handler inside the user's
// transaction, answers after the commit. This is the only way to add a route, so none can forget one of these.

import { createHash } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Database, Tx } from "../db/database.ts";
import { isGivenUp } from "../db/errors.ts";
import { type Actor, includesRole, includesScope, type ProjectRole } from "../domain/identity/identity.ts";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import type { AnyRoute, RouteParsed, RouteResult } from "../protocol/route.ts";
import { roleIn } from "../store/entity/project-store.ts";
import { createOnce, type OnceKey } from "../store/identity/idempotency-store.ts";
import { actorOf } from "./actor.ts";
import type { Auth } from "./auth.ts";
import { limitedAddressOf } from "./client-address.ts";
import { tooMany } from "./guards.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { readInput, registerRoute } from "./route-input.ts";

export type MountDeps = {
  readonly app: OpenAPIHono;
  readonly db: Database;
  readonly auth: Auth;
  readonly env: Env;
  readonly userLimiter: RateLimiter;
  /** For requests without a signed-in user. */
  readonly addressLimiter: RateLimiter;
};

export type UserRequest<R extends AnyRoute> = RouteParsed<R> & {
  readonly c: Context;
  readonly actor: Actor;
  /** The user's transaction (the platform's on admin routes): what it writes is committed before the answer is sent. */
  readonly tx: Tx;
  /** Done once what this request wrote is committed; not where an earlier answer is given again. */
  readonly afterCommit: (work: () => void) => void;
};

export type PublicRequest<R extends AnyRoute> = RouteParsed<R> & { readonly c: Context };

export type StreamingRequest<R extends AnyRoute> = RouteParsed<R> & {
  readonly c: Context;
  readonly actor: Actor;
  /** Asked while the stream lives. */
  readonly stillAdmitted: () => Promise<boolean>;
};

/** For anyone, signed in or not. */
export function mountPublic<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: PublicRequest<R>) => Promise<RouteResult<R>>,
): void {
  if (route.policy.kind !== "public") throw new Error(`bug: ${route.path} is not public`);
  registerRoute(deps.app, route, async (c) => {
    if (!deps.addressLimiter.take(limitedAddressOf(c))) throw tooMany();
    const input = await readInput(c, route);
    return c.json(await handle({ ...input, c }), route.status);
  });
}

/** For someone signed in, as the route's policy says. */
export function mountUser<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: UserRequest<R>) => Promise<RouteResult<R>>,
  /** False where it does something beside its transaction: that would be done twice. */
  isRepeatable = true,
): void {
  registerRoute(deps.app, route, async (c) => {
    const actor = await admit(deps, c, route);
    const input = await readInput(c, route);
    let later: (() => void)[] = [];
    const afterCommit = (work: () => void) => void later.push(work);
    const result = await inTransaction(deps.db, actor, route, isRepeatable ? triesMost : 1, async (tx) => {
      later = [];
      await admitToProject(tx, route, input);
      const run = () => handle({ ...input, c, actor, tx, afterCommit });
      const key = route.creates ? c.req.header("idempotency-key") : undefined;
      return key === undefined ? run() : createOnce(tx, onceKey(c, actor, key, input, route), run);
    });
    for (const work of later) work();
    return c.json(result, route.status);
  });
}

/** For work that waits for others for long: checked like any other route, and it opens its transactions itself. */
export function mountWithoutTransaction<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: Omit<UserRequest<R>, "tx" | "afterCommit">) => Promise<RouteResult<R>>,
): void {
  if (route.policy.kind === "project") throw new Error(`bug: ${route.path} needs a look at the project`);
  registerRoute(deps.app, route, async (c) => {
    const actor = await admit(deps, c, route);
    const input = await readInput(c, route);
    return c.json(await handle({ ...input, c, actor } as never), route.status);
  });
}

/** Of requests that wait for each other in a ring. */
const triesMost = 4;

/**
 * Admin routes read the people and the audit log in the platform's role; all other routes are under RLS. What the database gave
 * up for another's sake has left nothing, and is done once more.
 */
async function inTransaction<T>(
  db: Database,
  actor: Actor,
  { policy }: AnyRoute,
  most: number,
  work: (tx: Tx) => Promise<T>,
) {
  const once = () => (policy.kind === "admin" ? db.asSystem(work) : db.asUser({ userId: actor.userId }, work));
  for (let tries = 1; ; tries++)
    try {
      return await once();
    } catch (thrown) {
      if (tries >= most || !isGivenUp(thrown)) throw thrown;
    }
}

/** A stream: checked like any other route, then handed over without a transaction. */
export function mountStream<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: StreamingRequest<R>) => Promise<Response>,
): void {
  registerRoute(deps.app, route, async (c) => {
    const actor = await admit(deps, c, route);
    const input = await readInput(c, route);
    const check = () => deps.db.asUser({ userId: actor.userId }, (tx) => admitToProject(tx, route, input));
    await check();
    return handle({ ...input, c, actor, stillAdmitted: () => isStillAdmitted(deps, c, route, check) });
  });
}

/** While a stream lives: the session or key is still good and the project still open to its user. */
async function isStillAdmitted(
  deps: MountDeps,
  c: Context,
  route: AnyRoute,
  check: () => Promise<void>,
): Promise<boolean> {
  try {
    allow(await actorOf(deps.auth, c.req.raw.headers), route);
    await check();
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== "database_unavailable") return false;
    throw thrown;
  }
}

async function admit(deps: MountDeps, c: Context, route: AnyRoute): Promise<Actor> {
  const actor = await identify(deps, c);
  if (!deps.userLimiter.take(actor.userId)) throw tooMany();
  return allow(actor, route);
}

/** A request without credentials, or with wrong ones, is counted by address. */
async function identify(deps: MountDeps, c: Context): Promise<Actor> {
  const actor = await actorOf(deps.auth, c.req.raw.headers).catch((thrown: unknown) => {
    if (thrown instanceof AppError && !deps.addressLimiter.take(limitedAddressOf(c))) throw tooMany();
    throw thrown;
  });
  if (actor !== null) return actor;
  throw deps.addressLimiter.take(limitedAddressOf(c)) ? notSignedIn() : tooMany();
}

function allow(actor: Actor | null, { policy }: AnyRoute): Actor {
  if (policy.kind === "public") throw new Error("bug: a public route asks for no identity");
  if (actor === null) throw notSignedIn();
  if (policy.kind === "admin" && actor.role !== "admin")
    throw new AppError("forbidden", "Only someone who manages this installation may do that");
  if (!includesScope(actor.scopes, policy.scope))
    throw new AppError("scope_missing", `This API key lacks the scope "${policy.scope}"`);
  return actor;
}

const notSignedIn = () => new AppError("not_signed_in", "Sign in first");

/** To strangers a project does not exist; to a member with too small a role it does. */
async function admitToProject(tx: Tx, { policy }: AnyRoute, input: unknown): Promise<void> {
  if (policy.kind !== "project") return;
  const { projectId } = (input as { params: { projectId: string } }).params;
  const role = await roleIn(tx, projectId);
  if (role === null) throw new AppError("not_found", "There is no such project, or you may not see it");
  if (!includesRole(role, policy.role)) throw tooSmallARole(role, policy.role);
}

const tooSmallARole = (has: ProjectRole, needs: ProjectRole) =>
  new AppError("forbidden", `You are ${has} of this project; this needs ${needs}`, { details: { has, needs } });

const keyPattern = /^[\w.:-]{1,200}$/;

function onceKey(c: Context, actor: Actor, key: string, input: unknown, route: AnyRoute): OnceKey {
  if (!keyPattern.test(key))
    throw new AppError("invalid_request", "Idempotency-Key: 1 to 200 letters, digits or . : _ -");
  const request = JSON.stringify([c.req.method, c.req.path, input]);
  const requestHash = createHash("sha256").update(request).digest("hex");
  return { userId: actor.userId, key, requestHash, isSecret: route.answersSecret ?? false };
}

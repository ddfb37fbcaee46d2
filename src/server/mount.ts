// Puts a route of the contract on the router: checks who asks, reads what came in, runs the handler inside the user's
// transaction, answers after the commit. This is the only way to add a route, so none can forget one of these.

import { createHash } from "node:crypto";
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import { type Actor, includesRole, includesScope, type ProjectRole } from "../domain/identity/identity.ts";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import type { AnyRoute, RouteParsed, RouteResult } from "../protocol/route.ts";
import { roleIn } from "../store/entity/project-store.ts";
import { createOnce, type OnceKey } from "../store/identity/idempotency-store.ts";
import { actorOf } from "./actor.ts";
import type { Auth } from "./auth.ts";
import { invalidRequest } from "./errors.ts";
import { addressOf, tooMany } from "./guards.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { readJson } from "./read-json.ts";

/** Where a request keeps the path of the route that answers it, for the metrics. */
const routeKey = "route";

/** Pages, files and unknown paths count as one. */
export const routeOf = (c: Context): string => (c.get(routeKey) as string | undefined) ?? "other";

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
  register(deps.app, route, async (c) => {
    if (!deps.addressLimiter.take(addressOf(c))) throw tooMany();
    const input = await readInput(c, route);
    return c.json(await handle({ ...input, c }), route.status);
  });
}

/** For someone signed in, as the route's policy says. */
export function mountUser<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: UserRequest<R>) => Promise<RouteResult<R>>,
): void {
  register(deps.app, route, async (c) => {
    const actor = await admit(deps, c, route);
    const input = await readInput(c, route);
    const later: (() => void)[] = [];
    const afterCommit = (work: () => void) => void later.push(work);
    const result = await inTransaction(deps.db, actor, route, async (tx) => {
      await admitToProject(tx, route, input);
      const run = () => handle({ ...input, c, actor, tx, afterCommit });
      const key = route.creates ? c.req.header("idempotency-key") : undefined;
      return key === undefined ? run() : createOnce(tx, onceKey(c, actor, key, input, route), run);
    });
    for (const work of later) work();
    return c.json(result, route.status);
  });
}

/** Admin routes read the people and the audit log in the platform's role; all other routes are under RLS. */
function inTransaction<T>(db: Database, actor: Actor, { policy }: AnyRoute, work: (tx: Tx) => Promise<T>): Promise<T> {
  return policy.kind === "admin" ? db.asSystem(work) : db.asUser({ userId: actor.userId }, work);
}

/** A stream: checked like any other route, then handed over without a transaction. */
export function mountStream<R extends AnyRoute>(
  deps: MountDeps,
  route: R,
  handle: (request: StreamingRequest<R>) => Promise<Response>,
): void {
  register(deps.app, route, async (c) => {
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
    if (thrown instanceof AppError && !deps.addressLimiter.take(addressOf(c))) throw tooMany();
    throw thrown;
  });
  if (actor !== null) return actor;
  throw deps.addressLimiter.take(addressOf(c)) ? notSignedIn() : tooMany();
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

async function readInput<R extends AnyRoute>(c: Context, route: R): Promise<RouteParsed<R> & object> {
  const params = route.params ? parse(route.params, c.req.param(), "path") : undefined;
  const query = parseQuery(c, route);
  const body = route.body ? parse(route.body, await readJson(c), "body") : undefined;
  return { params, query, body } as unknown as RouteParsed<R> & object;
}

function parse(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // An id that is no id names nothing: the same answer as for one that does not exist.
  if (where === "path") throw new AppError("not_found", "There is nothing at this address");
  throw invalidRequest(where, parsed.error);
}

function parseQuery(c: Context, route: AnyRoute): unknown {
  if (!route.query) return undefined;
  const twice = Object.entries(c.req.queries()).find(([, values]) => values.length > 1);
  if (twice) throw new AppError("invalid_request", `query.${twice[0]}: given more than once`);
  return parse(route.query, c.req.query(), "query");
}

const keyPattern = /^[\w.:-]{1,200}$/;

function onceKey(c: Context, actor: Actor, key: string, input: unknown, route: AnyRoute): OnceKey {
  if (!keyPattern.test(key))
    throw new AppError("invalid_request", "Idempotency-Key: 1 to 200 letters, digits or . : _ -");
  const request = JSON.stringify([c.req.method, c.req.path, input]);
  const requestHash = createHash("sha256").update(request).digest("hex");
  return { userId: actor.userId, key, requestHash, isSecret: route.answersSecret ?? false };
}

function register(app: OpenAPIHono, route: AnyRoute, handler: (c: Context) => Promise<Response>): void {
  app.openAPIRegistry.registerPath(toOpenApi(route));
  app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (c: Context) => {
    c.set(routeKey, route.path);
    return handler(c);
  });
}

function toOpenApi(route: AnyRoute): RouteConfig {
  const type = route.streams ? "text/event-stream" : "application/json";
  const request = {
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { query: route.query } : {}),
    ...(route.body ? { body: { required: true, content: { "application/json": { schema: route.body } } } } : {}),
  };
  return {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    ...(route.policy.kind === "public" ? { security: [] } : { security: [{ key: [] }, { session: [] }] }),
    request: request as NonNullable<RouteConfig["request"]>,
    responses: { [route.status]: { description: "Done", content: { [type]: { schema: route.result } } } },
  };
}

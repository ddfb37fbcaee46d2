// The HTTP application of `run-agent serve`: the routes of agents on one root folder, and the pages. There are no users and no database:
// callers on this machine's loopback may use it, all others need the token that was printed.

import { timingSafeEqual } from "node:crypto";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { Logger } from "../../lib/logger.ts";
import type { AnyRoute, RouteResult } from "../../protocol/route.ts";
import { agentRoutes } from "../../protocol/routes/agents.ts";
import { instanceRoutes } from "../../protocol/routes/instance.ts";
import { addressOf } from "../client-address.ts";
import { sendError } from "../error-answer.ts";
import { bodyGuard, contentTypeGuard, hostGuard, originGuard, securityHeaders, tooMany } from "../guards.ts";
import { rateLimiter } from "../rate-limit.ts";
import { boundBodies, defaultBodyLimits } from "../read-body.ts";
import { readInput, registerRoute } from "../route-input.ts";
import { mountStaticFiles, sendPage } from "../static-files.ts";
import type { AgentDesk } from "./agent-desk.ts";
import { createEventStreams } from "./event-streams.ts";
import { mountAgentRoutes } from "./mount-agents.ts";
import { rememberAnswers } from "./remember-answers.ts";

export type AgentsAppOptions = {
  readonly desk: AgentDesk;
  readonly env: Env;
  readonly logger: Logger;
  readonly allowedHosts: readonly string[];
  readonly origin: string;
  /** Null: loopback alone can reach it, and no token is asked for. */
  readonly token: string | null;
  readonly webDir: string | null;
};

/** Of one address; pages ask a few times a second. */
const requestsPerMinute = 3_000;
/** Guesses at a token. */
const wrongTokensPerMinute = 30;

export function createAgentsApp(options: AgentsAppOptions) {
  const { desk, env, logger } = options;
  const app = new OpenAPIHono();
  const streams = createEventStreams(env);
  addGuards(app, options);
  const remember = rememberAnswers();
  const answerAt = (route: AnyRoute, handle: (c: Context) => Promise<object>) =>
    registerRoute(app, route, async (c) => c.json(await handle(c), route.status));
  answerAt(instanceRoutes.live, async () => ({ status: "ok" }));
  answerAt(agentRoutes.info, async () => desk.info());
  mountAgentRoutes({
    answer: (route, handle) =>
      answerAt(route, async (c) => {
        const input = await readInput(c, route);
        const key = route.creates ? c.req.header("idempotency-key") : undefined;
        const act = async () => (await handle(desk, input)) as RouteResult<AnyRoute> & object;
        return key === undefined ? act() : remember(`${c.req.path} ${key}`, JSON.stringify(input), act);
      }),
    stream: (route, open) =>
      registerRoute(app, route, async (c) => {
        const input = await readInput(c, route);
        return streams.answer(c, {
          caller: addressOf(c),
          open: (cursor, signal) => open(desk, input, cursor, signal),
          stillAdmitted: async () => true,
        });
      }),
  });
  mountStaticFiles(app, options.webDir, "agents");
  app.onError((thrown, c) => sendError(c, AppError.from(thrown), logger));
  app.notFound((c) => sendError(c, new AppError("not_found", "There is nothing at this address"), logger));
  return { fetch: app.fetch, hono: app, streams };
}

function addGuards(app: OpenAPIHono, options: AgentsAppOptions): void {
  const limiter = rateLimiter(requestsPerMinute, options.env);
  app.use(securityHeaders);
  app.use(hostGuard(options.allowedHosts));
  app.use(originGuard(options.allowedHosts, options.origin));
  app.use(async (c, next) => {
    if (!limiter.take(addressOf(c))) throw tooMany();
    await next();
  });
  app.use(contentTypeGuard);
  app.use(bodyGuard);
  app.use(boundBodies(defaultBodyLimits));
  if (options.token !== null) guardByToken(app, options.token, options);
}

const noTokenPage =
  "<!doctype html><title>run-agent</title><p>Open the link that <code>run-agent serve</code> printed: it has the token.</p>";

/** A cookie belongs to a host, whatever the port: two servers on one machine must not take each other's. */
const cookieName = (origin: string): string => `run_agent_${new URL(origin).port || "0"}`;

function guardByToken(app: OpenAPIHono, token: string, { env, origin }: AgentsAppOptions): void {
  const wrong = rateLimiter(wrongTokensPerMinute, env);
  const name = cookieName(origin);
  app.use(async (c, next) => {
    const inAddress = c.req.method === "GET" ? c.req.query("token") : undefined;
    const given = inAddress ?? bearerOf(c) ?? getCookie(c, name);
    if (given === undefined || !isEqual(given, token))
      return refuse(c, given === undefined || wrong.take(addressOf(c)));
    if (inAddress === undefined) return next();
    setCookie(c, name, token, { httpOnly: true, sameSite: "Strict", path: "/" });
    // The token must not stay in the address bar, where it is copied and kept.
    return c.redirect(c.req.path.startsWith("//") ? "/" : c.req.path, 302);
  });
}

const bearerOf = (c: Context): string | undefined =>
  /^Bearer (\S{1,200})$/.exec(c.req.header("authorization") ?? "")?.[1];

function refuse(c: Context, mayGuessAgain: boolean): Response {
  if (!mayGuessAgain) throw tooMany();
  if (c.req.method === "GET" && !c.req.path.startsWith("/api/")) return sendPage(c, noTokenPage);
  throw new AppError("not_signed_in", "Open the link that run-agent serve printed, or send its token as Bearer");
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

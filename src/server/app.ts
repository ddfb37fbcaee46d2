// The HTTP application: guards, then routes of the contract, then pages. It owns no process, port or signal: main/ does.

import { OpenAPIHono } from "@hono/zod-openapi";
import type { Database } from "../db/database.ts";
import type { HomrConfig } from "../domain/homr/homr-config.ts";
import type { BreakerLimits } from "../domain/run/gate/breakers.ts";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { ChannelsPort } from "../notify/channels-port.ts";
import { routes } from "../protocol/api.ts";
import type { Limits } from "../runs/carry-out.ts";
import type { EngineProblems } from "../runs/ports/engine.ts";
import type { OutcomeJobs } from "../store/outcome/outcome-store.ts";
import { schemaVersion } from "../store/schema-store.ts";
import { actorOf } from "./actor.ts";
import { createEventStreams } from "./agents/event-streams.ts";
import { mountApiReference } from "./api-reference.ts";
import type { Auth } from "./auth.ts";
import { type ChatDesk, createChatDesk } from "./chat-desk.ts";
import { addressGuard } from "./client-address.ts";
import { answerError } from "./errors.ts";
import { bodyGuard, contentTypeGuard, hostGuard, originGuard, securityHeaders } from "./guards.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type MountDeps, mountPublic, mountUser } from "./mount.ts";
import { openPasswordGate } from "./password-turns.ts";
import type { AgentsPort } from "./ports/agents.ts";
import type { ChatEngine } from "./ports/chat.ts";
import type { ModelSettingsPort } from "./ports/model-settings.ts";
import type { ModelsPort } from "./ports/models.ts";
import { rateLimiter } from "./rate-limit.ts";
import { type BodyLimits, boundBodies, defaultBodyLimits } from "./read-body.ts";
import { routeOf } from "./route-input.ts";
import { mountAccountRoutes } from "./routes/account-routes.ts";
import { type DesksPort, mountAgents } from "./routes/agent-routes.ts";
import { mountAllRuns } from "./routes/all-runs-routes.ts";
import { mountChangeRoutes } from "./routes/change-routes.ts";
import { mountChannelRoutes } from "./routes/channel-routes.ts";
import { mountChatRoutes } from "./routes/chat-routes.ts";
import { mountEntityRoutes } from "./routes/entity-routes.ts";
import { mountEscalationRoutes } from "./routes/escalation-routes.ts";
import { mountHomeRoutes } from "./routes/home-routes.ts";
import { mountHomrRoutes } from "./routes/homr-routes.ts";
import { mountMemoryRoutes } from "./routes/memory-routes.ts";
import { mountModelSettings } from "./routes/model-routes.ts";
import { mountNotificationRoutes } from "./routes/notification-routes.ts";
import { mountOutcomeRoutes } from "./routes/outcome-routes.ts";
import { mountOutcomeTaskRoutes } from "./routes/outcome-task-routes.ts";
import { mountPeopleRoutes, mountQuotas } from "./routes/people-routes.ts";
import { mountProjectRoutes } from "./routes/project-routes.ts";
import { mountRunPageRoutes } from "./routes/run-page-routes.ts";
import { mountRunRoutes } from "./routes/run-routes.ts";
import { mountSessionRoutes, type SessionDeps } from "./routes/session-routes.ts";
import { mountStreams, readTopics } from "./routes/stream-routes.ts";
import { mountUndoRoutes } from "./routes/undo-routes.ts";
import { mountWorkRoutes } from "./routes/work-routes.ts";
import { describeSignUp } from "./sign-up.ts";
import { createHub, type Hub } from "./sse/hub.ts";
import { createStreams, defaultStreamLimits, type StreamLimits, type Streams } from "./sse/stream.ts";
import { mountStaticFiles } from "./static-files.ts";

export type AppSettings = {
  readonly mode: "local" | "accounts";
  readonly signUp: "closed" | "open";
  /** Others than this machine can get here: the first admin needs the printed token. */
  readonly isReachable: boolean;
  /** The first account sets limits for everyone. */
  readonly hasFirstQuota: boolean;
  readonly allowedHosts: readonly string[];
  /** The origin people use. */
  readonly origin: string;
  /** Networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly ratePerMinute: number;
  readonly signInsPerMinute: number;
  readonly streamLimits?: StreamLimits;
  readonly bodyLimits?: BodyLimits;
  readonly version: string;
  /** The newest schema this program knows. */
  readonly schemaVersion: number;
  /** IANA name: that of runs and outcomes whose user names none. */
  readonly timeZone: string;
  /** What new outcomes have for HOMЯ, unless their user sets something else. */
  readonly homr: HomrConfig;
  /** Where the built web pages are. */
  readonly webDir: string | null;
};

export type AppDeps = {
  readonly db: Database;
  readonly auth: Auth;
  readonly env: Env;
  readonly logger: Logger;
  readonly settings: AppSettings;
  /** Where the iterations of runs and the work of HOMЯ are enqueued. */
  readonly jobs: OutcomeJobs;
  readonly limits: Limits;
  /** When workers stop a run. */
  readonly breakers: BreakerLimits;
  /** Answers in conversations. */
  readonly chat: ChatEngine;
  /** Which models do the work. */
  readonly models: ModelsPort;
  /** The models as the settings page shows and changes them. */
  readonly modelSettings: ModelSettingsPort;
  /** Which engines runs can have here. */
  readonly engines: EngineProblems;
  /** Which agents there are, and what becomes of their branches. */
  readonly agents: AgentsPort;
  /** Folders of `run-agent`, one for each user. */
  readonly desks: DesksPort;
  /** How channels are set up here. */
  readonly channels: ChannelsPort;
};

export type App = {
  readonly fetch: OpenAPIHono["fetch"];
  readonly hono: OpenAPIHono;
  readonly hub: Hub;
  /** Told of every write to a project, a run, an outcome or a feed, and of accounts that were shut (NOTIFY). */
  readonly hear: (topic: string) => void;
  readonly streams: Streams;
  /** The answers that are being written here. */
  readonly chats: ChatDesk;
};

export function createApp(deps: AppDeps): App {
  const { db, env, settings } = deps;
  const app = new OpenAPIHono();
  const hub = createHub(readTopics(db));
  const streams = createStreams(hub, env, settings.streamLimits ?? defaultStreamLimits);
  const metrics = createMetrics();
  addGuards(app, deps, metrics);

  const desk = createChatDesk(deps.chat);
  const mounts = {
    ...deps,
    app,
    desk,
    mode: settings.mode,
    signUp: settings.signUp,
    isReachable: settings.isReachable,
    hasFirstQuota: settings.hasFirstQuota,
    timeZone: settings.timeZone,
    homr: settings.homr,
    userLimiter: rateLimiter(settings.ratePerMinute, env),
    addressLimiter: rateLimiter(settings.ratePerMinute, env),
    signInLimiter: rateLimiter(settings.signInsPerMinute, env),
    ...openPasswordGate(env),
  };
  mountInstance(mounts, settings);
  mountModels(mounts, deps);
  mountModelSettings(mounts);
  mountSessionRoutes(mounts);
  mountAccountRoutes(mounts);
  mountPeopleRoutes(mounts);
  mountAllRuns(mounts);
  mountQuotas(mounts, {
    runsAtOnce: deps.limits.maxConcurrentRuns,
    liveStreams: (settings.streamLimits ?? defaultStreamLimits).perUser,
    requestsPerMinute: settings.ratePerMinute,
  });
  mountProjectRoutes(mounts);
  mountEntityRoutes(mounts);
  mountRunRoutes(mounts);
  mountRunPageRoutes(mounts);
  mountHomeRoutes(mounts);
  mountChangeRoutes(mounts);
  mountUndoRoutes(mounts);
  mountWorkRoutes(mounts);
  mountOutcomeRoutes(mounts);
  mountOutcomeTaskRoutes(mounts);
  mountHomrRoutes(mounts);
  mountEscalationRoutes(mounts);
  mountMemoryRoutes(mounts);
  mountChatRoutes(mounts);
  mountNotificationRoutes(mounts);
  mountChannelRoutes(mounts);
  mountStreams(mounts, streams);
  const agentStreams = createEventStreams(env);
  mountAgents(mounts, deps.desks, agentStreams);
  mountMetrics(mounts, metrics, streams);
  mountApiReference(app, settings.version);
  mountStaticFiles(app, settings.webDir);
  const close = () => {
    streams.close();
    agentStreams.close();
  };
  const hear = (topic: string) => {
    const [kind, id = ""] = topic.split(":");
    if (kind !== "account") return void hub.notify(topic);
    streams.recheck(id);
    agentStreams.recheck(id);
  };
  return { fetch: app.fetch, hono: app, hub, hear, streams: { ...streams, close }, chats: desk };
}

function addGuards(app: OpenAPIHono, { env, logger, settings }: AppDeps, metrics: Metrics): void {
  app.onError((thrown, c) => answerError(c, thrown, logger));
  app.notFound((c) => answerError(c, new AppError("not_found", "There is nothing at this address"), logger));
  app.use(async (c, next) => {
    const began = env.now();
    await next();
    metrics.observe(c.req.method, routeOf(c), c.res.status, env.now() - began);
  });
  app.use(addressGuard(settings.trustedProxies));
  app.use(securityHeaders);
  app.use(hostGuard(settings.allowedHosts));
  app.use(originGuard(settings.allowedHosts, settings.origin));
  app.use(contentTypeGuard);
  app.use(bodyGuard);
  app.use(boundBodies(settings.bodyLimits ?? defaultBodyLimits));
}

function mountInstance(deps: SessionDeps, settings: AppSettings): void {
  mountPublic(deps, routes.instance.info, async () => ({
    name: "homework" as const,
    version: settings.version,
    mode: settings.mode,
    ...(await describeSignUp(deps)),
  }));
  mountPublic(deps, routes.instance.live, async () => ({ status: "ok" as const }));
  mountPublic(deps, routes.instance.ready, async () => {
    const version = await deps.db.asSystem(schemaVersion);
    if (version !== settings.schemaVersion)
      throw new AppError("database_unavailable", `The database has schema ${version}, not ${settings.schemaVersion}`);
    return { status: "ok" as const, schema_version: version };
  });
}

function mountModels(deps: MountDeps, { models, agents }: Pick<AppDeps, "models" | "agents">): void {
  mountUser(deps, routes.instance.models, async () => {
    const { names, problem } = agents.show();
    const { isDemo, about, roles, choices } = await models.show();
    const shown = roles.map(({ role, model, fallbacks }) => ({ role, model, fallbacks: [...fallbacks] }));
    return { is_demo: isDemo, about, roles: shown, choices: [...choices], agents: [...names], agent_problem: problem };
  });
}

/** For anyone signed in who manages the installation; Prometheus sends an API key as bearer token. */
function mountMetrics(deps: MountDeps, metrics: Metrics, streams: Streams): void {
  deps.app.get("/metrics", async (c) => {
    const actor = await actorOf(deps.auth, c.req.raw.headers);
    if (actor?.role !== "admin")
      throw new AppError("not_signed_in", "Send the API key of someone who manages this installation");
    c.header("content-type", metrics.contentType);
    return c.body(await metrics.render(streams.openCount()));
  });
}

// An installation in memory: database, sign-in, HTTP application. `serve` puts it on a port; a command may use it as it is.

import { startListener } from "../db/listener.ts";
import { newestVersion } from "../db/migrate.ts";
import { defaultHomrConfig } from "../domain/homr/homr-config.ts";
import { openJobQueue, type PgBossQueue } from "../queue/pg-boss-queue.ts";
import { type App, createApp } from "../server/app.ts";
import { type Auth, createAuth } from "../server/auth.ts";
import { defaultStreamLimits } from "../server/sse/stream.ts";
import { openAgentDesks } from "./agent-desks.ts";
import { findEngineProblems } from "./agent-settings.ts";
import { isReachable } from "./config-check.ts";
import { breakersOf } from "./config-schema.ts";
import { readSecret } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import { openModelSettings } from "./model-settings.ts";
import { createModelsSource, type ModelsSource } from "./models-source.ts";
import { openChannels } from "./open-channels.ts";
import { openChat } from "./open-chat.ts";
import { type Opened, type OpenOptions, openInstallation } from "./open-database.ts";
import { hostOf } from "./origin.ts";
import { builtPages } from "./ports-web.ts";
import type { SettingsFile } from "./settings-file.ts";
import { showAgents } from "./show-agents.ts";
import { showModels } from "./show-models.ts";

export type Installation = Opened & {
  readonly auth: Auth;
  readonly app: App;
  readonly queue: PgBossQueue;
  /** The models that everything in this process asks. */
  readonly source: ModelsSource;
};

export type InstallationOptions = OpenOptions & {
  readonly version: string;
  readonly settings: SettingsFile;
  /** Where people reach it. */
  readonly origin: string;
};

export async function openApp(options: InstallationOptions): Promise<Installation> {
  const opened = await openInstallation(options);
  const { config, logger, origin } = options;
  const secret = config.secret ?? readSecret(config.data);
  const auth = createAuth({ db: opened.db, secret, origin, env: realEnv });
  const queue = await openJobQueue(opened.db, (error) => logger.warn({ error }, "the queue has trouble")).catch(
    async (thrown: unknown) => {
      await opened.close();
      throw thrown;
    },
  );
  const limits = { maxConcurrentRuns: config.max_concurrent_runs_per_user };
  const source = createModelsSource({ config, logger });
  const chat = openChat({ db: opened.db, config, logger, jobs: queue, limits, source });
  const app = createApp({
    db: opened.db,
    auth,
    env: realEnv,
    logger,
    settings: appSettings(options),
    jobs: queue,
    limits,
    breakers: breakersOf(config),
    chat,
    models: showModels({ source, logger }),
    modelSettings: openModelSettings({ settings: options.settings, source, logger }),
    engines: findEngineProblems(config, process.env),
    agents: showAgents(config, process.env),
    desks: openAgentDesks(config, logger),
    channels: openChannels(config, origin),
  });
  const listener = startListener({
    config: opened.db.clientConfig,
    channel: "homework_changes",
    onPayload: app.hear,
    onConnected: app.hub.notifyAll,
    env: realEnv,
    logger,
  });
  const close = async () => {
    app.streams.close();
    await app.chats.close(); // Answers are let go of while there is a database.
    await chat.close();
    await listener.close();
    await queue.close();
    await opened.close();
  };
  return { ...opened, auth, app, queue, source, close };
}

function appSettings({ config, origin, version }: InstallationOptions) {
  const names = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    hostOf(config.host),
    new URL(origin).hostname,
    ...config.allowed_hosts,
  ];
  return {
    mode: config.accounts ? ("accounts" as const) : ("local" as const),
    signUp: config.sign_up,
    isReachable: isReachable(config),
    hasFirstQuota: true,
    allowedHosts: names.map((name) => name.replace(/:\d+$/, "")),
    origin,
    trustedProxies: config.trusted_proxies,
    ratePerMinute: config.rate_limit_per_minute,
    signInsPerMinute: config.sign_in_limit_per_minute,
    streamLimits: { ...defaultStreamLimits, perUser: config.max_streams_per_user },
    version,
    timeZone: config.time_zone,
    homr: {
      ...defaultHomrConfig,
      enabled: config.homr_enabled_by_default,
      observationModel: config.homr_observation_model,
      maxContextSize: config.homr_max_context_size,
    },
    schemaVersion: newestVersion(),
    webDir: builtPages(),
  };
}

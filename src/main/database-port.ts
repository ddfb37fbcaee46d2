// `homework db`: status, migrate, dump, restore, stop.

import { statSync } from "node:fs";
import type pg from "pg";
import type { DatabasePort, DatabaseStatus } from "../cli/ports.ts";
import { dump } from "../db/dump.ts";
import { inspectEmbedded } from "../db/embedded/inspect-embedded.ts";
import { stopEmbedded } from "../db/embedded/stop-embedded.ts";
import { appliedVersion, isTooOld, migrate, migrationsAfter, newestVersion } from "../db/migrate.ts";
import { withDatabase } from "../db/prepare.ts";
import { restore } from "../db/restore.ts";
import { ensureLogin } from "../db/roles.ts";
import { putInPlace } from "../files/put-in-place.ts";
import { AppError } from "../lib/app-error.ts";
import { openJobQueue } from "../queue/pg-boss-queue.ts";
import { enqueueDueDeliveries } from "../store/channel/delivery-store.ts";
import { enqueueDueTurns } from "../store/outcome/due-turns.ts";
import { enqueueDueRuns } from "../store/run/run-store.ts";
import { maskPassword } from "./config.ts";
import { findRunningServer } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import { openAdmin, openInstallation } from "./open-database.ts";
import type { ServeInput } from "./serve.ts";

export function databasePort(input: ServeInput): DatabasePort {
  const { config } = input;
  return {
    status: () => databaseStatus(input),
    migrate: () =>
      asAdmin(input, async (admin) => {
        const { from, to } = await migrate(admin);
        await ensureLogin(admin);
        const applied = migrationsAfter(from);
        return { applied: applied.map(({ name }) => name), schema_version: to };
      }),
    dump: (file, { overwrite, signal }) =>
      putInPlace({ file, overwrite, env: realEnv }, (draft) =>
        asAdmin(input, async (admin) => {
          await migrate(admin);
          const { schemaVersion } = await dump(admin, draft, signal);
          return { file, bytes: statSync(draft).size, schema_version: schemaVersion };
        }),
      ),
    restore: async (file, { overwrite }) => {
      const running = await findRunningServer(config.data);
      if (running) throw new AppError("already_exists", `A server runs at ${running.url}: stop it before restoring`);
      const restored = await asAdmin(input, async (admin) => {
        await migrate(admin);
        await ensureLogin(admin);
        const { schemaVersion } = await restore(admin, file, overwrite);
        return { file, bytes: statSync(file).size, schema_version: schemaVersion };
      });
      await enqueueRuns(input);
      return restored;
    },
    stop: async () => {
      if (config.database_url !== null)
        throw new AppError("invalid_request", "This database is a server of your own; stop it yourself");
      return { stopped: await stopEmbedded(config.data, realEnv) };
    },
  };
}

/** A dump holds runs and deliveries, and not their jobs. */
async function enqueueRuns(input: ServeInput): Promise<void> {
  const { db, close } = await openInstallation(input);
  try {
    const queue = await openJobQueue(db, (error) => input.logger.warn({ error }, "the queue has trouble"));
    await queue.clear(); // What is in it belongs to what was there before.
    const due = await enqueueDueRuns(db, queue);
    await db.asSystem((tx) => enqueueDueDeliveries(tx, queue));
    await enqueueDueTurns(db, queue);
    await queue.close();
    if (due > 0) input.say(`${due === 1 ? "1 run goes" : `${due} runs go`} on when Homework is started.`);
  } finally {
    await close();
  }
}

/** A connection as the administrator of the database, for as long as the work takes. */
export async function asAdmin<T>(input: ServeInput, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const access = await openAdmin(input);
  try {
    const connectWithinMs = input.config.database_connect_seconds * 1000;
    return await withDatabase({ url: access.url(), name: "homework administrator", connectWithinMs }, work);
  } finally {
    await access.release();
  }
}

/** Looks only: an embedded database that is stopped is not started to find out more. */
async function databaseStatus(input: ServeInput): Promise<DatabaseStatus> {
  const { config } = input;
  const latest = newestVersion();
  if (config.database_url === null) {
    const { server, cluster } = inspectEmbedded(config.data);
    if (server.state !== "running")
      return {
        kind: "embedded",
        address: cluster ?? config.data,
        running: false,
        server_version: null,
        schema_version: null,
        schema_latest: latest,
        pending: [],
      };
  }
  return asAdmin(input, async (admin) => {
    const version = await appliedVersion(admin);
    const { rows } = await admin.query<{ version: string }>("select current_setting('server_version') as version");
    return {
      kind: config.database_url === null ? ("embedded" as const) : ("postgres" as const),
      address: config.database_url === null ? config.data : maskPassword(config.database_url),
      running: true,
      server_version: rows[0]?.version ?? null,
      schema_version: version === 0 ? null : version,
      schema_latest: latest,
      // One that is too old cannot be migrated by this version; `homework doctor` says by which.
      pending: isTooOld(version) ? [] : migrationsAfter(version).map(({ name }) => name),
    };
  });
}

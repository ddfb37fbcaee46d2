// The database of an installation, ready to use: your own (`database_url`) or the embedded one, migrated, with our login.

import { type Database, openDatabase } from "../db/database.ts";
import { openEmbedded } from "../db/embedded/open-embedded.ts";
import type { MigrationResult } from "../db/migrate.ts";
import { prepareDatabase } from "../db/prepare.ts";
import type { Logger } from "../lib/logger.ts";
import type { Config } from "./config-schema.ts";
import { makeDataFolder } from "./data-folder.ts";
import { realEnv } from "./env.ts";

export type Opened = {
  readonly db: Database;
  readonly kind: "embedded" | "postgres";
  readonly serverVersion: string;
  readonly migrated: MigrationResult;
  /** Closes our connections and lets the embedded server go. */
  readonly close: () => Promise<void>;
};

export type OpenOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly say: (line: string) => void;
};

/** An administrator's address of the database: yours, or the embedded server's, which is started if it is stopped. */
export type AdminAccess = {
  readonly kind: Opened["kind"];
  readonly url: () => string;
  readonly ensureRunning: () => Promise<void>;
  readonly release: () => Promise<void>;
};

export async function openAdmin({ config, logger, say }: OpenOptions): Promise<AdminAccess> {
  const { database_url: own } = config;
  if (own !== null) return { kind: "postgres", url: () => own, ensureRunning: async () => {}, release: async () => {} };
  makeDataFolder(config.data);
  const platform = { uid: process.getuid?.(), pid: process.pid };
  const cluster = await openEmbedded({ dataDir: config.data, env: realEnv, logger, say, platform });
  return {
    kind: "embedded",
    url: () => cluster.adminUrl,
    ensureRunning: cluster.ensureRunning,
    release: cluster.release,
  };
}

export async function openInstallation(options: OpenOptions): Promise<Opened> {
  const admin = await openAdmin(options);
  const connectWithinMs = options.config.database_connect_seconds * 1000;
  try {
    const { url, migrated, serverVersion } = await prepareDatabase(admin.url(), { connectWithinMs });
    const db = openDatabase({
      url,
      poolSize: options.config.database_pool_size,
      connectWithinMs,
      lockWithinMs: connectWithinMs,
      onConnectionLost: (error) => void bringBack(error),
    });
    let isClosing = false;
    const bringBack = keepRunning(admin, db, options.logger, () => isClosing);
    const close = async () => {
      isClosing = true;
      await db.close();
      await admin.release();
    };
    return { db, kind: admin.kind, serverVersion, migrated, close };
  } catch (thrown) {
    await admin.release();
    throw thrown;
  }
}

/** A lost connection has the embedded database started again; one attempt at a time. */
function keepRunning(
  admin: AdminAccess,
  db: Database,
  logger: Logger,
  isClosing: () => boolean,
): (error: unknown) => Promise<void> {
  return async (error) => {
    if (isClosing()) return; // Connections end because we let go of them.
    logger.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      "lost a connection to the database",
    );
    if (admin.kind !== "embedded") return;
    try {
      const before = admin.url();
      await admin.ensureRunning();
      const { url } = admin.url() === before ? { url: null } : await prepareDatabase(admin.url());
      if (url !== null) db.moveTo(url);
    } catch (failure) {
      if (isClosing()) return;
      logger.error({ error: failure }, "the embedded database could not be started again");
    }
  };
}

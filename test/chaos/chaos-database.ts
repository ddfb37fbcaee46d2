// The PostgreSQL under the chaos: the embedded one of the data folder, which our processes bring back by themselves, or a
// postmaster of the harness's own, which the harness brings back as an init system would. Looking at it revives nothing.

import pg from "pg";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { urlOf } from "../../src/db/embedded/connection.ts";
import { dataFolderAt, readPassword } from "../../src/db/embedded/data-folder.ts";
import { inspectEmbedded } from "../../src/db/embedded/inspect-embedded.ts";
import { prepareDatabase } from "../../src/db/prepare.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { realEnv } from "../../src/main/env.ts";
import { patienceMs } from "../helpers/patience.ts";
import { startOwnPostmaster } from "./own-postmaster.ts";

export type ChaosDatabase = {
  /** For the environment of our processes. */
  readonly settings: Readonly<Record<string, string>>;
  readonly adminUrl: () => string;
  /** SIGKILL; false where it is down already. */
  readonly kill: () => boolean;
  readonly close: () => Promise<void>;
};

export function embeddedDatabase(data: string): ChaosDatabase {
  return {
    settings: {},
    adminUrl: () => {
      const password = readPassword(dataFolderAt(data)) ?? "";
      const { port, socketFolder } = inspectEmbedded(data);
      return urlOf({ port: port ?? 0, socketFolder, password, database: "homework" });
    },
    kill: () => {
      const { server } = inspectEmbedded(data);
      if (server.state !== "running") return false;
      process.kill(server.process.pid, "SIGKILL");
      return true;
    },
    close: async () => {}, // Its folder is removed with it.
  };
}

export async function ownDatabase(): Promise<ChaosDatabase> {
  const postmaster = await startOwnPostmaster();
  return {
    settings: { DATABASE_URL: postmaster.adminUrl },
    adminUrl: () => postmaster.adminUrl,
    kill: postmaster.kill,
    close: postmaster.close,
  };
}

export type Observer = {
  /** Asks until the database answers. */
  readonly ask: <T>(question: (db: Database) => Promise<T>) => Promise<T>;
  /** Asks once; null where it does not answer now. */
  readonly glance: <T>(question: (db: Database) => Promise<T>) => Promise<T | null>;
  readonly close: () => Promise<void>;
};

/** Needs it to be up, for once. */
export async function observe({ adminUrl }: ChaosDatabase): Promise<Observer> {
  const { url } = await prepareDatabase(adminUrl());
  const db = openDatabase({ url, poolSize: 2, onConnectionLost: () => {} });
  const glance: Observer["glance"] = async (question) => {
    const moved = new URL(url);
    moved.port = new URL(adminUrl()).port;
    db.moveTo(moved.href);
    try {
      return await question(db);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "database_unavailable") return null;
      throw thrown;
    }
  };
  return {
    glance,
    ask: async (question) => {
      for (const end = realEnv.now() + patienceMs; realEnv.now() < end; await realEnv.sleep(200)) {
        const answer = await glance(async (asked) => ({ value: await question(asked) }));
        if (answer !== null) return answer.value;
      }
      throw new Error(`the database did not come back within ${patienceMs / 1_000} s`);
    },
    close: () => db.close(),
  };
}

/** Ends a connection of one of our processes at random; false where there is none, or no server. */
export async function terminateBackend({ adminUrl }: ChaosDatabase): Promise<boolean> {
  return withAdmin(adminUrl(), false, async (client) => {
    const { rowCount } = await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'homework%' and pid <> pg_backend_pid() order by random() limit 1`);
    return rowCount === 1;
  });
}

export const answers = ({ adminUrl }: ChaosDatabase): Promise<boolean> =>
  withAdmin(adminUrl(), false, async (client) => (await client.query("select 1")).rowCount === 1);

async function withAdmin<T>(url: string, otherwise: T, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, application_name: "chaos" });
  client.on("error", () => {}); // Told by the query it breaks.
  try {
    await client.connect();
    return await work(client);
  } catch {
    return otherwise;
  } finally {
    await client.end().catch(() => {});
  }
}

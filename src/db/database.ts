// The database as the rest of the program sees it: transactions with an identity, and nothing without one.
//
// Invariant: every query runs inside `asUser` or `asSystem` (single statements: `system`). The login has no rights of its own, so a query that got
// past this file would fail, not leak.

import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { guarded, preparedNames } from "./guarded-pool.ts";
import type { DB } from "./schema.ts";

export type Tx = Transaction<DB>;

export type Identity = {
  readonly userId: string;
  /** The run on whose behalf the write is made; tagged onto every row it writes. */
  readonly runId?: string;
};

export type Database = {
  /** As this user: row level security shows and takes only what they may see and change. */
  readonly asUser: <T>(identity: Identity, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** As the platform: no row is hidden. For housekeeping and for what is checked in the query itself. */
  readonly asSystem: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Single statements as the platform, each a transaction of its own. */
  readonly system: Kysely<DB>;
  /** The same for a statement whose text is there already: for what is done many times a second. */
  readonly statement: <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  /** For the sign-in library; its connections see the accounts' tables only. */
  readonly authDb: Kysely<DB>;
  /** Runs work of the sign-in library, and fails if the database failed under it, even where the library hid that. */
  readonly asAuth: <T>(work: () => Promise<T>) => Promise<T>;
  /** Connection settings for a client of one's own (LISTEN). */
  readonly clientConfig: () => pg.ClientConfig;
  /** The server came back on another port; new connections go there. */
  readonly moveTo: (url: string) => void;
  readonly close: () => Promise<void>;
};

export type DatabaseOptions = {
  /** The login of ours (`roles.ts`), not an administrator. */
  readonly url: string;
  readonly poolSize: number;
  /** Told when a connection breaks or cannot be made; the pool makes a new one when it is needed. */
  readonly onConnectionLost: (error: unknown) => void;
  /** Who gets no connection for so long is told that the database is away. */
  readonly connectWithinMs?: number;
  /** How long a statement waits for a row that another transaction has locked, before it fails in the same way. */
  readonly lockWithinMs?: number;
};

/** Nothing of ours takes this long; a query that does is stopped rather than left to hold its locks. */
const timeouts = (lockMs: number) =>
  `-c statement_timeout=${3 * lockMs} -c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${6 * lockMs}`;

export function openDatabase(given: DatabaseOptions): Database {
  const { url, poolSize, onConnectionLost, connectWithinMs = 10_000, lockWithinMs = 10_000 } = given;
  const base: pg.PoolConfig = { connectionString: url, connectionTimeoutMillis: connectWithinMs, keepAlive: true };
  let current = url;
  const options = `-c search_path=homework -c timezone=UTC ${timeouts(lockWithinMs)}`;
  const makePool = (own: pg.PoolConfig) => openPool({ ...base, max: poolSize, options, ...own }, onConnectionLost);
  const pool = makePool({ application_name: "homework", types: { getTypeParser } });
  // Connections of this pool are the platform from the start, which saves a setting in every transaction.
  const systemPool = makePool({
    application_name: "homework system",
    // Its statements look rows up by their keys: one plan is as good as the next, and planning again is a waste.
    options: `${options} -c role=homework_system -c plan_cache_mode=force_generic_plan`,
    types: { getTypeParser },
  });
  const authPool = makePool({
    max: Math.max(2, Math.ceil(poolSize / 2)),
    application_name: "homework auth",
    options: `${options} -c role=homework_auth`,
  });
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: guarded(pool, onConnectionLost, () => {}, preparedNames()) }),
  });
  const guardedSystem = guarded(systemPool, onConnectionLost, () => {}, preparedNames());
  const system = new Kysely<DB>({ dialect: new PostgresDialect({ pool: guardedSystem }) });
  const hidden = new AsyncLocalStorage<{ failure: unknown }>();
  const remember = (failure: unknown) => {
    const box = hidden.getStore();
    if (box) box.failure = failure;
  };
  const authDb = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: guarded(authPool, onConnectionLost, remember) }),
  });

  return {
    asUser: (identity, work) =>
      kysely.transaction().execute(async (tx) => {
        await sql`select set_config('role', 'homework_app', true), set_config('app.user_id', ${identity.userId}, true),
                         set_config('app.run_id', ${identity.runId ?? ""}, true)`.execute(tx);
        return work(tx);
      }),
    asSystem: (work) => system.transaction().execute(work),
    system,
    statement: statementOn(guardedSystem),
    authDb,
    asAuth: async (work) => {
      const box: { failure: unknown } = { failure: null };
      const [ended] = await Promise.allSettled([hidden.run(box, work)]);
      if (box.failure !== null) throw box.failure;
      if (ended.status === "rejected") throw ended.reason;
      return ended.value;
    },
    clientConfig: () => ({ ...base, connectionString: current, application_name: "homework listener", options }),
    moveTo: (moved) => {
      current = moved;
      for (const each of [pool, systemPool, authPool]) each.options.connectionString = moved;
    },
    close: async () => {
      await Promise.all([kysely.destroy(), system.destroy(), authDb.destroy()]);
    },
  };
}

/** In pipeline mode, which guarded-pool.ts needs. */
function openPool(config: pg.PoolConfig, onConnectionLost: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool({ ...config, pipeline: true });
  pool.on("error", onConnectionLost);
  // A connection that breaks in use fails its query; without a listener it would end the process as well.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Inside a user's transaction, the rest of `work` as the platform: for what a user may cause and not write, such as the
 * state of a run. What the user may see has to be settled before.
 */
export async function asPlatform<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await sql`select set_config('role', 'homework_system', true)`.execute(tx);
  const result = await work(tx);
  await sql`select set_config('role', 'homework_app', true)`.execute(tx);
  return result;
}

const statementOn =
  (pool: pg.Pool): Database["statement"] =>
  async <Row>(text: string, values: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      const { rows } = await client.query(text, [...values]);
      return rows as Row[];
    } finally {
      client.release();
    }
  };

/** `Database.statement` inside a transaction. */
export const statementIn =
  (tx: Tx): Database["statement"] =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/** Times stay text, as ISO in UTC: exact, sortable, and ready for the wire. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  if (oid !== pg.types.builtins.TIMESTAMPTZ) return pg.types.getTypeParser(oid, format as "text");
  return (value: string) => {
    const [, day, time, fraction = ""] = /^(\S+) ([\d:]+)(?:\.(\d+))?\+00$/.exec(value) ?? [];
    return day === undefined ? value : `${day}T${time}.${fraction.padEnd(3, "0")}Z`;
  };
}

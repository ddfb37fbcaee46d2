// From an administrator's URL to a database our processes can use: roles, schema, login. And from any URL, the question
// what kind of login it is.

import pg from "pg";
import { AppError } from "../lib/app-error.ts";
import { explainConnecting, explainWork, faultError } from "./faults.ts";
import { appliedVersion, type MigrationResult, migrate, newestVersion, refuseNewer, refuseTooOld } from "./migrate.ts";
import { ensureLogin } from "./roles.ts";

/** Older servers lack what the schema uses (security invoker views, among others). */
const oldestServer = 150_000;

export type Prepared = {
  /** For `openDatabase`: a login that is no superuser and owns nothing. */
  readonly url: string;
  readonly migrated: MigrationResult;
  readonly serverVersion: string;
};

export type Rank = "administrator" | "ordinary";

/** Runs at every start; changes nothing where everything is in place. */
export async function prepareDatabase(
  url: string,
  options: Pick<ClientOptions, "connectWithinMs"> = {},
): Promise<Prepared> {
  return withDatabase({ url, name: "homework start", ...options }, async (client) => {
    const serverVersion = await checkServer(client);
    if ((await rankOf(client)) === "ordinary") return { url, migrated: await checkSchema(client), serverVersion };
    const migrated = await migrate(client);
    const login = await ensureLogin(client);
    return { url: withLogin(url, login.user, login.password), migrated, serverVersion };
  });
}

export type ClientOptions = {
  readonly url: string;
  /** What PostgreSQL shows as the name of the connection. */
  readonly name: string;
  readonly connectWithinMs?: number;
};

/** A connection of its own for as long as the work takes. */
export async function withClient<T>(options: ClientOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { url, name, connectWithinMs = 10_000 } = options;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWithinMs,
    application_name: name,
  });
  // A connection that breaks later is reported by the query that runs into it.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The same, and what is wrong with the database comes out in words that say what to do (faults.ts). */
export async function withDatabase<T>(options: ClientOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let isConnected = false;
  try {
    return await withClient(options, async (client) => {
      isConnected = true;
      return await explainingWork(client, work);
    });
  } catch (thrown) {
    throw isConnected ? thrown : explainConnecting(thrown);
  }
}

async function explainingWork<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let isLost = false;
  for (const event of ["error", "end"] as const)
    client.once(event, () => {
      isLost = true;
    });
  try {
    return await work(client);
  } catch (thrown) {
    const explained = explainWork(thrown);
    throw isLost && !(explained instanceof AppError) ? explainConnecting(thrown) : explained;
  }
}

/** An administrator can make roles; anyone else is used as it is, if it is no more than a login of ours. */
async function rankOf(client: pg.Client): Promise<Rank> {
  const { rows } = await client.query<{ can: boolean }>(
    "select rolsuper or rolcreaterole or rolbypassrls as can from pg_roles where rolname = current_user",
  );
  return rows[0]?.can ? "administrator" : "ordinary";
}

async function checkServer(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: number; text: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
  );
  const found = rows[0];
  if (!found || found.number < oldestServer)
    throw new AppError(
      "config_invalid",
      `PostgreSQL 15 or newer is needed; this server is ${found?.text ?? "unknown"}`,
    );
  return found.text;
}

/** An ordinary login cannot migrate: the schema has to be there already. */
async function checkSchema(client: pg.Client): Promise<MigrationResult> {
  await client.query("select set_config('role', 'homework_app', false)").catch((cause: unknown) => {
    const detail = cause instanceof Error ? cause.message : "";
    throw faultError("missing_right", { code: "config_invalid", detail, cause });
  });
  const version = await appliedVersion(client);
  refuseNewer(version);
  refuseTooOld(version);
  if (version < newestVersion())
    throw faultError("schema_older", { code: "schema_older", detail: `schema ${version} of ${newestVersion()}` });
  return { from: version, to: version };
}

function withLogin(url: string, user: string, password: string): string {
  const login = new URL(url);
  login.username = encodeURIComponent(user);
  login.password = encodeURIComponent(password);
  return login.href;
}

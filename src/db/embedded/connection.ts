// Talks to the embedded server as its superuser: is it ready, and is our database there?

import path from "node:path";
import pg from "pg";
import { hasCode } from "../../files/has-code.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import { faultError } from "../faults.ts";
import { withClient } from "../prepare.ts";
import { diskFull } from "./file-error.ts";
import { superuser } from "./initdb.ts";

/** On a unix socket in this folder, or, where it is null, on TCP; the port is in the name of the socket. */
export type Address = { readonly port: number; readonly socketFolder: string | null };
export type Login = Address & { readonly password: string; readonly database: string };

export type Readiness = "ready" | "no_database" | "not_yet" | "wrong_password";

/** The database that every cluster has. */
const maintenance = "postgres";
const sqlDiskFull = "53100";
const pollMs = 25;

export function urlOf({ port, socketFolder, password, database }: Login): string {
  const url = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  return socketFolder === null ? url : `${url}?host=${encodeURIComponent(socketFolder)}`;
}

/** Waits until the server, once it says where it listens, lets us in, `stillThere` turns false, or the time is up. */
export async function untilReady(
  findLogin: () => Login | undefined,
  env: Env,
  waitMs: number,
  stillThere: () => boolean,
): Promise<Readiness> {
  const deadline = env.now() + waitMs;
  for (;;) {
    const login = findLogin();
    const readiness = login ? await readinessOf(login) : "not_yet";
    if (readiness !== "not_yet" || env.now() >= deadline || !stillThere()) return readiness;
    await env.sleep(pollMs);
  }
}

/** Makes the database that `untilReady` did not find. Call it inside the lock. */
export async function createDatabase(login: Login, cluster: string): Promise<void> {
  try {
    const create = `create database ${pg.escapeIdentifier(login.database)}`;
    await asSuperuser({ ...login, database: maintenance }, (client) => client.query(create));
  } catch (cause) {
    if (hasCode(cause, sqlDiskFull)) throw diskFull(cluster, cause);
    const message = `The embedded database did not let us create "${login.database}"`;
    throw new AppError("database_unavailable", message, { cause });
  }
}

/** Does the server at this port say that it works on this cluster? */
export async function servesFolder(login: Omit<Login, "database">, cluster: string): Promise<boolean> {
  try {
    const answer = await asSuperuser({ ...login, database: maintenance }, (client) =>
      client.query("show data_directory"),
    );
    const folder: unknown = answer.rows[0]?.data_directory;
    return typeof folder === "string" && path.resolve(folder) === path.resolve(cluster);
  } catch {
    return false;
  }
}

async function readinessOf(login: Login): Promise<Readiness> {
  try {
    await asSuperuser(login, (client) => client.query("select 1"));
    return "ready";
  } catch (error) {
    if (hasCode(error, "3D000")) return "no_database";
    // 57P03: it is starting, recovering or stopping. 28P01, 28000: not our password.
    if (hasCode(error, "28P01", "28000")) return "wrong_password";
    if (hasCode(error, "57P03", "ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE")) return "not_yet";
    // Any other answer in PostgreSQL's own codes (too many connections) comes from a server that runs.
    return error instanceof pg.DatabaseError ? "ready" : "not_yet";
  }
}

const asSuperuser = <T>(login: Login, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ url: urlOf(login), name: "homework supervisor" }, work);

export const wrongPassword = (file: string): AppError =>
  faultError("embedded_password", { code: "config_invalid", detail: file });

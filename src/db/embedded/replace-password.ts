// Gives the superuser a new password when the file that held it is gone. The cluster's files are ours all the same,
// so this opens no door that was closed. It needs the server to be down, so no other process may be using it.

import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { Binaries } from "./binaries.ts";
import { type DataFolder, keepPassword, newPassword } from "./data-folder.ts";
import { findPostmaster } from "./find-postmaster.ts";
import { superuser } from "./initdb.ts";
import type { OsUser } from "./os-user.ts";
import { run } from "./run.ts";
import { stopPostmaster } from "./stop-postmaster.ts";
import { usersOf } from "./users.ts";

export type ReplaceRequest = {
  readonly data: DataFolder;
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: OsUser | null;
  readonly env: Env;
  readonly say: (line: string) => void;
};

/** After a crash this replays the log first. */
const timeoutMs = 90_000;

/** Call it inside the lock, signed in. */
export async function replacePassword({ data, cluster, binaries, user, env, say }: ReplaceRequest): Promise<string> {
  const gone = `The password file ${data.password} of the embedded database is gone`;
  const others = usersOf(data.users).length - 1;
  if (others > 0)
    throw new AppError("config_invalid", `${gone}. End the ${others} processes that use it, then start again.`);
  say(`${gone}; making a new one`);
  const found = findPostmaster(cluster);
  if (found.state === "running") await stopPostmaster(found.process, env);
  // Made of letters, digits, - and _: no quote can be in it. The server's single-user mode takes one command per line.
  const password = newPassword();
  const input = `alter role ${superuser} password '${password}'\n`;
  const args = ["--single", "-D", cluster, "-c", "exit_on_error=on", "postgres"];
  const { code, output } = await run(binaries.postgres, args, { user, timeoutMs, input });
  if (code === 0) return keepPassword(data, password);
  throw new AppError(
    "config_invalid",
    `${gone}. Put it back from a backup. PostgreSQL said:\n${output.replaceAll(password, "…").trim().slice(-2000)}`,
  );
}

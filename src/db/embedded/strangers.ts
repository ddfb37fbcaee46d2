// A data folder on a shared disk: another machine, or another container, may have a server on the same cluster that we
// cannot see. Two servers on one cluster destroy it, so before we start one, the others must have gone quiet.

import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { DataFolder } from "./data-folder.ts";
import { strangersOf } from "./users.ts";

export type StrangersRequest = {
  readonly data: DataFolder;
  readonly env: Env;
  readonly say: (line: string) => void;
  /** Freshens our own file and returns its time. */
  readonly freshen: () => number;
};

/** Longer than a file of a process that was killed stays fresh. */
const waitMs = 30_000;
const pollMs = 500;

/** Call it inside the lock, signed in: of two who come at once, at least one sees the other. */
export async function untilStrangersGone({ data, env, say, freshen }: StrangersRequest): Promise<void> {
  const deadline = env.now() + waitMs;
  for (let round = 0; strangersOf(data.users, freshen()).length > 0; round++) {
    if (round === 0)
      say("The database was just in use on another machine or in another container; waiting for its end");
    if (env.now() >= deadline) throw inUseElsewhere(data);
    await env.sleep(pollMs);
  }
}

function inUseElsewhere(data: DataFolder): AppError {
  return new AppError(
    "config_invalid",
    `The embedded database in ${data.path} is in use on another machine or in another container. It serves one machine at a time: end Homework there, or set DATABASE_URL to a PostgreSQL that all of them can reach.`,
    { details: { users: data.users } },
  );
}

// What its user calls a run, and whether it is put away. Neither changes what the run does, so its row is not locked for work: the
// user's lists are told, and so are the pages that show it. As the platform.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { appendToFeed, lockFeed } from "../notification/feed-store.ts";
import { runTopic, tellTopics } from "../notification/topics.ts";

export type RunLabel = {
  /** Null: how the objective begins; left out: as it is. */
  readonly title?: string | null | undefined;
  readonly isArchived?: boolean | undefined;
};

export async function labelRun(tx: Tx, userId: UserId, runId: string, { title, isArchived }: RunLabel): Promise<void> {
  await sql`update homework_runs set
      title = case when ${title !== undefined} then ${title ?? null}::text else title end,
      archived_at = case when ${isArchived ?? null}::boolean is null then archived_at
        when ${isArchived ?? null}::boolean then coalesce(archived_at, run_now()) end
    where id = ${runId}`.execute(tx);
  await lockFeed(tx, userId);
  await appendToFeed(tx, userId, "run_changed", { id: runId });
  await tellTopics(tx, [runTopic(runId)]);
}

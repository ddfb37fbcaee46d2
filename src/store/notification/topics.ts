// What live streams are about, by name; also the payloads by which listeners are told that there is something new.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";

/** Where the hints about them are sent. */
export const changesChannel = "homework_changes";

export const runTopic = (runId: string) => `run:${runId}`;
export const userTopic = (userId: string) => `user:${userId}`;
export const chatTopic = (chatId: string) => `chat:${chatId}`;
/** Not of something that happened: streams of this user look whether they may still be open. */
export const accountTopic = (userId: string) => `account:${userId}`;
export const outcomeTopic = (outcomeId: string) => `outcome:${outcomeId}`;

/** Listeners are told when the transaction is committed. */
export async function tellTopics(tx: Tx, topics: Iterable<string>): Promise<void> {
  await sql`select pg_notify(${changesChannel}, topic) from unnest(${[...topics]}::text[]) as topic`.execute(tx);
}

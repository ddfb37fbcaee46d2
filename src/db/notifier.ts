// Tells listeners that something was written, a moment after it was: many hints in one statement. PostgreSQL lets only one
// committing transaction notify at a time, so hints inside of every transaction would make all of them wait for each other's
// disk. A lost hint does no harm: listeners look again from time to time and after every reconnection.

import { sql } from "kysely";
import type { Env } from "../lib/env.ts";
import type { Database } from "./database.ts";

export type Notifier = {
  readonly tell: (payload: string) => void;
  /** Says what is left to say. */
  readonly close: () => Promise<void>;
};

/** People see no difference, and a thousand steps a second become forty statements. */
const everyMs = 25;

export function startNotifier(db: Database, channel: string, env: Env): Notifier {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const payloads = [...waiting];
      waiting.clear();
      // Away: then its listeners are, too, and will look again when they are back.
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`
        .execute(db.system)
        .catch(() => {});
      await env.sleep(everyMs);
    }
    sending = null;
  }

  return {
    tell: (payload) => {
      waiting.add(payload);
      sending ??= send();
    },
    close: async () => {
      await sending;
    },
  };
}

// Looks for answers whose process died or ended in the middle of them, and has this one go on with them. Every server may look:
// an answer is taken under a fence, so one of them gets it.

import type { Database } from "../db/database.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { findDueAnswers } from "../store/chat/chat-answer-store.ts";
import type { ChatDesk } from "./chat-desk.ts";

export type CarryOnOptions = {
  readonly db: Database;
  readonly desk: Pick<ChatDesk, "start" | "isWriting">;
  readonly env: Env;
  readonly logger: Logger;
};

/** A process counts as dead after 15 s without a sign of life; this comes on top. */
const everyMs = 3_000;
/** Answers begun in one round; the next round finds the others. */
const atOnce = 20;

export function startCarryingOn(options: CarryOnOptions): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const running = keepLooking(options, stop.signal);
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function keepLooking({ db, desk, env, logger }: CarryOnOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const due = await db.asSystem((tx) => findDueAnswers(tx, atOnce));
      for (const each of due) if (!signal.aborted && !desk.isWriting(each.chatId)) desk.start(each);
    } catch (error) {
      logger.warn({ error }, "could not look for answers that were left; will try again");
    }
    await env.sleep(everyMs, signal).catch(() => {});
  }
}

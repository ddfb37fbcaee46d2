// Hears what people write to the bot: asks for updates, and carries each of them out in the transaction that takes it, so that none is
// carried out twice and none is lost. One process at a time may do this; src/loop/telegram-handler.ts sees to it.

import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../lib/logger.ts";
import { keepBot, nextUpdate, noteHeard, takeUpdate } from "../../store/channel/telegram-store.ts";
import type { BotApi, BotCall, BotFailure } from "./bot-api.ts";
import { carryOutUpdate, type UpdateDeps } from "./carry-out-update.ts";
import { readUpdate, type Update, update } from "./read-update.ts";

export type ListenDeps = Omit<UpdateDeps, "botId"> & {
  readonly db: Database;
  readonly bot: BotApi;
  readonly logger: Logger;
  /** How long Telegram keeps a question for updates open. */
  readonly pollSeconds: number;
};

/** Beyond the time that Telegram may take. */
const slackMs = 10_000;
/** For a call that is answered at once. */
const callMs = 15_000;
const updatesMax = 100;
/** A bug must not keep everyone's answers waiting: an update that fails so often is passed over, and said to be. */
const failuresMax = 5;

const me = z.object({ id: z.number(), username: z.string() });

/** How often each update has failed in this process. */
export type UpdateFailures = Map<number, number>;

/** Keeps the bot's name, by which people find it. */
export async function introduceBot({ db, bot }: ListenDeps, signal: AbortSignal): Promise<BotFailure | null> {
  const answer = await bot.call({ method: "getMe", body: {} }, me, { timeoutMs: callMs, signal });
  if (answer.kind === "failed") return answer;
  await db.asSystem((tx) => keepBot(tx, bot.botId, answer.result.username));
  return null;
}

/** One question for updates; null: it was answered, and what came was carried out. */
export async function hearUpdates(
  deps: ListenDeps,
  failures: UpdateFailures,
  signal: AbortSignal,
): Promise<BotFailure | null> {
  const { db, bot, pollSeconds } = deps;
  const offset = await db.asSystem((tx) => nextUpdate(tx, bot.botId));
  const body = { offset, limit: updatesMax, timeout: pollSeconds, allowed_updates: ["message", "callback_query"] };
  const answer = await bot.call({ method: "getUpdates", body }, z.array(update), {
    timeoutMs: pollSeconds * 1_000 + slackMs,
    signal,
  });
  const error = answer.kind === "failed" ? answer.why : null;
  await db.asSystem((tx) => noteHeard(tx, bot.botId, error));
  if (answer.kind === "failed") return answer;
  for (const each of answer.result) {
    signal.throwIfAborted();
    await hearOne(deps, failures, each, signal);
  }
  return null;
}

async function hearOne(deps: ListenDeps, failures: UpdateFailures, each: Update, signal: AbortSignal): Promise<void> {
  const { db, bot, logger } = deps;
  try {
    const calls = await db.asSystem(async (tx) => {
      if (!(await takeUpdate(tx, bot.botId, each.update_id))) return [];
      const said = readUpdate(each);
      return said === null ? [] : carryOutUpdate({ ...deps, botId: bot.botId }, tx, said);
    });
    failures.delete(each.update_id);
    for (const call of calls) await tellSafely(deps, call, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    const times = (failures.get(each.update_id) ?? 0) + 1;
    failures.set(each.update_id, times);
    if (times < failuresMax) throw thrown;
    logger.error(
      { error: thrown, update: each.update_id },
      "an update of Telegram was passed over: it failed too often",
    );
    failures.delete(each.update_id);
    await db.asSystem((tx) => takeUpdate(tx, bot.botId, each.update_id));
  }
}

/** What was said is carried out by now; should the words get lost, the next press says that it is answered. */
async function tellSafely({ bot, logger }: ListenDeps, call: BotCall, signal: AbortSignal): Promise<void> {
  const answer = await bot.call(call, z.unknown(), { timeoutMs: callMs, signal });
  if (answer.kind === "failed") logger.warn({ method: call.method, why: answer.why }, "a chat could not be told");
}

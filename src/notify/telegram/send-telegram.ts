// Sends a delivery to a linked Telegram chat. A user who blocked the bot gets no more; a wait that Telegram asks for is kept.

import { z } from "zod";
import { assert } from "../../lib/assert.ts";
import type { Send, Sent } from "../send.ts";
import type { BotApi, BotFailure } from "./bot-api.ts";
import { writeMessage } from "./write-message.ts";

export type TelegramSettings = {
  readonly bot: BotApi;
  /** Where people reach this installation, for links. */
  readonly origin: string;
};

const timeoutMs = 15_000;
const sentMessage = z.object({ message_id: z.number() });

export const telegramSender =
  ({ bot, origin }: TelegramSettings): Send =>
  async ({ delivery: { id, channel, payload } }, signal) => {
    const { target } = channel;
    assert(target.kind === "telegram", "a message is sent to a chat");
    if (target.botId !== bot.botId)
      return { kind: "gone", why: "The bot of this installation has changed: link Telegram again", status: null };
    const body = { chat_id: target.chatId, ...writeMessage(id, payload, origin) };
    const answer = await bot.call({ method: "sendMessage", body }, sentMessage, { timeoutMs, signal });
    if (answer.kind === "failed") return judgeFailure(answer);
    return { kind: "delivered", status: 200, messageId: answer.result.message_id };
  };

/** 403: the user blocked the bot or deleted the account. 400: this very message is wrong, and stays so. */
function judgeFailure({ status, why, afterMs }: BotFailure): Sent {
  if (status === 403) return { kind: "gone", why, status };
  if (status === 400) return { kind: "refused", why, status };
  return { kind: "failed", why, status, afterMs };
}

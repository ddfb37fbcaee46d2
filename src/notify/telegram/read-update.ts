// What someone did in a chat with the bot: one of the few things we know, or nothing. Only private chats count: in a group, others
// could read and answer.

import { z } from "zod";
import { readPress } from "./write-message.ts";

const chat = z.object({
  id: z.number(),
  type: z.string(),
  username: z.string().optional(),
  first_name: z.string().optional(),
});

const message = z.object({
  message_id: z.number(),
  chat,
  text: z.string().optional(),
  reply_to_message: z.object({ message_id: z.number() }).optional(),
});

/** Loose: an update of another kind is passed over, never an error. */
export const update = z.object({
  update_id: z.number().int(),
  message: message.optional().catch(undefined),
  callback_query: z
    .object({
      id: z.string(),
      from: z.object({ id: z.number() }),
      data: z.string().optional(),
      message: z.object({ message_id: z.number(), chat }).optional(),
    })
    .optional()
    .catch(undefined),
});
export type Update = z.infer<typeof update>;

export type Said =
  | { readonly kind: "start"; readonly chatId: number; readonly code: string; readonly chatName: string }
  | { readonly kind: "stop"; readonly chatId: number }
  | ({
      readonly kind: "press";
      readonly chatId: number;
      readonly callbackId: string;
      readonly messageId: number;
    } & Press)
  | { readonly kind: "reply"; readonly chatId: number; readonly messageId: number; readonly text: string }
  /** Something else was said: the chat is told what it can do. */
  | { readonly kind: "other"; readonly chatId: number };

type Press = { readonly deliveryId: string; readonly question: number; readonly option: number };

/** Null: nothing for us. */
export function readUpdate({ message: said, callback_query: pressed }: Update): Said | null {
  if (pressed?.message?.chat.type === "private" && pressed.from.id === pressed.message.chat.id)
    return readPressed(pressed.id, pressed.data ?? "", pressed.message.chat.id, pressed.message.message_id);
  if (said?.chat.type === "private") return readSaid(said);
  return null;
}

function readPressed(callbackId: string, data: string, chatId: number, messageId: number): Said {
  const press = readPress(data);
  if (press === null) return { kind: "other", chatId };
  const { id: deliveryId, question, option } = press;
  return { kind: "press", chatId, callbackId, messageId, deliveryId, question, option };
}

/** An answer on a page may be as long. */
const textMax = 10_000;

function readSaid({
  chat: { id: chatId, username, first_name },
  text = "",
  reply_to_message,
}: z.infer<typeof message>): Said {
  const words = text.trim();
  const start = /^\/start(?:@\w+)?\s+([\w-]{1,64})$/.exec(words);
  if (start) {
    const chatName = username === undefined ? (first_name ?? "Telegram") : `@${username}`;
    return { kind: "start", chatId, code: start[1] ?? "", chatName };
  }
  if (/^\/stop(?:@\w+)?$/.test(words)) return { kind: "stop", chatId };
  if (reply_to_message !== undefined && words !== "" && words.length <= textMax)
    return { kind: "reply", chatId, messageId: reply_to_message.message_id, text: words };
  return { kind: "other", chatId };
}

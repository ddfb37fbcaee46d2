// An answer of a chat is over before its end: what waits for a word is turned down.

import type { Tx } from "../db/database.ts";
import type { ChatId, ChatMessage } from "../domain/chat/chat.ts";
import { setAnswerState, setCallStates } from "../store/chat/chat-answer-store.ts";
import { tellChat } from "../store/chat/chat-store.ts";

/** Everything that waits is turned down, and the answer is over. */
export async function turnDown(tx: Tx, chatId: ChatId, { seq, calls }: ChatMessage, why: string): Promise<void> {
  const waiting = calls.filter(({ state }) => state === "pending").map(({ callId }) => callId);
  await setCallStates(tx, { chatId, seq }, waiting, "rejected", why);
  await setAnswerState(tx, { chatId, seq }, "stopped");
}

/** Also tells those who watch. */
export async function stopAnswer(tx: Tx, chatId: ChatId, open: ChatMessage, why: string): Promise<void> {
  await turnDown(tx, chatId, open, why);
  await tellChat(tx, chatId, "done", { message_seq: open.seq, state: "stopped", model: open.model });
}

// Carries out what someone did in a chat, in the transaction that takes the update, and says what the chat is told afterwards. Only the
// chat that is linked to a user answers for that user.

import type { Tx } from "../../db/database.ts";
import { type AskedQuestion, type GivenAnswer, readAsked } from "../../domain/channel/asked.ts";
import { type Channel, type ChannelId, channelNameMax, usualEvents } from "../../domain/channel/channel.ts";
import { unreachable } from "../../lib/assert.ts";
import { deleteChannel, insertChannel } from "../../store/channel/channel-store.ts";
import { type AskedDelivery, keepAnswers, lockAsked } from "../../store/channel/delivery-store.ts";
import { lockChat, useCode } from "../../store/channel/telegram-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { cleanText } from "../../store/json.ts";
import { type Answerables, findAnswerable } from "../answerable.ts";
import type { BotCall } from "./bot-api.ts";
import { hashCode } from "./link-code.ts";
import type { Said } from "./read-update.ts";

export type UpdateDeps = {
  readonly botId: number;
  readonly answerables: Answerables;
  readonly newId: () => string;
};

/** What the chat is told once this is committed. Should that fail, nothing but the words is lost. */
export async function carryOutUpdate(deps: UpdateDeps, tx: Tx, said: Said): Promise<readonly BotCall[]> {
  const channel = await lockChat(tx, deps.botId, said.chatId);
  if (said.kind === "start") return [tell(said.chatId, await link(deps, tx, channel, said))];
  if (channel === null) return refuseStranger(said);
  switch (said.kind) {
    case "stop":
      await deleteChannel(tx, channel.id);
      await writeAudit(tx, { actorId: channel.userId, action: "channel_removed", target: `channel:${channel.id}` });
      return [tell(said.chatId, "This chat is no longer linked. You get no more messages from Homework.")];
    case "press":
      return answerPress(deps, tx, channel, said);
    case "reply":
      return [tell(said.chatId, await answerReply(deps, tx, channel, said))];
    case "other":
      return [tell(said.chatId, "Reply to a question to answer it. /stop unlinks this chat.")];
    default:
      return unreachable(said);
  }
}

const tell = (chatId: number, text: string): BotCall => ({ method: "sendMessage", body: { chat_id: chatId, text } });

const notLinked = "This chat is not linked. Link it in Homework under Settings, Channels.";

const refuseStranger = (said: Said): readonly BotCall[] => [
  said.kind === "press" ? flash(said.callbackId, notLinked) : tell(said.chatId, notLinked),
];

/** Shown above the chat for a moment; it also ends the wait of the button. */
const flash = (callbackId: string, text: string): BotCall => ({
  method: "answerCallbackQuery",
  body: { callback_query_id: callbackId, text },
});

async function link(
  { botId, newId }: UpdateDeps,
  tx: Tx,
  linked: Channel | null,
  { chatId, code, chatName }: Extract<Said, { kind: "start" }>,
): Promise<string> {
  if (linked !== null) return "This chat is already linked. Send /stop first to link it to another account.";
  const userId = await useCode(tx, hashCode(code));
  if (userId === null) return "This code is not valid any more. Make a new one in Homework under Settings, Channels.";
  const id = newId() as ChannelId;
  const name = cleanText(chatName).slice(0, channelNameMax);
  await insertChannel(tx, { id, userId, name, events: usualEvents, target: { kind: "telegram", botId, chatId } });
  await writeAudit(tx, { actorId: userId, action: "channel_added", target: `channel:${id}` });
  return "Linked. Homework tells you here when a run needs you or has ended. /stop unlinks this chat.";
}

async function answerPress(
  deps: UpdateDeps,
  tx: Tx,
  channel: Channel,
  { chatId, callbackId, messageId, ...pressed }: Extract<Said, { kind: "press" }>,
): Promise<readonly BotCall[]> {
  const asked = await lockAsked(tx, channel.id, { id: pressed.deliveryId });
  const question = asked === null ? undefined : readAsked(asked.payload.data)[pressed.question];
  const option = question?.options[pressed.option];
  if (asked === null || question === undefined || option === undefined) return [flash(callbackId, noQuestion)];
  const heard = await hear(deps, tx, channel, asked, { questionId: question.id, optionId: option.id });
  const words = heard.kind === "taken" ? `Answer sent: ${option.label}` : heard.words;
  return [
    flash(callbackId, words.slice(0, flashMax)),
    ...(heard.kind === "open" ? [] : [withoutButtons(chatId, messageId)]),
    tell(chatId, words),
  ];
}

/** Telegram takes 200 characters. */
const flashMax = 200;

const withoutButtons = (chatId: number, messageId: number): BotCall => ({
  method: "editMessageReplyMarkup",
  body: { chat_id: chatId, message_id: messageId, reply_markup: { inline_keyboard: [] } },
});

const noQuestion = "There is no open question in that message.";
const closedWords = "This question is closed: it was answered already, or the run has moved on.";

async function answerReply(
  deps: UpdateDeps,
  tx: Tx,
  channel: Channel,
  { messageId, text }: Extract<Said, { kind: "reply" }>,
): Promise<string> {
  const asked = await lockAsked(tx, channel.id, { messageId });
  const open = asked === null ? [] : stillOpen(asked);
  // A reply after the last answer belongs to the question, and hears that it is closed.
  const question = open[0] ?? (asked === null ? undefined : readAsked(asked.payload.data).at(-1));
  if (asked === null || question === undefined) return noQuestion;
  const heard = await hear(deps, tx, channel, asked, { questionId: question.id, text: cleanText(text) });
  return heard.kind === "taken" ? "Answer sent." : heard.words;
}

const stillOpen = ({ payload, answers }: AskedDelivery): readonly AskedQuestion[] =>
  readAsked(payload.data).filter(({ id }) => answers.every(({ questionId }) => questionId !== id));

type Heard =
  | { readonly kind: "taken" }
  /** Other questions are open, or the answer was refused. */
  | { readonly kind: "open"; readonly words: string }
  | { readonly kind: "closed"; readonly words: string };

/** With the answer to its last question the thing is answered; until then the others are kept. */
async function hear(
  { answerables }: UpdateDeps,
  tx: Tx,
  { userId }: Channel,
  asked: AskedDelivery,
  answer: GivenAnswer,
): Promise<Heard> {
  const found = findAnswerable(answerables, asked.about);
  if (found === null || !asked.isCurrent || !(await found.of.isOpen(tx, found.id, userId)))
    return { kind: "closed", words: closedWords };
  const answers = [...asked.answers.filter(({ questionId }) => questionId !== answer.questionId), answer];
  await keepAnswers(tx, asked.id, answers);
  const [next] = stillOpen({ ...asked, answers });
  if (next !== undefined) return { kind: "open", words: `Noted. Still to answer: ${next.text}` };
  const outcome = await found.of.answer(tx, found.id, answers, userId);
  if (outcome.kind === "refused") return { kind: "open", words: outcome.why };
  return outcome.kind === "taken" ? outcome : { kind: "closed", words: closedWords };
}

// `homework chat`: asking about one's things, once or in a conversation. What would change something is asked about first.

import { type Command, Option } from "commander";
import { chatLimits } from "../../domain/chat/chat.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Chat, type ChatMessage, routes } from "../../protocol/api.ts";
import { askAboutCalls, decideCalls, waitingOf } from "../chats/confirm-calls.ts";
import { openChat, type WhichChat } from "../chats/find-chat.ts";
import { type DueAnswer, followAnswer } from "../chats/follow-answer.ts";
import { Ended } from "../exit-code.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { readForeignTexts } from "../runs/hand-over.ts";
import { askOnce } from "../runs/questions.ts";
import { type ForeignOptions, foreignOption } from "../runs/run-options.ts";

type Options = WhichChat & ForeignOptions & { readonly approve?: true; readonly reject?: true };

/** A decision says nothing, so these would do nothing beside it. */
const ofMessages = ["run", "foreign"];

export function addChatCommand(program: Command, host: Host): void {
  const chat = program
    .command("chat [text]")
    .description(
      "ask about your things; without a text it is a conversation, until Ctrl-D. Nothing is changed before you say yes to it",
    )
    .summary("ask about your things")
    .option("-s, --session <conversation>", 'continue a conversation: its id, the start of it, or "last"')
    .option("-r, --run <run>", 'start with what is known about a run: its id, the start of it, or "last"')
    .addOption(foreignOption())
    .addOption(new Option("--approve", "approve everything that is pending in the conversation").conflicts(ofMessages))
    .addOption(new Option("--reject", "say no to it").conflicts(["approve", ...ofMessages]))
    .action(apiAction<[string | undefined, Options]>(host, talk));
  examples(chat, [
    `chat "What is due this week?"`,
    "chat",
    `chat --run last "Why did the last check fail?"`,
    "chat --session last --approve",
  ]);
}

async function talk(given: ApiInvocation, text: string | undefined, options: Options): Promise<void> {
  const { api, host, output } = given;
  if (options.approve || options.reject) return decideAll(given, text, options);
  if (options.foreign !== undefined && text === undefined)
    throw new AppError("invalid_request", 'Say what to do with the text: homework chat "…" --foreign FILE');
  const isConversation = text === undefined && host.terminal.isInteractive && !output.isJson;
  const first = isConversation ? null : checked(await readText(host, text));
  const chat = await openChat(api, options);
  if (first === null) return converse(given, chat);
  showEnd(given, chat, await say(given, chat, first, await readForeignTexts(host, options.foreign)));
}

async function readText(host: Host, text: string | undefined): Promise<string> {
  return text === undefined || text === "-" ? host.terminal.readInput() : text;
}

function checked(text: string): string {
  if (text.trim() === "") throw new AppError("invalid_request", 'Say what you want to know: homework chat "…"');
  if (text.length > chatLimits.text)
    throw new AppError(
      "invalid_request",
      `The message has ${text.length} characters, ${chatLimits.text} are possible: put the long part into a document`,
    );
  return text;
}

/** Says it, and follows the answer with everything that has to be decided on the way. */
async function say(
  given: ApiInvocation,
  chat: Chat,
  text: string,
  foreignTexts?: Awaited<ReturnType<typeof readForeignTexts>>,
): Promise<ChatMessage> {
  const body = { text, foreign_texts: foreignTexts };
  const sent = await given.api(routes.chats.send, { params: { chatId: chat.id }, body });
  return settle(given, { chatId: chat.id, answerSeq: sent.answer_seq, since: sent.since_seq });
}

/** Ends because an answer does: it has a limited number of messages. */
async function settle(given: ApiInvocation, due: DueAnswer): Promise<ChatMessage> {
  for (let next = due; ; ) {
    const message = await followAnswer(given, next);
    if (message.state !== "awaiting_confirmation") return message;
    const words = await askAboutCalls(given, message);
    if (words === null) return message;
    next = await goOn(given, due.chatId, message, words);
  }
}

async function goOn(
  given: ApiInvocation,
  chatId: string,
  message: ChatMessage,
  words: readonly ("approve" | "reject")[],
): Promise<DueAnswer> {
  const { chat } = await given.api(routes.chats.get, { params: { chatId }, query: { limit: 1 } });
  await decideCalls(given, chatId, message, words);
  return { chatId, answerSeq: message.seq, since: chat.last_seq };
}

async function decideAll(given: ApiInvocation, text: string | undefined, options: Options): Promise<void> {
  const { session, approve, reject } = options;
  if (session === undefined || text !== undefined || (approve && reject))
    throw new AppError("invalid_request", "Give --session with either --approve or --reject, and no text");
  const chat = await openChat(given.api, { session });
  const { messages } = await given.api(routes.chats.get, { params: { chatId: chat.id }, query: { limit: 1 } });
  const message = messages.items[0];
  if (message?.state !== "awaiting_confirmation")
    throw new AppError("wrong_status", "Nothing in this conversation needs your approval");
  const words = waitingOf(message).map(() => (approve ? ("approve" as const) : ("reject" as const)));
  showEnd(given, chat, await settle(given, await goOn(given, chat.id, message, words)));
}

/** As data; on a terminal the text is there already. */
function showEnd(given: ApiInvocation, chat: Chat, message: ChatMessage): void {
  const { host, output, url } = given;
  const isShown = host.terminal.columns !== null && !output.isJson;
  output.data({ chat_id: chat.id, url: new URL(chat.url, url).href, message }, () =>
    isShown ? "" : output.text(message.text),
  );
  tellState(given, chat, message);
  if (message.state === "failed") throw new Ended("failed");
}

function tellState({ output }: ApiInvocation, chat: Chat, message: ChatMessage): void {
  if (message.is_demo) output.say("(The demo model answers: rules, no AI. See: homework model list)");
  if (message.error !== null) output.warn(message.error);
  if (message.state === "awaiting_confirmation")
    output.warn(`Your approval is needed: homework chat --session ${chat.id} --approve, or --reject`);
}

async function converse(given: ApiInvocation, chat: Chat): Promise<void> {
  const { output } = given;
  output.say("Ask away; Ctrl-D ends it.");
  for (let typed = await askOnce(given); typed !== null; typed = await askOnce(given))
    tellState(given, chat, await say(given, chat, checked(typed)));
  output.say(`Continue with: homework chat --session ${chat.id}`);
}

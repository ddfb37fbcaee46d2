// Conversations: beginning one, saying something, deciding about what waits, stopping. The answer is written by the engine
// behind the desk, after what asks for it is committed. Everything is done as the user, so those of others are not there.

import type { Tx } from "../../db/database.ts";
import { type Chat, type ChatId, type ChatMessage, chatLimits } from "../../domain/chat/chat.ts";
import { type CallDecision, decideCalls } from "../../domain/chat/decide-calls.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { ForeignText } from "../../domain/policy/foreign-text.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/assert.ts";
import { cutAtWord } from "../../lib/slice-text.ts";
import { routes } from "../../protocol/api.ts";
import { setAnswerState, setCallStates, takeAnswer } from "../../store/chat/chat-answer-store.ts";
import {
  addMessage,
  countOpenAnswers,
  createChat,
  deleteChat,
  findChat,
  findMessage,
  listChats,
  listMessages,
  lockChat,
  openAnswer,
  renameChat,
} from "../../store/chat/chat-store.ts";
import { findNode } from "../../store/entity/entity-store.ts";
import { findProject } from "../../store/entity/project-store.ts";
import { findRunView } from "../../store/run-view/run-view-store.ts";
import type { ChatDesk } from "../chat-desk.ts";
import { pageOfChat, toWireChat, toWireMessage } from "../chat-wire.ts";
import { type MountDeps, mountUser, type UserRequest } from "../mount.ts";
import { stopAnswer, turnDown } from "../stop-answer.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";

type ChatRouteDeps = MountDeps & { readonly desk: ChatDesk };

export function mountChatRoutes(deps: ChatRouteDeps): void {
  mountUser(deps, routes.chats.create, async ({ tx, actor, body }) => {
    const context = await contextOf(tx, body.entity_id);
    const id = deps.env.newId() as ChatId;
    return toWireChat(
      await createChat(tx, { id, userId: actor.userId, title: body.title ?? "", runId: null, ...context }),
    );
  });

  mountUser(deps, routes.chats.list, async ({ tx, query }) => toWirePage(await listChats(tx, query), toWireChat));

  mountUser(deps, routes.chats.get, async ({ tx, params: { chatId }, query }) => {
    const chat = foundOrThrow(await findChat(tx, chatId), "conversation");
    const page = { limit: query.limit, cursor: query.messages_cursor };
    return { chat: toWireChat(chat), messages: toWirePage(await listMessages(tx, chatId, page), toWireMessage) };
  });

  mountUser(deps, routes.chats.rename, async ({ tx, params, body }) =>
    toWireChat(foundOrThrow(await renameChat(tx, params.chatId, body.title), "conversation")),
  );

  mountUser(deps, routes.chats.remove, async ({ tx, params, afterCommit }) => {
    const chat = await lockedChat(tx, params.chatId);
    await stopOpen(tx, chat.id);
    await deleteChat(tx, chat.id);
    afterCommit(() => deps.desk.stop(chat.id));
    return toWireChat(chat);
  });

  mountUser(deps, routes.chats.followUp, (request) => followUp(deps, request));

  mountUser(deps, routes.chats.send, async ({ tx, actor, params, body, afterCommit }) => {
    const chat = await lockedChat(tx, params.chatId);
    const sent = await send(tx, chat, body.text, body.foreign_texts);
    afterCommit(() => deps.desk.start({ chatId: chat.id, userId: actor.userId }));
    return sent;
  });

  mountUser(deps, routes.chats.confirm, (request) => confirm(deps, request));

  mountUser(deps, routes.chats.stop, async ({ tx, params, afterCommit }) => {
    const chat = await lockedChat(tx, params.chatId);
    const stopped = await stopOpen(tx, chat.id);
    afterCommit(() => deps.desk.stop(chat.id));
    return { stopped_seq: stopped?.seq ?? null };
  });
}

const lockedChat = async (tx: Tx, chatId: string): Promise<Chat> =>
  foundOrThrow(await lockChat(tx, chatId), "conversation");

async function contextOf(tx: Tx, entityId: string | undefined) {
  if (entityId === undefined) return { contextType: "global", entityId: null };
  const node = await findNode(tx, entityId);
  if (node !== null) return { contextType: node.kind, entityId };
  foundOrThrow(await findProject(tx, entityId), "entity");
  return { contextType: "project", entityId };
}

type Sent = { readonly message_seq: number; readonly answer_seq: number; readonly since_seq: number };

async function send(tx: Tx, chat: Chat, text: string, foreignTexts: readonly ForeignText[] = []): Promise<Sent> {
  const open = await openAnswer(tx, chat.id);
  // One that its process has left is not waited for: the user has gone on.
  if (open?.state === "streaming" && (await takeAnswer(tx, chat, "left")) === null)
    throw new AppError("wrong_status", "An answer is being written; wait for its end, or stop it", {
      details: { status: open.state, message_seq: open.seq },
    });
  if (open !== null) await turnDown(tx, chat.id, open, "The user wrote something else instead of allowing it.");
  if ((await countOpenAnswers(tx)) >= chatLimits.open)
    throw new AppError("rate_limited", `At most ${chatLimits.open} answers at once; wait for one of them`);
  if (chat.title === "") await renameChat(tx, chat.id, titleFrom(text));
  const { lastSeq } = foundOrThrow(await findChat(tx, chat.id), "conversation");
  const messageSeq = await addMessage(tx, chat.id, { role: "user", text, foreignTexts });
  if (messageSeq > chatLimits.messages) throw new AppError("too_large", "This conversation is full; begin a new one");
  const answerSeq = await addMessage(tx, chat.id, { role: "assistant" });
  return { message_seq: messageSeq, answer_seq: answerSeq, since_seq: lastSeq };
}

const titleMax = 80;

const titleFrom = (text: string): string => cutAtWord(text.replaceAll(/\s+/g, " ").trim(), titleMax);

async function stopOpen(tx: Tx, chatId: ChatId): Promise<ChatMessage | null> {
  const open = await openAnswer(tx, chatId);
  if (open === null) return null;
  await stopAnswer(tx, chatId, open, "The user stopped it.");
  return open;
}

async function confirm(deps: ChatRouteDeps, request: UserRequest<typeof routes.chats.confirm>) {
  const { tx, actor, params, body, afterCommit } = request;
  const chat = await lockedChat(tx, params.chatId);
  const answer = { chatId: chat.id, seq: params.messageSeq };
  const message = foundOrThrow(await findMessage(tx, chat.id, answer.seq), "message");
  const decisions = body.decisions.map(({ call_id: callId, decision }): CallDecision => ({ callId, decision }));
  const decided = decideCalls(message, decisions);
  switch (decided.outcome) {
    case "unknown_call":
      throw missing(`call ${decided.callId} that waits for your word`);
    case "refused":
      throw new AppError("wrong_status", decided.why, { details: { status: message.state } });
    case "decided":
      await setCallStates(tx, answer, decided.approved, "approved", null);
      await setCallStates(tx, answer, decided.rejected, "rejected", "The user did not allow it.");
      if (decided.isOver) await goOn(deps, tx, { chatId: chat.id, userId: actor.userId }, answer, afterCommit);
      return toWireMessage(foundOrThrow(await findMessage(tx, chat.id, answer.seq), "message"));
    default:
      return unreachable(decided);
  }
}

async function goOn(
  { desk }: ChatRouteDeps,
  tx: Tx,
  due: { readonly chatId: ChatId; readonly userId: UserId },
  answer: { readonly chatId: ChatId; readonly seq: number },
  afterCommit: (work: () => void) => void,
): Promise<void> {
  await setAnswerState(tx, answer, "streaming");
  afterCommit(() => desk.start(due));
}

async function followUp(deps: ChatRouteDeps, request: UserRequest<typeof routes.chats.followUp>) {
  const { tx, actor, params, body, afterCommit } = request;
  const { run } = foundOrThrow(await findRunView(tx, params.runId), "run");
  const chat = await createChat(tx, {
    id: deps.env.newId() as ChatId,
    userId: actor.userId,
    title: titleFrom(`About: ${run.objective}`),
    contextType: "run",
    entityId: null,
    runId: run.id,
  });
  const sent = body.text === undefined ? null : await send(tx, chat, body.text);
  if (sent !== null) afterCommit(() => deps.desk.start({ chatId: chat.id, userId: actor.userId }));
  const nothingYet = { message_seq: null, answer_seq: null, since_seq: chat.lastSeq };
  return { chat_id: chat.id, url: pageOfChat(chat.id), ...(sent ?? nothingYet) };
}

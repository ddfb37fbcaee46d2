// What the parts of one answer share: who asks, which message is written, what may be used. Made anew for every message.

import type { Database } from "../db/database.ts";
import type { Chat, ChatMessage } from "../domain/chat/chat.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { Models } from "../llm/model.ts";
import type { Answering } from "../store/chat-answer-store.ts";
import type { Registry } from "../tools/registry.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { stepIds } from "./tools/step-ids.ts";

export type ChatDeps = {
  readonly db: Database;
  readonly models: Models;
  readonly registry: Registry;
  readonly env: Env;
  readonly logger: Logger;
  /** Tools that only conversations have. */
  readonly ownTools: (chat: Chat) => readonly Tool[];
};

export type ChatWork = ChatDeps & {
  readonly chat: Chat;
  readonly userId: UserId;
  /** The one that is being written. */
  readonly message: ChatMessage;
  readonly answer: Answering;
  /** Aborted when it is not wanted any more: stopped, given up for dead, or this process ends. */
  readonly signal: AbortSignal;
  /** The tools of conversations. */
  readonly tools: Registry;
};

/** Thrown through the parts of an answer that is not being written any more. */
export class AnswerGone extends Error {
  constructor() {
    super("the answer is not being written any more");
    this.name = "AnswerGone";
  }
}

/** The same ids whenever the same call is tried or carried out. */
export function chatContext({ chat, userId, answer }: ChatWork, callId: string): ToolContext {
  return {
    userId,
    runId: null,
    iteration: 1,
    branchId: null,
    projectIds: null,
    workspace: null,
    newId: stepIds(chat.id, answer.seq, callId),
  };
}

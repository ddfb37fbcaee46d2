// The answers that this process is writing: starts them once their message is committed, stops them, and lets go of them when the
// process ends. It writes nothing itself; an answer that was left is found by `carry-on-answers.ts`, in this process or another.

import type { DueAnswer } from "../domain/chat/chat.ts";
import type { ChatEngine } from "./ports/chat.ts";

export type ChatDesk = {
  readonly start: (due: DueAnswer) => void;
  /** Where another process writes it, that one notices by itself. */
  readonly stop: (chatId: string) => void;
  readonly isWriting: (chatId: string) => boolean;
  /** Ends all of them and waits until each is free for another process. */
  readonly close: () => Promise<void>;
};

export function createChatDesk(engine: ChatEngine): ChatDesk {
  const underWay = new Map<string, { readonly stop: AbortController; readonly over: Promise<void> }>();

  return {
    start: (due) => {
      const before = underWay.get(due.chatId);
      const stop = new AbortController();
      // The last one may still be on its way out; never two at once on one conversation.
      const over = (before?.over ?? Promise.resolve()).then(() => engine.answer(due, stop.signal));
      const entry = { stop, over };
      underWay.set(due.chatId, entry);
      void over.finally(() => {
        if (underWay.get(due.chatId) === entry) underWay.delete(due.chatId);
      });
    },
    isWriting: (chatId) => underWay.has(chatId),
    stop: (chatId) => underWay.get(chatId)?.stop.abort(),
    close: async () => {
      const all = [...underWay.values()];
      for (const { stop } of all) stop.abort();
      await Promise.allSettled(all.map(({ over }) => over));
    },
  };
}

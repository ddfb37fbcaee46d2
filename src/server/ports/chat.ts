// What answers in conversations, as the server sees it: it is told that an answer is due, and writes everything down itself.

import type { DueAnswer } from "../../domain/chat/chat.ts";

export type ChatEngine = {
  /**
   * Works on the open answer of a conversation until it is complete, waits for the user's word, has failed or was stopped.
   * Resolves in any case; what came of it is in the store, and watchers are told on the way. Where no answer is due, or another
   * process writes it, there is nothing to do. Aborting ends it soon; another call, in any process, goes on from the journal.
   */
  readonly answer: (due: DueAnswer, signal: AbortSignal) => Promise<void>;
};

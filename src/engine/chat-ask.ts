// Asks the model of a conversation: every try is a row of the ledger, reserved before and settled after, and what it says is
// written down as it comes.

import type { Env } from "../lib/env.ts";
import { type Asked, type AskJournal, askModel } from "../llm/ask-model.ts";
import type { ModelRequest } from "../llm/model.ts";
import { type ChatModelCall, reserveChatCall, settleChatCall } from "../store/chat-ledger-store.ts";
import type { ChatWork } from "./chat-work.ts";
import { type Writer, whileWriting } from "./chat-writer.ts";

export function askChat(work: ChatWork, request: ModelRequest): Promise<Asked> {
  const { models, answer } = work;
  return whileWriting(work, (writer, signal) =>
    askModel({
      models,
      journal: ledgerJournal(work, writer, signal),
      env: work.env as Pick<Env, "sleep">,
      key: `message:${answer.seq}`,
      request,
      onText: writer.onText,
    }),
  );
}

/** A conversation remembers no step: what was lost in a crash is asked again by the user. */
function ledgerJournal({ db, env, answer, userId }: ChatWork, writer: Writer, signal: AbortSignal): AskJournal {
  return {
    signal,
    ask: async ({ role, model, reservedMicroUsd, isUnpriced }, ask) => {
      const money = { reservedMicroUsd, isUnpriced };
      const call: ChatModelCall = { ...answer, callId: env.newId(), userId, role, model, ...money };
      writer.restart();
      await reserveChatCall(db, call);
      try {
        const { result, usage } = await ask(call.callId, signal);
        await settleChatCall(db, call, usage);
        return result;
      } catch (thrown) {
        await settleChatCall(db, call, "unknown"); // Does nothing where it is settled already.
        throw thrown;
      }
    },
  };
}

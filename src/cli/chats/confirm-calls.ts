// What an answer wants to change, as a person reads it, and their word about it. Shown is what the platform says it does.

import { type ChatMessage, routes } from "../../protocol/api.ts";
import type { ApiInvocation } from "../invocation.ts";
import { withoutEscapes } from "../plain-text.ts";
import { canAsk } from "../runs/questions.ts";

type Call = ChatMessage["calls"][number];
type Word = "approve" | "reject";

export const waitingOf = ({ calls }: ChatMessage): readonly Call[] => calls.filter(({ state }) => state === "pending");

/** Asks about each; null if the person leaves one open or cannot be asked here. */
export async function askAboutCalls(given: ApiInvocation, message: ChatMessage): Promise<readonly Word[] | null> {
  const { output, host } = given;
  const waiting = waitingOf(message);
  const words: Word[] = [];
  for (const [at, call] of waiting.entries()) {
    output.warn(`\n${waiting.length > 1 ? `${at + 1} of ${waiting.length}: ` : ""}${withoutEscapes(call.effect)}`);
    if (!canAsk(given)) continue;
    const typed = await host.terminal.ask("Do it? [y/N] ", host.stop);
    if (typed === null) return null;
    words.push(/^\s*(y|yes)\s*$/i.test(typed) ? "approve" : "reject");
  }
  return canAsk(given) ? words : null;
}

export async function decideCalls(
  { api }: ApiInvocation,
  chatId: string,
  message: ChatMessage,
  words: readonly Word[],
): Promise<void> {
  const decisions = waitingOf(message).map(({ call_id }, at) => ({ call_id, decision: words[at] ?? "reject" }));
  await api(routes.chats.confirm, { params: { chatId, messageSeq: message.seq }, body: { decisions } });
}

// One conversation, live: what was read, and every event since. Where an event says more than it carries, it is read again.

import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Chat, ChatEvent, ChatMessage } from "../../../../src/protocol/api.ts";
import { chatEvent } from "../../../../src/protocol/routes/chat.ts";
import { chatQuery } from "../../lib/data/chats.ts";
import { keys } from "../../lib/data/keys.ts";
import { useLiveTopic } from "../../lib/live/tab-stream.ts";
import { foldChat } from "./chat-view.ts";

/** Events since the conversation was last read; the words of a long answer come in many pieces. */
const heldMax = 2_000;

export type ShownChat = {
  readonly chat: Chat;
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
};

export function useChat(chatId: string) {
  const query = useInfiniteQuery(chatQuery(chatId));
  const read = useMemo(() => query.data && readOf(query.data), [query.data]);
  const queryClient = useQueryClient();
  const [held, setHeld] = useState<readonly ChatEvent[]>([]);
  const after = read?.chat.last_seq;
  useLiveTopic(
    after === undefined ? null : `chat:${chatId}`,
    after,
    ({ data }) => {
      const event = chatEvent.parse(data);
      setHeld((before) => [...before.slice(-heldMax + 1), event]);
      if (event.type !== "text") void queryClient.invalidateQueries({ queryKey: keys.chat(chatId) });
      if (event.type === "done") void queryClient.invalidateQueries({ queryKey: keys.chats });
    },
    undefined,
    () => void queryClient.invalidateQueries({ queryKey: keys.chat(chatId) }),
  );
  const shown = useMemo((): ShownChat | undefined => {
    if (!read) return undefined;
    const since = held.filter(({ seq }) => seq > read.chat.last_seq);
    return { chat: read.chat, messages: foldChat(read.messages, since) };
  }, [read, held]);
  return { ...query, data: shown };
}

type Pages = InfiniteData<{
  readonly chat: Chat;
  readonly messages: { readonly items: readonly ChatMessage[] };
}>;

/** While pages are read one after the other something may be sent: the same message then comes on two of them. */
function readOf({ pages }: Pages): ShownChat | undefined {
  const [first] = pages;
  if (!first) return undefined;
  const bySeq = new Map(pages.flatMap(({ messages }) => messages.items.map((message) => [message.seq, message])));
  return { chat: first.chat, messages: [...bySeq.values()].toSorted((one, other) => one.seq - other.seq) };
}

// Server state about conversations: the list, and one with its messages.

import { infiniteQueryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

const chatsPerPage = 30;
const messagesPerPage = 40;

export const chatsQuery = infiniteQueryOptions({
  queryKey: [...keys.chats, "list"],
  queryFn: ({ signal, pageParam }) =>
    api(routes.chats.list, { query: { limit: chatsPerPage, cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
});

/** The conversation and its messages, newest first; older ones are further pages. */
export const chatQuery = (chatId: string) =>
  infiniteQueryOptions({
    queryKey: keys.chat(chatId),
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.chats.get,
        { params: { chatId }, query: { limit: messagesPerPage, messages_cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.messages.next_cursor,
  });

// The messages of a conversation, oldest first. It stays at the end while one reads the end, and where one is otherwise.

import { Button, Center, Text } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { ChatMessage } from "../../../../src/protocol/api.ts";
import { Message } from "./message.tsx";
import type { Talk } from "./use-talk.ts";

type Older = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};
type MessageListProps = { readonly messages: readonly ChatMessage[]; readonly talk: Talk; readonly older: Older };

export function MessageList({ messages, talk, older }: MessageListProps) {
  const end = useStayAtEnd(messages);
  return (
    <section className="chat-messages" aria-label="Messages">
      {older.hasNextPage ? (
        <Center>
          <Button size="xs" variant="default" loading={older.isFetchingNextPage} onClick={() => older.fetchNextPage()}>
            Show older messages
          </Button>
        </Center>
      ) : null}
      {messages.length === 0 ? (
        <Text className="faint">Nothing has been said yet. Ask something below.</Text>
      ) : (
        messages.map((message) => <Message key={message.seq} message={message} talk={talk} />)
      )}
      <div ref={end} />
    </section>
  );
}

/** Pixels from the end that still count as reading the end. */
const nearEnd = 120;

function useStayAtEnd(messages: readonly ChatMessage[]) {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes in the messages may move the end
  useLayoutEffect(() => {
    if (isAtEnd.current) end.current?.scrollIntoView({ block: "end" });
  }, [messages]);
  return end;
}

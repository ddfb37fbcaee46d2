// One's conversations, the ones last written to first, below the place where a new one begins.

import { Stack, Text } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Chat } from "../../../../src/protocol/api.ts";
import { chatsQuery } from "../../lib/data/chats.ts";
import { Composer } from "../../ui/composer/composer.tsx";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import "./chat.css";

export function ChatsPage() {
  usePageTitle("Chat");
  const chats = useInfiniteQuery(chatsQuery);
  return (
    <Stack>
      <PageHeader title="Chat" />
      <Composer mode="chat" />
      <QueryView query={chats}>
        {({ pages }) => {
          const all = pages.flatMap(({ items }) => items);
          return all.length === 0 ? <NoChats /> : <ChatList chats={all} />;
        }}
      </QueryView>
      <LoadMore query={chats} />
    </Stack>
  );
}

function ChatList({ chats }: { readonly chats: readonly Chat[] }) {
  return (
    <ul className="chat-list" aria-label="Conversations">
      {chats.map(({ id, title, run_id: runId, updated_at: at }) => (
        <li key={id}>
          <AnchorLink to="/chat/$chatId" params={{ chatId: id }} fw={600} className="breakable" dir="auto">
            {title}
          </AnchorLink>
          <Text size="sm" className="faint">
            {runId ? "About a run · " : ""}
            <Time at={at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

function NoChats() {
  return (
    <EmptyNotice icon={<IconMessages aria-hidden />} title="No conversations yet">
      Ask about your projects, tasks or finished runs. Nothing is changed until you approve it. For longer work, start a
      run.
    </EmptyNotice>
  );
}

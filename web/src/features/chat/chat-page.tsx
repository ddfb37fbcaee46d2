// One conversation: its messages, what the model wants to do, and the place to write.

import { useParams } from "@tanstack/react-router";
import { QueryView } from "../../ui/query-view.tsx";
import { PageSkeleton } from "../../ui/skeletons.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { ChatHeader } from "./chat-header.tsx";
import { MessageBox } from "./message-box.tsx";
import { MessageList } from "./message-list.tsx";
import { useChat } from "./use-chat.ts";
import { useTalk } from "./use-talk.ts";
import "./chat.css";

export function ChatPage() {
  const { chatId } = useParams({ strict: false });
  return chatId ? <Conversation key={chatId} chatId={chatId} /> : null;
}

function Conversation({ chatId }: { readonly chatId: string }) {
  const chat = useChat(chatId);
  const talk = useTalk(chatId);
  usePageTitle(chat.data?.chat.title ?? "Chat");
  return (
    <QueryView query={chat} skeleton={<PageSkeleton />}>
      {(shown) => (
        <div className="chat">
          <ChatHeader chat={shown.chat} talk={talk} />
          <MessageList messages={shown.messages} talk={talk} older={chat} />
          <MessageBox chatId={chatId} messages={shown.messages} talk={talk} />
        </div>
      )}
    </QueryView>
  );
}

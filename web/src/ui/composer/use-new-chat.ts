// A chat with its first message: begun, sent, and opened. When sending fails, trying again uses the chat that was begun.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { randomKey } from "../../lib/random-key.ts";
import { givenTexts } from "../given-texts.ts";

type FirstMessage = { readonly text: string; readonly foreignText: string; readonly projectId: string | undefined };
type Begun = { readonly about: string; readonly key: string; chatId?: string };

export function useNewChat(onSent: () => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const begun = useRef<Begun | null>(null);
  return useMutation({
    mutationFn: async ({ text, foreignText, projectId }: FirstMessage) => {
      const about = projectId ?? "";
      if (begun.current?.about !== about) begun.current = { about, key: randomKey() };
      const trying = begun.current;
      trying.chatId ??= await beginChat(projectId, trying.key);
      const body = { text, foreign_texts: givenTexts(foreignText) };
      await api(routes.chats.send, { params: { chatId: trying.chatId }, body });
      return trying.chatId;
    },
    onSuccess: (chatId) => {
      begun.current = null;
      onSent();
      void queryClient.invalidateQueries({ queryKey: keys.chats });
      void navigate({ to: "/chat/$chatId", params: { chatId } });
    },
    meta: { showsOwnErrors: true },
  });
}

async function beginChat(projectId: string | undefined, idempotencyKey: string): Promise<string> {
  const body = projectId === undefined ? {} : { entity_id: projectId };
  return (await api(routes.chats.create, { body }, { idempotencyKey })).id;
}

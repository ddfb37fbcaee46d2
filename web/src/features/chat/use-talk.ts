// What one can do in a conversation: say something, decide on what the model wants to change, stop it, rename and delete.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { useCreate } from "../../lib/use-create.ts";
import { givenTexts } from "../../ui/given-texts.ts";

export type Decision = { readonly call_id: string; readonly decision: "approve" | "reject" };

export function useTalk(chatId: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const params = { chatId };
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: keys.chat(chatId) });
  const listAgain = () => void queryClient.invalidateQueries({ queryKey: keys.chats });
  const send = useCreate(routes.chats.send, { onSuccess: readAgain, showsOwnErrors: true });
  const decide = useMutation({
    mutationFn: ({ messageSeq, decisions }: { messageSeq: number; decisions: readonly Decision[] }) =>
      api(routes.chats.confirm, { params: { chatId, messageSeq }, body: { decisions: [...decisions] } }),
    // Also after a refusal: somebody else was faster, and it shows.
    onSettled: readAgain,
  });
  const stop = useMutation({ mutationFn: () => api(routes.chats.stop, { params }), onSettled: readAgain });
  const rename = useMutation({
    mutationFn: (title: string) => api(routes.chats.rename, { params, body: { title } }),
    onSuccess: () => {
      readAgain();
      listAgain();
    },
  });
  const remove = useMutation({
    mutationFn: () => api(routes.chats.remove, { params }),
    onSuccess: async () => {
      await navigate({ to: "/chat" });
      queryClient.removeQueries({ queryKey: keys.chat(chatId) });
      listAgain();
    },
  });
  return {
    send: (text: string, foreignText: string, onSent: () => void) =>
      send.mutate({ params, body: { text, foreign_texts: givenTexts(foreignText) } }, { onSuccess: onSent }),
    sending: send,
    decide,
    stop,
    rename,
    remove,
  };
}

export type Talk = ReturnType<typeof useTalk>;

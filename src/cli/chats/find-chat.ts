// Finds the conversation a person named: by its id, the start of it, or "last"; or begins one.

import { AppError } from "../../lib/app-error.ts";
import { type Chat, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { getIfThere, isLast, isWholeId, pick } from "../find.ts";
import { fetchList } from "../list.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import { findRun } from "../runs/find-run.ts";

const labelMax = 60;

export type WhichChat = { readonly session?: string; readonly run?: string };

/** A follow-up of a run is a new conversation each time. */
export async function openChat(api: Api, { session, run }: WhichChat): Promise<Chat> {
  if (session !== undefined && run !== undefined)
    throw new AppError("invalid_request", "Give either --session or --run: a conversation knows its run already");
  if (session !== undefined) return findChat(api, session);
  if (run === undefined) return api(routes.chats.create, { body: {} });
  const { id: runId } = await findRun(api, run);
  const { chat_id: chatId } = await api(routes.chats.followUp, { params: { runId }, body: {} });
  return getChat(api, chatId);
}

async function findChat(api: Api, ref: string): Promise<Chat> {
  if (isWholeId(ref)) return getChat(api, ref);
  if (isLast(ref)) {
    const [last] = (await api(routes.chats.list, { query: { limit: 1 } })).items;
    if (!last) throw new AppError("not_found", 'No conversations yet: homework chat "what you want to know"');
    return last;
  }
  const { items } = await fetchList<Chat>({ limit: 0, all: true }, (page) => api(routes.chats.list, { query: page }));
  return pick("conversation", ref, items, ({ id, title }) => ({
    id,
    label: cutTo(oneLine(title), labelMax),
    names: [],
  }));
}

async function getChat(api: Api, chatId: string): Promise<Chat> {
  const found = await getIfThere(api(routes.chats.get, { params: { chatId }, query: { limit: 1 } }));
  if (found === null) throw new AppError("not_found", `There is no conversation "${chatId}"`);
  return found.chat;
}

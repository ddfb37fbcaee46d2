// Lists of things that were fetched already, with one thing in them changed: pages of a list, or a list in one piece.

import type { QueryClient } from "@tanstack/react-query";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { keys } from "./keys.ts";

type Part = { readonly items: readonly EntitySummary[] };
export type CachedList = Part | { readonly pages: readonly Part[] } | undefined;

type Place = Pick<EntitySummary, "id" | "kind" | "project_id">;

export function changeInLists(queryClient: QueryClient, place: Place, change: Partial<EntitySummary>): void {
  const filter = { queryKey: keys.entities(place.project_id, place.kind) };
  queryClient.setQueriesData<CachedList>(filter, (list) => withChange(list, place.id, change));
}

export function withChange(list: CachedList, id: string, change: Partial<EntitySummary>): CachedList {
  const changed = (part: Part): Part => ({
    ...part,
    items: part.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  });
  if (list === undefined) return undefined;
  return "pages" in list ? { ...list, pages: list.pages.map(changed) } : changed(list);
}

// Server state of the page with what was learnt across outcomes.

import { infiniteQueryOptions } from "@tanstack/react-query";
import { type Memory, routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";

const memoriesPerPage = 25;

export type MemoriesFilter = { readonly type?: Memory["type"] | undefined; readonly q?: string | undefined };

export const memoriesQuery = ({ type, q }: MemoriesFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.memories, { type, q }],
    queryFn: ({ signal, pageParam }) =>
      api(routes.memories.list, { query: { limit: memoriesPerPage, cursor: pageParam, type, q } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

// Full-text search over everything one may see.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type OutcomeHit, routes, type SearchHit } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type SearchKind = SearchHit["kind"] | OutcomeHit["kind"];

export type SearchFilter = {
  readonly text: string;
  readonly kind?: SearchKind | undefined;
  /** Also the working notes of runs. */
  readonly notes?: boolean | undefined;
  readonly limit: number;
};

export const searchQuery = (filter: SearchFilter) =>
  queryOptions({
    queryKey: [...keys.search, filter],
    queryFn: ({ signal }) =>
      api(
        routes.projects.search,
        {
          query: {
            q: filter.text.slice(0, limits.searchQuery),
            kind: filter.kind,
            include_working_notes: filter.notes ? "true" : "false",
            limit: filter.limit,
          },
        },
        { signal },
      ),
    enabled: filter.text.trim() !== "",
    placeholderData: keepPreviousData,
  });

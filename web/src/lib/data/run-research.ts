// What a run has written down: one of its documents, and full-text search in what is its own. Read again with the run.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

/** The most the contract gives; there are no further pages. */
const hitsMax = 50;

export const runDocumentQuery = (runId: string, projectId: string, entityId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "document", entityId],
    queryFn: ({ signal }) => api(routes.document.get, { params: { projectId, entityId } }, { signal }),
  });

export const runSearchQuery = (runId: string, text: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "search", text],
    queryFn: ({ signal }) =>
      api(
        routes.projects.search,
        {
          query: {
            q: text.slice(0, limits.searchQuery),
            run_id: runId,
            include_working_notes: "true",
            limit: hitsMax,
          },
        },
        { signal },
      ),
    enabled: text.trim() !== "",
    placeholderData: keepPreviousData,
  });

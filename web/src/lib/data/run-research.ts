// What a run has written down: one of its documents, its primary output, and full-text search in what is its own.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Run, routes } from "../../../../src/protocol/api.ts";
import { type EntityKind, limits } from "../../../../src/protocol/kinds.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

/** The most the contract gives; there are no further pages. */
const hitsMax = 50;

export const runDocumentQuery = (runId: string, projectId: string, entityId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "document", entityId],
    queryFn: ({ signal }) => api(routes.document.get, { params: { projectId, entityId } }, { signal }),
  });

type Ended = Pick<Run, "id" | "iteration" | "status" | "is_undone">;

/** Not read again with the run, only after another end: an undo would have it ask for what is gone. */
export const primaryOutputQuery = (run: Ended, kind: EntityKind, projectId: string, entityId: string) =>
  queryOptions({
    queryKey: ["primary-output", run.id, run.iteration, run.status, entityId],
    queryFn: ({ signal }) => api(routes[kind].get, { params: { projectId, entityId } }, { signal }),
    enabled: !run.is_undone,
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

// Server state about the things in a project: lists per kind, one thing, the document tree and the edges.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { EntityKind, EntitySort } from "../../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type EntityFilter = {
  readonly bin?: boolean | undefined;
  readonly state?: string | undefined;
  readonly sort?: EntitySort | undefined;
  /** Of documents: also the working notes of runs. */
  readonly notes?: boolean | undefined;
  readonly limit?: number | undefined;
};

export const entitiesQuery = (projectId: string, kind: EntityKind, filter: EntityFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.entities(projectId, kind), filter],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes[kind].list,
        {
          params: { projectId },
          query: {
            cursor: pageParam,
            deleted: filter.bin ? "true" : "false",
            state: filter.state,
            sort: filter.sort,
            include_working_notes: filter.notes ? "true" : "false",
            limit: filter.limit,
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

export const entityQuery = (projectId: string, kind: EntityKind, entityId: string) =>
  queryOptions({
    queryKey: keys.entity(projectId, entityId),
    queryFn: ({ signal }) => api(routes[kind].get, { params: { projectId, entityId } }, { signal }),
  });

export type TreeNode = RouteResult<typeof routes.documents.tree>["items"][number];

/** With `notes`, the working notes of runs stand in it, too. */
export const treeQuery = (projectId: string, notes: boolean) =>
  queryOptions({
    queryKey: [...keys.tree(projectId), notes],
    queryFn: ({ signal }) =>
      api(
        routes.documents.tree,
        { params: { projectId }, query: { include_working_notes: notes ? "true" : "false" } },
        { signal },
      ),
  });

/** Who wrote a document. */
export const authorsQuery = (projectId: string, entityId: string) =>
  queryOptions({
    queryKey: [...keys.entity(projectId, entityId), "authors"],
    queryFn: ({ signal }) => api(routes.documents.authors, { params: { projectId, entityId } }, { signal }),
  });

/** Links of the whole project: the newest 200, which is what the pages name and count. */
export const projectEdgesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.edges(projectId), "all"],
    queryFn: ({ signal }) => api(routes.edges.list, { params: { projectId }, query: { limit: 200 } }, { signal }),
  });

/** Links from and to one thing. One page is plenty: the contract allows 200. */
export const edgesQuery = (projectId: string, entityId: string) =>
  queryOptions({
    queryKey: [...keys.edges(projectId), entityId],
    queryFn: ({ signal }) =>
      api(routes.edges.list, { params: { projectId }, query: { entity_id: entityId, limit: 200 } }, { signal }),
  });

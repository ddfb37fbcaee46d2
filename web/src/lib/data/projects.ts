// Server state about projects: the list, one project, its members and its history.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

const changesPerPage = 30;

export const projectsQuery = (bin: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keys.projects, { bin }],
    queryFn: ({ signal, pageParam }) =>
      api(routes.projects.list, { query: { deleted: bin ? "true" : "false", cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.facts(projectId),
    queryFn: ({ signal }) => api(routes.projects.get, { params: { projectId } }, { signal }),
  });

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.members(projectId),
    queryFn: ({ signal }) => api(routes.projects.listMembers, { params: { projectId } }, { signal }),
  });

/** Every write of the project, or of one thing in it, newest first. */
export const changesQuery = (projectId: string, entityId?: string) =>
  infiniteQueryOptions({
    queryKey: keys.changes(projectId, entityId),
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.projects.listChanges,
        { params: { projectId }, query: { limit: changesPerPage, cursor: pageParam, entity_id: entityId } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });

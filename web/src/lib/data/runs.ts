// Server state about runs: lists, one run, and the parts of it that its page opens one by one.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { runPages } from "../../../../src/protocol/kinds.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export type RunGroup = "needs_you" | "active" | "finished";
export type RunsFilter = {
  readonly group?: RunGroup | undefined;
  readonly q?: string | undefined;
  readonly endedSince?: string | undefined;
  readonly endedBefore?: string | undefined;
  readonly projectId?: string | undefined;
  /** Archived ones instead of the others. */
  readonly isArchived?: boolean | undefined;
};

export const iterationsPerPage = 50;
const outputsPerPage = 50;
const first = undefined as string | undefined;

export const runsQuery = ({ group, q, endedSince, endedBefore, projectId, isArchived }: RunsFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.runs, "list", { group, q, endedSince, endedBefore, projectId, isArchived }],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.runs.list,
        {
          query: {
            limit: group === "active" || group === "needs_you" ? runPages.open : runPages.finished,
            cursor: pageParam,
            group,
            q,
            ended_since: endedSince,
            ended_before: endedBefore,
            project_id: projectId,
            archived: isArchived ? "only" : undefined,
          },
        },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

/**
 * What the home page begins with, in one answer: the news and the first page of each list. They are put where their own queries look,
 * so it is asked for once in a tab; from then on each list is kept up to date by itself.
 */
export const homeQuery = queryOptions({
  queryKey: [...keys.runs, "home"],
  queryFn: async ({ client, signal }) => {
    const home = await api(routes.runParts.home, {}, { signal });
    const { since } = home.news;
    const put = (filter: RunsFilter, page: typeof home.finished) =>
      client.setQueryData(newestRunsKey(filter), { pages: [page], pageParams: [first] });
    client.setQueryData(newsKey, home.news);
    put({ group: "needs_you" }, home.needs_you);
    put({ group: "active" }, home.active);
    put(since === null ? { group: "finished" } : { group: "finished", endedBefore: since }, home.finished);
    if (since !== null && home.finished_since) put({ group: "finished", endedSince: since }, home.finished_since);
    return true;
  },
  // A run that changes while the answer is on its way makes it old; afterwards the lists are fetched again, and this is not.
  enabled: ({ state }) => state.data === undefined,
});

/** The list from its newest run on. */
export const newestRunsKey = (filter: RunsFilter) => [...runsQuery(filter).queryKey, "newest"];

const askedEveryMs = 15_000;

export const runCountsQuery = queryOptions({
  queryKey: keys.runCounts,
  queryFn: ({ signal }) => api(routes.runParts.counts, {}, { signal }),
  // No stream tells what agents ask: their messages are in files.
  refetchInterval: ({ state }) => (state.data?.has_agents ? askedEveryMs : false),
});

/** The newest run with this status. */
export const latestRunQuery = (status: "waiting_on_user" | "running" | "queued") =>
  queryOptions({
    queryKey: [...keys.runs, "latest", status],
    queryFn: async ({ signal }) =>
      (await api(routes.runs.list, { query: { limit: 1, status } }, { signal })).items[0] ?? null,
  });

export const newsKey = [...keys.runs, "news"];

/** What happened since the last visit; which visit this is, is told apart (`use-presence.ts`). */
export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: ({ signal }) => api(routes.runParts.news, {}, { signal }),
});

export const estimateQuery = queryOptions({
  queryKey: [...keys.runs, "estimate"],
  queryFn: ({ signal }) => api(routes.runParts.estimate, {}, { signal }),
});

export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: ({ signal }) => api(routes.instance.models, {}, { signal }),
  staleTime: 60_000,
});

/** The run itself and what its models cost. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "itself"],
    queryFn: ({ signal }) => api(routes.runs.get, { params: { runId }, query: {} }, { signal }),
  });

/** What agents did to files. */
export const runWorkQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "work"],
    queryFn: ({ signal }) => api(routes.runs.work, { params: { runId } }, { signal }),
  });

/** As many as one request brings: numbers `first` to `first + 49`, newest first, wherever in the run they are. */
export const iterationBlockQuery = (runId: string, first: number) =>
  queryOptions({
    queryKey: [...keys.run(runId), "iterations", "from", first],
    queryFn: ({ signal }) =>
      api(
        routes.runs.get,
        {
          params: { runId },
          query: {
            include_iterations: "true",
            limit: iterationsPerPage,
            iterations_before: first + iterationsPerPage,
          },
        },
        { signal },
      ).then(({ iterations }) => iterations?.items.filter(({ iteration }) => iteration >= first) ?? []),
    // One that has ended stays as it is; the newest ones are read as `newestIterationsQuery`.
    staleTime: 60_000,
  });

export const newestIterationsQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "iterations", "newest"],
    queryFn: ({ signal }) =>
      api(
        routes.runs.get,
        { params: { runId }, query: { include_iterations: "true", limit: iterationsPerPage } },
        { signal },
      ).then(({ iterations }) => iterations?.items ?? []),
  });

export const entriesQuery = (runId: string, iteration: number) =>
  infiniteQueryOptions({
    queryKey: [...keys.run(runId), "entries", iteration],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.runParts.entries,
        { params: { runId, iteration }, query: { limit: 100, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export const workspaceQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "workspace"],
    queryFn: ({ signal }) =>
      api(routes.runs.get, { params: { runId }, query: { include_workspace: "true" } }, { signal }).then(
        ({ workspace }) => workspace,
      ),
  });

/** `own`: only the pages the platform keeps for the run itself, or all but these; left out: everything. */
export const outputsQuery = (runId: string, own?: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keys.run(runId), "outputs", { own }],
    queryFn: ({ signal, pageParam }) =>
      api(
        routes.runParts.outputs,
        {
          params: { runId },
          query: {
            limit: outputsPerPage,
            cursor: pageParam,
            bookkeeping: own === undefined ? undefined : own ? "true" : "false",
          },
        },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export const outputQuery = (runId: string, entityId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "output", entityId],
    queryFn: ({ signal }) => api(routes.runParts.output, { params: { runId, entityId } }, { signal }),
  });

export const scratchpadQuery = (runId: string, limit: number) =>
  infiniteQueryOptions({
    queryKey: [...keys.run(runId), "scratchpad", limit],
    queryFn: ({ signal, pageParam }) =>
      api(routes.runParts.scratchpad, { params: { runId }, query: { limit, cursor: pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

/** What the run read on the web. */
export const sourcesQuery = (runId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.run(runId), "sources"],
    queryFn: ({ signal, pageParam }) =>
      api(routes.runParts.sources, { params: { runId }, query: { limit: 200, cursor: pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: (page) => page.next_cursor,
  });

export const seriesQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "series"],
    queryFn: ({ signal }) => api(routes.runParts.series, { params: { runId } }, { signal }),
  });

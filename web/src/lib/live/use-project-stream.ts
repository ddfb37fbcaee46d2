// Keeps a project's pages up to date: one stream per tab, only while the tab is visible,
// because a browser allows few connections per server and hidden tabs would use them up.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { pathOf } from "../../../../src/protocol/client.ts";
import { keys } from "../data/keys.ts";
import { probeServer } from "../probe-server.ts";
import { isReachable, subscribeReachability } from "../reachability.ts";
import { touchedQueries } from "./touched-queries.ts";

/** EventSource reconnects after a lost connection by itself, but gives up when the server answers with an error. */
const reopenAfterMs = 5_000;

export function useProjectStream(projectId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => followProject(projectId, queryClient), [projectId, queryClient]);
}

function followProject(projectId: string, queryClient: QueryClient): () => void {
  let source: EventSource | null = null;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  // Also at first: what the page loaded before the stream was open may be older than what the stream begins with.
  let mayHaveMissed = true;

  const open = () => {
    source = new EventSource(pathOf(routes.projects.stream, { projectId }));
    source.addEventListener("change", (event) => applyChange(projectId, queryClient, event.data));
    source.addEventListener("open", () => {
      if (mayHaveMissed) void queryClient.invalidateQueries({ queryKey: keys.project(projectId) });
      mayHaveMissed = false;
    });
    source.addEventListener("error", () => {
      mayHaveMissed = true;
      void probeServer();
      if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(follow, reopenAfterMs);
    });
  };
  const close = () => {
    clearTimeout(reopening);
    source?.close();
    source = null;
  };
  const follow = () => {
    close();
    if (document.visibilityState === "visible") open();
    else mayHaveMissed = true;
  };

  /** A server that is back need not be waited for any longer. */
  const followAgain = () => {
    if (isReachable() && source?.readyState === EventSource.CLOSED) follow();
  };

  follow();
  document.addEventListener("visibilitychange", follow);
  const unsubscribe = subscribeReachability(followAgain);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    unsubscribe();
    close();
  };
}

function applyChange(projectId: string, queryClient: QueryClient, data: string): void {
  const change = routes.projects.stream.result.parse(JSON.parse(data));
  for (const queryKey of touchedQueries(projectId, change)) void queryClient.invalidateQueries({ queryKey });
}

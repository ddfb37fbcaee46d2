// Keeps a project's pages up to date: what a change makes old is fetched again.

import type { Change } from "../../../../src/protocol/api.ts";
import { keys } from "../data/keys.ts";
import { useRefresher } from "./refresher.ts";
import { useLiveTopic } from "./tab-stream.ts";
import { touchedQueries } from "./touched-queries.ts";

/** Soon enough for someone who looks; a run may write many times a second. */
const refreshEveryMs = 250;

export function useProjectStream(projectId: string): void {
  const refresh = useRefresher(refreshEveryMs);
  const refreshAll = () => refresh(keys.project(projectId));
  useLiveTopic(
    `project:${projectId}`,
    undefined,
    ({ data }) => refresh(...touchedQueries(projectId, data as Change)),
    refreshAll,
    // Also at first: what the page loaded before the stream was open may be older than what the stream begins with.
    refreshAll,
  );
}

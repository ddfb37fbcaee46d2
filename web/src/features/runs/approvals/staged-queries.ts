// The writes of a run that wait for a yes, those that came to nothing, and one of them with all of its text.

import { queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";

/** As many as may wait at once. */
const limit = 100;

const inState = (runId: string, state: "pending" | "drifted" | "approved" | "rejected") =>
  queryOptions({
    queryKey: [...keys.run(runId), "staged", state],
    queryFn: async ({ signal }) =>
      (await api(routes.changes.list, { params: { runId }, query: { limit, state } }, { signal })).items,
  });

export const pendingWritesQuery = (runId: string) => inState(runId, "pending");
/** Decided, while others still wait: an approved one is written when all are decided. */
export const approvedWritesQuery = (runId: string) => inState(runId, "approved");
export const rejectedWritesQuery = (runId: string) => inState(runId, "rejected");
export const driftedWritesQuery = (runId: string) => inState(runId, "drifted");

export const stagedWriteQuery = (runId: string, changeId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "staged", "one", changeId],
    queryFn: ({ signal }) => api(routes.changes.get, { params: { runId, changeId } }, { signal }),
  });

// Changes all chosen things of a list, or puts them in the bin, and keeps what was refused to be told.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type EntitySummary, routes } from "../../../../src/protocol/api.ts";
import { type EntityKind, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { showDone } from "../../ui/toast.ts";
import { type BulkFailure, changeEach } from "./bulk-change.ts";
import type { EntityPatch } from "./draft.ts";

export type BulkChange = { readonly patch: EntityPatch } | "bin";
export type BulkResult = { readonly failures: readonly BulkFailure[]; readonly total: number };

type Input = { readonly items: readonly EntitySummary[]; readonly change: BulkChange };

export function useBulkChange(projectId: string, kind: EntityKind, onEnd: (result: BulkResult) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ items, change }: Input): Promise<BulkResult> => {
      const failures = await changeEach(items, (item) => save(item, change));
      return { failures, total: items.length };
    },
    onSuccess: (result, { change }) => {
      const done = result.total - result.failures.length;
      if (done > 0) showDone(describeDone(kind, done, change));
      onEnd(result);
    },
    onSettled: () => refreshProject(queryClient, projectId),
  });
}

function save({ project_id: projectId, id: entityId, kind, version }: EntitySummary, change: BulkChange) {
  const params = { projectId, entityId };
  if (change === "bin") return api(routes[kind].remove, { params });
  return api(routes[kind].update, { params, body: { ...change.patch, version } });
}

function describeDone(kind: EntityKind, count: number, change: BulkChange): string {
  const things = count === 1 ? `1 ${kind}` : `${count} ${kindSpecs[kind].plural}`;
  return change === "bin" ? `${things} put in the bin` : `${things} changed`;
}

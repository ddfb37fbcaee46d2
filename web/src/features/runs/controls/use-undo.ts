// What taking back a run's writes would come to, doing it, and bringing them back.

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Restored, routes, type Undone } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRun } from "../run-context.tsx";
import { restoredWords, toUndoBody, type UndoChoices } from "./undo-choices.ts";
import { useRunCommand } from "./use-run-command.ts";

export function useDryRun(choices: UndoChoices) {
  const { run } = useRun();
  const body = toUndoBody(choices);
  return useQuery({
    queryKey: [...keys.run(run.id), "undo", body],
    queryFn: ({ signal }) =>
      api(routes.runs.undo, { params: { runId: run.id }, query: { dry_run: "true" }, body }, { signal }),
    placeholderData: keepPreviousData,
    // Others may work on the same things at any time.
    staleTime: 0,
    gcTime: 0,
  });
}

export function useUndo(onDone: (done: Undone) => void) {
  const { run } = useRun();
  const queryClient = useQueryClient();
  return useRunCommand<UndoChoices, Undone>({
    attempted: "taken back",
    send: (choices) =>
      api(routes.runs.undo, { params: { runId: run.id }, query: { dry_run: "false" }, body: toUndoBody(choices) }),
    runOf: () => null,
    onDone: (done) => {
      refresh(queryClient, [...done.removed.items, ...done.restored.items]);
      onDone(done);
    },
  });
}

export function useRestore() {
  const { run } = useRun();
  const queryClient = useQueryClient();
  return useRunCommand<void, Restored>({
    attempted: "restored",
    send: () => api(routes.runs.restore, { params: { runId: run.id } }),
    runOf: () => null,
    onDone: ({ restored, left }) => {
      refresh(queryClient, restored.items);
      showDone(restoredWords(restored.count, left.count));
    },
    isOnce: true,
  });
}

function refresh(queryClient: QueryClient, things: Undone["removed"]["items"]): void {
  void queryClient.invalidateQueries({ queryKey: keys.projects });
  void queryClient.invalidateQueries({ queryKey: keys.search });
  for (const projectId of new Set(things.map(({ project_id: id }) => id)))
    void queryClient.invalidateQueries({ queryKey: keys.project(projectId) });
}

// What taking back a run's writes would come to, and doing it.

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { routes, type Undone } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { useRun } from "../run-context.tsx";
import { toUndoBody, type UndoChoices } from "./undo-choices.ts";
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
      void queryClient.invalidateQueries({ queryKey: keys.projects });
      void queryClient.invalidateQueries({ queryKey: keys.search });
      for (const projectId of projectsOf(done))
        void queryClient.invalidateQueries({ queryKey: keys.project(projectId) });
      onDone(done);
    },
  });
}

const projectsOf = ({ removed, restored }: Undone): ReadonlySet<string> =>
  new Set([...removed.items, ...restored.items].map(({ project_id: id }) => id));

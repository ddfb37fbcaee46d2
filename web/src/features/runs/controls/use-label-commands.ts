// What a person calls a run, and whether lists show it: rename, archive, unarchive.

import { type Run, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRun } from "../run-context.tsx";
import { useRunCommand } from "./use-run-command.ts";

const itself = (run: Run) => run;

/** An empty title is the one that the run had at first. */
export function useRename() {
  const { run } = useRun();
  return useRunCommand<string, Run>({
    attempted: "renamed",
    send: (title) =>
      api(routes.runs.label, { params: { runId: run.id }, body: { title: title === "" ? null : title } }),
    runOf: itself,
    expected: (before, title) => (title === "" ? before : { ...before, title }),
    onDone: () => showDone("The run is renamed."),
  });
}

export function useArchive() {
  const { run } = useRun();
  return useRunCommand<boolean, Run>({
    attempted: "archived",
    send: (is_archived) => api(routes.runs.label, { params: { runId: run.id }, body: { is_archived } }),
    runOf: itself,
    onDone: (_run, isArchived) =>
      showDone(isArchived ? "The run is archived. Home lists it under Archived." : "The run is back in the list."),
  });
}

// Commands that need no more than a word: pause, cancel, resume.

import { type Run, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRun } from "../run-context.tsx";
import { useRunCommand } from "./use-run-command.ts";

const itself = (run: Run) => run;

export function usePause() {
  const { run } = useRun();
  return useRunCommand<void, Run>({
    attempted: "paused",
    send: () => api(routes.runs.pause, { params: { runId: run.id } }),
    runOf: itself,
    onDone: () => showDone("It is paused"),
  });
}

export function useCancel() {
  const { run } = useRun();
  return useRunCommand<void, Run>({
    attempted: "canceled",
    send: () => api(routes.runs.cancel, { params: { runId: run.id } }),
    runOf: itself,
    onDone: () => showDone("It is canceled"),
  });
}

export function useResume({ onDone }: { readonly onDone?: () => void }) {
  const { run } = useRun();
  return useRunCommand<Partial<Run["budgets"]>, Run>({
    attempted: "resumed",
    send: (budgets) => api(routes.runs.resume, { params: { runId: run.id }, body: { budgets } }),
    runOf: itself,
    onDone: () => {
      showDone("It goes on");
      onDone?.();
    },
  });
}

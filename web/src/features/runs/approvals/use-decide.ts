// Says yes or no to changes; the last decision answers the run's question.

import { type Run, routes } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRunCommand } from "../controls/use-run-command.ts";
import { useRun } from "../run-context.tsx";

export type Decision = "approve" | "reject";
type Decided = { readonly change_id: string; readonly decision: Decision; readonly note: string };

export function useDecide() {
  const { run } = useRun();
  return useRunCommand<readonly Decided[], { readonly run: Run; readonly pending: number }>({
    attempted: "decided",
    send: (decisions) => api(routes.changes.decide, { params: { runId: run.id }, body: { decisions: [...decisions] } }),
    runOf: (answered) => answered.run,
    onDone: ({ pending }) =>
      showDone(pending > 0 ? `Noted. ${counted(pending, "change")} left to decide` : "Noted. Every change is decided"),
  });
}

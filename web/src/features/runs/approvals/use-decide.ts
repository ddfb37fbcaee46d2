// Says yes or no to changes; the last decision answers the run's question.

import { type Run, routes, type StagedWrite } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRunCommand } from "../controls/use-run-command.ts";
import { useRun } from "../run-context.tsx";

export type Decision = "approve" | "reject";
export type Decide = (writes: readonly StagedWrite[], decision: Decision, note: string) => void;
type Decided = { readonly change_id: string; readonly decision: Decision; readonly note: string };

type Decisions = { readonly decisions: readonly Decided[]; readonly onDone: () => void };

export function useDecide() {
  const { run } = useRun();
  const { mutate, isPending } = useRunCommand<Decisions, { readonly run: Run; readonly pending: number }>({
    attempted: "decided",
    isOnce: true,
    send: ({ decisions }) =>
      api(routes.changes.decide, { params: { runId: run.id }, body: { decisions: [...decisions] } }),
    runOf: (answered) => answered.run,
    onDone: ({ pending }, { onDone }) => {
      onDone();
      showDone(pending > 0 ? `${counted(pending, "change")} left to decide` : "Every change is decided");
    },
  });
  return {
    isPending,
    mutate: (decisions: readonly Decided[], onDone: () => void) => mutate({ decisions, onDone }),
  };
}

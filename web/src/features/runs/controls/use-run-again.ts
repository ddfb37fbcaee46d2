// Starts a new run with the objective and the settings of the run on the page, and goes to it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { routes } from "../../../../../src/protocol/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { runWorkQuery } from "../../../lib/data/runs.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRun } from "../run-context.tsx";
import { bodyOfAgain } from "./run-again.ts";

export function useRunAgain() {
  const { run } = useRun();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const work = useQuery({ ...runWorkQuery(run.id), enabled: run.engine === "agent" });
  const create = useCreate(routes.runs.create, {
    onSuccess: ({ run_id: runId }) => {
      showDone("A new run has started.");
      void queryClient.invalidateQueries({ queryKey: keys.runs });
      void navigate({ to: "/homework/runs/$runId", params: { runId } });
    },
  });
  return {
    isReady: run.engine !== "agent" || !work.isPending,
    start: () => create.mutate({ body: bodyOfAgain(run, work.data?.work?.repository ?? null) }),
  };
}

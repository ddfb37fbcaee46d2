// What the palette offers on a run's page: its tabs, and pausing it.

import { IconPlayerPause, IconRocket } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { runQuery } from "../../lib/data/runs.ts";
import { goesOnByItself } from "../../ui/run-words.ts";
import { showDone } from "../../ui/toast.ts";
import { actionIcon, type PaletteAction } from "./palette-action.ts";

const tabs = [
  { to: "/homework/runs/$runId", label: "Run: result" },
  { to: "/homework/runs/$runId/activity", label: "Run: activity" },
  { to: "/homework/runs/$runId/sources", label: "Run: sources" },
  { to: "/homework/runs/$runId/details", label: "Run: details" },
] as const;

export function useRunActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const { runId = "" } = useParams({ strict: false });
  const run = useQuery({ ...runQuery(runId), enabled: runId !== "" }).data?.run;
  const pause = usePauseRun();
  if (runId === "" || run === undefined) return [];
  const toTabs = tabs.map(({ to, label }) => ({
    id: to,
    label,
    icon: <IconRocket {...actionIcon} />,
    run: () => void navigate({ to, params: { runId } }),
  }));
  const toPause = {
    id: "pause",
    label: "Pause run",
    icon: <IconPlayerPause {...actionIcon} />,
    run: () => pause.mutate(runId),
  };
  return goesOnByItself(run.status) ? [toPause, ...toTabs] : toTabs;
}

function usePauseRun() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => api(routes.runs.pause, { params: { runId } }),
    onSuccess: () => showDone("The run is paused."),
    onSettled: (_answer, _error, runId) => queryClient.invalidateQueries({ queryKey: keys.run(runId) }),
  });
}

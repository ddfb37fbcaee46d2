// The few things one does to a run from anywhere: open its page, pause it, cancel it.

import { Button, Group } from "@mantine/core";
import { IconArrowRight, IconMessageQuestion, IconPlayerPause, IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { useReachable } from "../../lib/use-reachable.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { ButtonLink } from "../../ui/links.tsx";
import { goesOnByItself, type RunStatus } from "../../ui/run-words.ts";
import { showDone } from "../../ui/toast.ts";

type QuickActionsProps = { readonly runId: string; readonly status: RunStatus };

const ended: readonly RunStatus[] = ["completed", "failed", "canceled"];

export function QuickActions({ runId, status }: QuickActionsProps) {
  const pause = useCommand(runId, routes.runs.pause, "Paused. Resume it on its page.");
  const cancel = useCommand(runId, routes.runs.cancel, "Canceled");
  const isAway = !useReachable();
  const askToCancel = () =>
    askFirst({
      title: "Cancel this homework?",
      text: "It ends for good. What it has written so far stays, and its page can take it back.",
      confirm: "Cancel the homework",
      onConfirm: () => cancel.mutate(),
    });
  const waits = status === "waiting_on_user";
  return (
    <Group gap="xs">
      <ButtonLink
        to="/homework/runs/$runId"
        params={{ runId }}
        size="xs"
        color={waits ? "orange" : "blue"}
        autoContrast
        leftSection={waits ? <IconMessageQuestion size={16} aria-hidden /> : <IconArrowRight size={16} aria-hidden />}
      >
        {waits ? "Answer it" : "Open its page"}
      </ButtonLink>
      {goesOnByItself(status) ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          loading={pause.isPending}
          disabled={isAway}
          onClick={() => pause.mutate()}
        >
          Pause
        </Button>
      ) : null}
      {ended.includes(status) ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          loading={cancel.isPending}
          disabled={isAway}
          onClick={askToCancel}
        >
          Cancel
        </Button>
      )}
    </Group>
  );
}

function useCommand(runId: string, route: typeof routes.runs.pause | typeof routes.runs.cancel, done: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(route, { params: { runId } }),
    onSuccess: () => showDone(done),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keys.run(runId) });
      void queryClient.invalidateQueries({ queryKey: keys.runs });
    },
  });
}

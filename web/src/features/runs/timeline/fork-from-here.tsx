// Goes on from this iteration in a run of its own: the place where one sees that it went wrong is the place to ask for that.

import { IconGitFork } from "@tabler/icons-react";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";

type ForkFromHereProps = { readonly iteration: number; readonly onFork: (iteration: number) => void };

export function ForkFromHere({ iteration, onFork }: ForkFromHereProps) {
  const away = useAway();
  return (
    <ControlButton
      size="compact-sm"
      variant="default"
      leftSection={<IconGitFork size={14} aria-hidden />}
      says="Starts a new run from the state after this iteration. You choose what changes."
      offBecause={away}
      onClick={() => onFork(iteration)}
    >
      Fork from iteration {iteration}…
    </ControlButton>
  );
}

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
      says="Asks what shall be another, then begins a new run with everything as it was after this iteration"
      offBecause={away}
      onClick={() => onFork(iteration)}
    >
      Fork from iteration {iteration}…
    </ControlButton>
  );
}

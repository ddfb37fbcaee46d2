// Goes on from this iteration in a run of its own: the place where one sees that it went wrong is the place to ask for that.

import { IconGitFork } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../controls/control-button.tsx";

// What few people open is fetched when they do.
const ForkModal = lazy(async () => ({ default: (await import("../controls/fork-modal.tsx")).ForkModal }));

export function ForkFromHere({ iteration }: { readonly iteration: number }) {
  const [isOpen, setOpen] = useState(false);
  const away = useAway();
  return (
    <>
      <ControlButton
        size="compact-sm"
        variant="default"
        leftSection={<IconGitFork size={14} aria-hidden />}
        says="Asks what shall be another, then begins a new run with everything as it was after this iteration"
        offBecause={away}
        onClick={() => setOpen(true)}
      >
        Fork from iteration {iteration}…
      </ControlButton>
      <Suspense fallback={null}>
        {isOpen ? <ForkModal iteration={iteration} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

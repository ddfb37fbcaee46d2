// The button for what is to be done about a run that failed or was canceled, beside the reason.

import { IconRefresh } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { useRun } from "../run-context.tsx";
import { useRunAgain } from "./use-run-again.ts";

// What few people open is fetched when they do.
const ForkModal = lazy(async () => ({ default: (await import("./fork-modal.tsx")).ForkModal }));

export function EndActions() {
  const { status } = useRun().view.state;
  if (status === "failed") return <RetryButton />;
  return status === "canceled" ? <RunAgainButton /> : null;
}

export function RetryButton() {
  const away = useAway();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <ControlButton
        leftSection={<IconRefresh size={16} aria-hidden />}
        says="Starts a new run from the last iteration that ended; asks first"
        offBecause={away}
        onClick={() => setAsked(true)}
      >
        Retry
      </ControlButton>
      <Suspense fallback={null}>{isAsked ? <ForkModal onClose={() => setAsked(false)} /> : null}</Suspense>
    </>
  );
}

function RunAgainButton() {
  const away = useAway();
  const { start, isReady } = useRunAgain();
  return (
    <ControlButton
      leftSection={<IconRefresh size={16} aria-hidden />}
      says="Starts a new run with the same objective and settings"
      offBecause={away ?? (isReady ? null : "Loading")}
      onClick={start}
    >
      Run again
    </ControlButton>
  );
}

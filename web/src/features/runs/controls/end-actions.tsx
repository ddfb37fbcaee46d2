// The button for what is to be done about a run that failed, stopped or was canceled, beside the reason.

import { IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { iterationsDone } from "../../../../../src/protocol/run-view.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { useRun } from "../run-context.tsx";
import { anyUsedUp } from "./budget-form.ts";
import { useRunAgain } from "./use-run-again.ts";
import { useResume } from "./use-simple-commands.ts";

// What few people open is fetched when they do.
const ForkModal = lazy(async () => ({ default: (await import("./fork-modal.tsx")).ForkModal }));
const ResumeModal = lazy(async () => ({ default: (await import("./resume-modal.tsx")).ResumeModal }));

export function EndActions() {
  const { state } = useRun().view;
  const { status } = state;
  if (status === "failed") return <RetryButton />;
  if (state.status === "stopped") return state.reason === "paused" ? null : <ResumeHere />;
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

/** Beside the reason; the controls above have one of their own. */
function ResumeHere() {
  const { run, view } = useRun();
  const away = useAway();
  const resume = useResume({});
  const [isAsked, setAsked] = useState(false);
  const needsMore = anyUsedUp(run, iterationsDone(view));
  return (
    <>
      <ControlButton
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        says={needsMore ? "Asks how much more the run may use" : "Continues where it stopped"}
        offBecause={away}
        loading={resume.isPending}
        onClick={() => (needsMore ? setAsked(true) : resume.mutate({}))}
      >
        {needsMore ? "Resume with more…" : "Resume the run"}
      </ControlButton>
      <Suspense fallback={null}>{isAsked ? <ResumeModal onClose={() => setAsked(false)} /> : null}</Suspense>
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

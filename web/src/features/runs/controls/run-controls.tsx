// What one may do to a run as a whole: one filled button for what its state asks for, the rest quiet or in the menu.

import { Group } from "@mantine/core";
import { IconArrowForwardUp, IconMessagePlus, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { iterationsDone } from "../../../../../src/protocol/run-view.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useIsResultTab } from "../page/use-is-result-tab.ts";
import { useRun } from "../run-context.tsx";
import { anyUsedUp } from "./budget-form.ts";
import { RetryButton } from "./end-actions.tsx";
import { MoreControls, type OpenDialog } from "./more-controls.tsx";
import { OpenResult } from "./open-result.tsx";
import { guidanceId } from "./steer-box.tsx";
import { usePause, useResume } from "./use-simple-commands.ts";
import { useRestore } from "./use-undo.ts";

// What few people open is fetched when they do.
const AskModal = lazy(async () => ({ default: (await import("./ask-modal.tsx")).AskModal }));
const FollowUpModal = lazy(async () => ({ default: (await import("./follow-up-modal.tsx")).FollowUpModal }));
const ForkModal = lazy(async () => ({ default: (await import("./fork-modal.tsx")).ForkModal }));
const ResumeModal = lazy(async () => ({ default: (await import("./resume-modal.tsx")).ResumeModal }));
const UndoModal = lazy(async () => ({ default: (await import("./undo-modal.tsx")).UndoModal }));

type ButtonsProps = { readonly away: string | null; readonly onOpen: (dialog: OpenDialog) => void };

export function RunControls() {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const away = useAway();
  const close = () => setDialog(null);
  return (
    <Group gap="xs" className="run-controls not-printed" role="group" aria-label="Controls of the run">
      <StateButtons away={away} onOpen={setDialog} />
      <MoreControls away={away} onOpen={setDialog} />
      <Suspense fallback={null}>
        {dialog === "resume" ? <ResumeModal onClose={close} /> : null}
        {dialog === "fork" ? <ForkModal onClose={close} /> : null}
        {dialog === "undo" ? <UndoModal onClose={close} /> : null}
        {dialog === "ask" ? <AskModal onClose={close} /> : null}
        {dialog === "follow_up" ? <FollowUpModal onClose={close} /> : null}
      </Suspense>
    </Group>
  );
}

function StateButtons({ away, onOpen }: ButtonsProps) {
  const { run, view } = useRun();
  const { status } = view.state;
  if (goesOnByItself(status))
    return (
      <>
        <GuidanceButton />
        <PauseButton away={away} />
      </>
    );
  if (status === "stopped")
    return (
      <>
        <ResumeButton away={away} onAsk={() => onOpen("resume")} />
        <OpenResult variant="default">Open results so far</OpenResult>
      </>
    );
  if (status === "completed")
    return (
      <>
        {run.is_undone ? <RestoreButton away={away} /> : <OpenResult variant="filled">Open result</OpenResult>}
        <FollowUpButton away={away} onOpen={onOpen} />
      </>
    );
  if (status === "failed") return <RetryElsewhere />;
  return status === "canceled" ? <FollowUpButton away={away} onOpen={onOpen} /> : null;
}

function GuidanceButton() {
  const { run } = useRun();
  const navigate = useNavigate();
  const isResultTab = useIsResultTab();
  const goThere = async () => {
    await navigate({ to: "/homework/runs/$runId", params: { runId: run.id } });
    document.getElementById(guidanceId)?.focus();
  };
  return (
    <ControlButton
      // The result has the field itself.
      variant={isResultTab ? "default" : "filled"}
      leftSection={<IconMessagePlus size={16} aria-hidden />}
      says="Say something the run reads before its next model call"
      offBecause={null}
      onClick={() => void goThere()}
    >
      Add guidance
    </ControlButton>
  );
}

type AwayProps = { readonly away: string | null };

function PauseButton({ away }: AwayProps) {
  const pause = usePause();
  return (
    <ControlButton
      variant="default"
      leftSection={<IconPlayerPause size={16} aria-hidden />}
      says="Pauses the run and keeps everything; resume continues where it was"
      offBecause={away}
      loading={pause.isPending}
      onClick={() => pause.mutate()}
    >
      Pause
    </ControlButton>
  );
}

function ResumeButton({ away, onAsk }: AwayProps & { readonly onAsk: () => void }) {
  const { run, view } = useRun();
  const resume = useResume({});
  const needsMore = anyUsedUp(run, iterationsDone(view));
  const { state } = view;
  const isBelow = useIsResultTab() && state.status === "stopped" && state.reason !== "paused";
  return (
    <ControlButton
      // The card of what happened has the filled one.
      variant={isBelow ? "default" : "filled"}
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      says={needsMore ? "A limit is reached: asks how much more the run may use" : "Continues where it stopped"}
      offBecause={away}
      loading={resume.isPending}
      onClick={() => (needsMore ? onAsk() : resume.mutate({}))}
    >
      {needsMore ? "Resume…" : "Resume"}
    </ControlButton>
  );
}

function FollowUpButton({ away, onOpen }: ButtonsProps) {
  return (
    <ControlButton
      variant="default"
      says="Starts a new run that knows this one"
      offBecause={away}
      onClick={() => onOpen("follow_up")}
    >
      Follow up
    </ControlButton>
  );
}

function RestoreButton({ away }: AwayProps) {
  const restore = useRestore();
  return (
    <ControlButton
      leftSection={<IconArrowForwardUp size={16} aria-hidden />}
      says="Brings back what was taken back, except what was changed since"
      offBecause={away}
      loading={restore.isPending}
      onClick={() => restore.mutate()}
    >
      Restore
    </ControlButton>
  );
}

/** The result has the button beside the reason. */
function RetryElsewhere() {
  return useIsResultTab() ? null : <RetryButton />;
}

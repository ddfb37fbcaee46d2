// What one may do to a run as a whole, by how it stands. Each control says what it will do, or why it cannot be used now.

import { Group } from "@mantine/core";
import { IconMessageQuestion, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useAway } from "../../../lib/use-away.ts";
import { askFirst } from "../../../ui/confirm.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { iterationsDone } from "../page/budget-bars.ts";
import { useRun } from "../run-context.tsx";
import { anyUsedUp } from "./budget-form.ts";
import { ControlButton } from "./control-button.tsx";
import { MoreControls } from "./more-controls.tsx";
import { useCancel, usePause, useResume } from "./use-simple-commands.ts";

// What few people open is fetched when they do.
const FollowUpModal = lazy(async () => ({ default: (await import("./follow-up-modal.tsx")).FollowUpModal }));
const ForkModal = lazy(async () => ({ default: (await import("./fork-modal.tsx")).ForkModal }));
const ResumeModal = lazy(async () => ({ default: (await import("./resume-modal.tsx")).ResumeModal }));
const UndoModal = lazy(async () => ({ default: (await import("./undo-modal.tsx")).UndoModal }));

export type OpenDialog = "resume" | "fork" | "undo" | "follow_up";

export function RunControls() {
  const { view } = useRun();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const away = useAway();
  const close = () => setDialog(null);
  const { status } = view.state;
  return (
    <Group gap="xs" className="not-printed" role="group" aria-label="Controls of the run">
      {goesOnByItself(status) ? <PauseButton away={away} /> : null}
      {status === "stopped" ? <ResumeButton away={away} onAsk={() => setDialog("resume")} /> : null}
      <ControlButton
        variant="default"
        leftSection={<IconMessageQuestion size={16} aria-hidden />}
        says="Begins a chat that knows this run: what it was asked, did and found"
        offBecause={away}
        onClick={() => setDialog("follow_up")}
      >
        Ask about it
      </ControlButton>
      {isOver(status) ? null : <CancelButton away={away} />}
      <MoreControls away={away} onOpen={setDialog} />
      <Suspense fallback={null}>
        {dialog === "resume" ? <ResumeModal onClose={close} /> : null}
        {dialog === "fork" ? <ForkModal onClose={close} /> : null}
        {dialog === "undo" ? <UndoModal onClose={close} /> : null}
        {dialog === "follow_up" ? <FollowUpModal onClose={close} /> : null}
      </Suspense>
    </Group>
  );
}

const isOver = (status: string) => status === "completed" || status === "failed" || status === "canceled";

type AwayProps = { readonly away: string | null };

function PauseButton({ away }: AwayProps) {
  const pause = usePause();
  return (
    <ControlButton
      variant="default"
      leftSection={<IconPlayerPause size={16} aria-hidden />}
      says="Stops it now and keeps everything; resuming goes on where it was"
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
  return (
    <ControlButton
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      says={needsMore ? "A budget is used up: asks how much more it may use, then goes on" : "Goes on where it stopped"}
      offBecause={away}
      loading={resume.isPending}
      onClick={() => (needsMore ? onAsk() : resume.mutate({}))}
    >
      {needsMore ? "Resume…" : "Resume"}
    </ControlButton>
  );
}

function CancelButton({ away }: AwayProps) {
  const cancel = useCancel();
  const ask = () =>
    askFirst({
      title: "Cancel this run?",
      text: "It ends for good, in the middle of what it is doing; this cannot be undone. What it wrote until now stays, and can be taken back afterwards. To go on later, pause it instead.",
      confirm: "Cancel the run",
      onConfirm: () => cancel.mutate(),
    });
  return (
    <ControlButton
      variant="default"
      leftSection={<IconPlayerStop size={16} aria-hidden />}
      says="Ends it for good; asks first"
      offBecause={away}
      loading={cancel.isPending}
      onClick={ask}
    >
      Cancel
    </ControlButton>
  );
}

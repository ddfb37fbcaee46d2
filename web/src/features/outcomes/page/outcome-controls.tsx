// What one can do to the whole outcome: start, pause, resume, edit, archive, delete, and look at what HOMЯ did.

import { ActionIcon, Group, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconDots,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSettings,
  IconTrash,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useAway } from "../../../lib/use-away.ts";
import { askFirst } from "../../../ui/confirm.tsx";
import { ControlButton } from "../../../ui/control-button.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { EditOutcomeModal } from "./edit-outcome-modal.tsx";
import { useArchive, useDelete, usePause, useResume, useStart } from "./use-simple-commands.ts";

const small = { size: 16, "aria-hidden": true } as const;

export function OutcomeControls() {
  const { status, is_drafting: isDrafting } = useOutcome();
  const away = useAway();
  return (
    <Group gap="xs" className="not-printed">
      {status === "dormant" && !isDrafting ? <StartButton away={away} /> : null}
      {status === "achieved" || status === "archived" ? <StartAgainButton away={away} /> : null}
      {status === "active" ? <PauseButton away={away} /> : null}
      {status === "paused" ? <ResumeButton away={away} /> : null}
      <MoreMenu />
    </Group>
  );
}

type AwayProps = { readonly away: string | null };

function StartButton({ away }: AwayProps) {
  const { tasks, intent } = useOutcome();
  const start = useStart();
  const isEmpty = tasks.pending === 0 && intent.summary === "" && intent.success_criteria.length === 0;
  return (
    <ControlButton
      leftSection={<IconPlayerPlay {...small} />}
      says="Starts the tasks that are ready"
      offBecause={away ?? (isEmpty ? "Add a task or write the intent first" : null)}
      loading={start.isPending}
      onClick={() => start.mutate(undefined)}
    >
      Start
    </ControlButton>
  );
}

function StartAgainButton({ away }: AwayProps) {
  const start = useStart();
  return (
    <ControlButton
      variant="default"
      leftSection={<IconPlayerPlay {...small} />}
      says="Continues with open tasks and reviews the result again"
      offBecause={away}
      loading={start.isPending}
      onClick={() => start.mutate(undefined)}
    >
      Start again
    </ControlButton>
  );
}

function PauseButton({ away }: AwayProps) {
  const pause = usePause();
  return (
    <ControlButton
      variant="default"
      leftSection={<IconPlayerPause {...small} />}
      says="Pauses all running tasks and starts no others. Nothing is lost."
      offBecause={away}
      loading={pause.isPending}
      onClick={() => pause.mutate(undefined)}
    >
      Pause
    </ControlButton>
  );
}

function ResumeButton({ away }: AwayProps) {
  const resume = useResume();
  return (
    <ControlButton
      leftSection={<IconPlayerPlay {...small} />}
      says="Continues where the outcome was paused"
      offBecause={away}
      loading={resume.isPending}
      onClick={() => resume.mutate(undefined)}
    >
      Resume
    </ControlButton>
  );
}

function MoreMenu() {
  const { status } = useOutcome();
  const navigate = useNavigate();
  const [isEditing, { open, close }] = useDisclosure(false);
  const archive = useArchive();
  const remove = useDelete();
  const show = (search: { readonly activity?: true; readonly settings?: true }) =>
    void navigate({ to: ".", search, resetScroll: false });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory {...small} />} onClick={() => show({ activity: true })}>
            Activity log
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings {...small} />} onClick={() => show({ settings: true })}>
            HOMЯ settings
          </Menu.Item>
          {status === "archived" ? null : (
            <>
              <Menu.Item leftSection={<IconPencil {...small} />} onClick={open}>
                Edit outcome
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArchive {...small} />}
                onClick={() => askArchive(() => archive.mutate(undefined))}
              >
                Archive
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconTrash {...small} />} onClick={() => askDelete(() => remove.mutate())}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing ? <EditOutcomeModal onClose={close} /> : null}
    </>
  );
}

const askArchive = (onConfirm: () => void) =>
  askFirst({
    title: "Archive this outcome?",
    text: "Running tasks are canceled and open questions are closed. Everything stays readable, and you can start the outcome again.",
    confirm: "Archive outcome",
    onConfirm,
  });

const askDelete = (onConfirm: () => void) =>
  askFirst({
    title: "Delete this outcome?",
    text: "Its tasks, questions and log are deleted for good. Runs are canceled and stay, with what they wrote.",
    confirm: "Delete outcome",
    onConfirm,
  });

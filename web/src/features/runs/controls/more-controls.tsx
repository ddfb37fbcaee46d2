// The controls that are used less often, each with what it does.

import { ActionIcon, Menu, Text } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconArrowBackUp,
  IconDots,
  IconDownload,
  IconGitFork,
  IconMessageQuestion,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlaylistAdd,
  IconRefresh,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RunView } from "../../../../../src/protocol/run-view.ts";
import { askFirst } from "../../../ui/confirm.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { downloadReport } from "../report/download-report.ts";
import { useRun } from "../run-context.tsx";
import { useArchive } from "./use-label-commands.ts";
import { useRunAgain } from "./use-run-again.ts";
import { useCancel } from "./use-simple-commands.ts";

export type OpenDialog = "resume" | "fork" | "undo" | "ask" | "follow_up";

type MoreControlsProps = { readonly away: string | null; readonly onOpen: (dialog: OpenDialog) => void };

export function MoreControls({ away, onOpen }: MoreControlsProps) {
  const { run, view } = useRun();
  const { status } = view.state;
  const isAtWork = goesOnByItself(status);
  const hasEnded = view.iteration > 1 || !isAtWork;
  const hasResult = !isAtWork && run.completed_at !== null;
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More controls">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {status === "stopped" ? (
          <Item
            icon={<IconPlayerPlay size={16} aria-hidden />}
            label="Resume with other limits…"
            says="Continues where it stopped, with what you allow"
            offBecause={away}
            onClick={() => onOpen("resume")}
          />
        ) : null}
        {hasMoreToAsk(view.state) ? (
          <Item
            icon={<IconPlaylistAdd size={16} aria-hidden />}
            label="Follow up…"
            says="Starts a new run that knows this one"
            offBecause={away}
            onClick={() => onOpen("follow_up")}
          />
        ) : null}
        <Item
          icon={<IconMessageQuestion size={16} aria-hidden />}
          label="Ask a question…"
          says="Starts a chat that knows this run"
          offBecause={away}
          onClick={() => onOpen("ask")}
        />
        <ExportItem />
        <Item
          icon={<IconGitFork size={16} aria-hidden />}
          label="Fork…"
          says="Starts a new run from an iteration of this one"
          offBecause={away ?? (hasEnded ? null : "No iteration has ended yet")}
          onClick={() => onOpen("fork")}
        />
        <Item
          icon={<IconArrowBackUp size={16} aria-hidden />}
          label="Undo…"
          says="Shows what would be taken back, and asks first"
          offBecause={away ?? (isAtWork ? "Pause or cancel the run first" : null)}
          onClick={() => onOpen("undo")}
        />
        {hasResult ? (
          <>
            <RunAgainItem away={away} />
            <ArchiveItem away={away} />
          </>
        ) : null}
        {isOver(status) ? null : <CancelItem away={away} />}
      </Menu.Dropdown>
    </Menu>
  );
}

/** It has ended, and its state asks for something else first. */
const hasMoreToAsk = (state: RunView["state"]) =>
  state.status === "failed" || (state.status === "stopped" && state.reason !== "paused");

const isOver = (status: string) => status === "completed" || status === "failed" || status === "canceled";

function RunAgainItem({ away }: { readonly away: string | null }) {
  const { start, isReady } = useRunAgain();
  return (
    <Item
      icon={<IconRefresh size={16} aria-hidden />}
      label="Run again"
      says="Starts a new run with the same objective and settings"
      offBecause={away ?? (isReady ? null : "Loading")}
      onClick={start}
    />
  );
}

function ArchiveItem({ away }: { readonly away: string | null }) {
  const { is_archived: isArchived } = useRun().run;
  const archive = useArchive();
  return (
    <Item
      icon={isArchived ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />}
      label={isArchived ? "Unarchive" : "Archive"}
      says={isArchived ? "Shows the run in lists again" : "Hides the run from lists; search still finds it"}
      offBecause={away}
      onClick={() => archive.mutate(!isArchived)}
    />
  );
}

function ExportItem() {
  const { id, report } = useRun().run;
  const download = useMutation({ mutationFn: downloadReport });
  if (report === null) return null;
  return (
    <Item
      icon={<IconDownload size={16} aria-hidden />}
      label="Export"
      says="Downloads the report as Markdown"
      offBecause={null}
      onClick={() => download.mutate({ id, report })}
    />
  );
}

function CancelItem({ away }: { readonly away: string | null }) {
  const { status } = useRun().view.state;
  const cancel = useCancel();
  const ask = () =>
    askFirst({
      title: "Cancel this run?",
      text: "The run ends for good. What it wrote stays, and can be undone. To continue later, pause it instead.",
      confirm: "Cancel run",
      keep: goesOnByItself(status) ? "Keep running" : "Keep the run",
      onConfirm: () => cancel.mutate(),
    });
  return (
    <Item
      icon={<IconPlayerStop size={16} aria-hidden />}
      label="Cancel run"
      says="Ends the run for good; asks first"
      offBecause={away}
      onClick={ask}
    />
  );
}

type ItemProps = {
  readonly icon: ReactNode;
  readonly label: string;
  readonly says: string;
  readonly offBecause: string | null;
  readonly onClick: () => void;
};

function Item({ icon, label, says, offBecause, onClick }: ItemProps) {
  const isOff = offBecause !== null;
  return (
    <Menu.Item
      leftSection={icon}
      closeMenuOnClick={!isOff}
      {...(isOff ? { "aria-disabled": true, "data-disabled": true } : {})}
      onClick={isOff ? undefined : onClick}
    >
      {label}
      <Text size="xs" c="dimmed">
        {offBecause ?? says}
      </Text>
    </Menu.Item>
  );
}

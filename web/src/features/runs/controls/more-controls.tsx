// The controls that are used less often, each with what it does.

import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconArrowBackUp, IconDots, IconGitFork, IconPlayerPlay } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";
import type { OpenDialog } from "./run-controls.tsx";

type MoreControlsProps = { readonly away: string | null; readonly onOpen: (dialog: OpenDialog) => void };

export function MoreControls({ away, onOpen }: MoreControlsProps) {
  const { view } = useRun();
  const { status } = view.state;
  const isAtWork = goesOnByItself(status);
  const hasEnded = view.iteration > 1 || !isAtWork;
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
            label="Resume with other budgets…"
            says="Goes on where it stopped, with what you allow it to use"
            offBecause={away}
            onClick={() => onOpen("resume")}
          />
        ) : null}
        <Item
          icon={<IconGitFork size={16} aria-hidden />}
          label="Fork…"
          says="Begins a new run from an iteration of this one; this one stays as it is"
          offBecause={away ?? (hasEnded ? null : "No iteration has ended yet")}
          onClick={() => onOpen("fork")}
        />
        <Item
          icon={<IconArrowBackUp size={16} aria-hidden />}
          label="Undo…"
          says="Shows what it would take back, and asks before it does"
          offBecause={away ?? (isAtWork ? "It is at work: pause or cancel it first" : null)}
          onClick={() => onOpen("undo")}
        />
      </Menu.Dropdown>
    </Menu>
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

// Formatting for people who do not know markdown by heart.

import type { StateCommand } from "@codemirror/state";
import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { IconBold, IconHeading, IconItalic, IconLink, IconList, IconListCheck } from "@tabler/icons-react";
import { insertLink, toggleBold, toggleChecklist, toggleHeading, toggleItalic, toggleList } from "./text-commands.ts";

type Tool = {
  readonly name: string;
  readonly Icon: typeof IconBold;
  readonly command: StateCommand;
  readonly keys?: string;
};

const tools: readonly Tool[] = [
  { name: "Bold", Icon: IconBold, command: toggleBold, keys: "Ctrl+B" },
  { name: "Italic", Icon: IconItalic, command: toggleItalic, keys: "Ctrl+I" },
  { name: "Heading", Icon: IconHeading, command: toggleHeading },
  { name: "List", Icon: IconList, command: toggleList },
  { name: "Checklist", Icon: IconListCheck, command: toggleChecklist },
  { name: "Link", Icon: IconLink, command: insertLink },
];

export function MarkdownToolbar({ onUse }: { readonly onUse: (command: StateCommand) => void }) {
  return (
    <Group gap={2} role="group" aria-label="Formatting" className="markdown-toolbar">
      {tools.map(({ name, Icon, command, keys }) => (
        <Tooltip key={name} label={keys ? `${name} (${keys})` : name} openDelay={500}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={name}
            {...(keys ? { "aria-keyshortcuts": keys.replace("Ctrl", "Control") } : {})}
            onClick={() => onUse(command)}
          >
            <Icon size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}

// Text as it is, in a box: clipped where it is long, and to be copied whole.

import { ActionIcon, Anchor, Code, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";

/** Enough to see what it is; laying out megabytes would freeze the tab. */
const shownCharacters = 4_000;

type RawTextProps = {
  /** What it is: "Arguments", "Result". */
  readonly label: string;
  readonly text: string;
  /** The server kept or sent only the beginning. */
  readonly isCut?: boolean;
};

export function RawText({ label, text, isCut = false }: RawTextProps) {
  const [isWhole, setWhole] = useState(false);
  const isClipped = text.length > shownCharacters && !isWhole;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="xs" fw={600}>
          {label}
        </Text>
        <CopyText label={label} text={text} />
      </Group>
      <Code block mah={320} tabIndex={0} role="region" aria-label={label} className="pre-wrap">
        {isClipped ? text.slice(0, shownCharacters) : text}
      </Code>
      {isClipped ? (
        <Anchor component="button" type="button" size="xs" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </Anchor>
      ) : null}
      {isCut && !isClipped ? (
        <Text size="xs" c="dimmed">
          This is only the beginning; the rest is not kept here.
        </Text>
      ) : null}
    </div>
  );
}

function CopyText({ label, text }: Pick<RawTextProps, "label" | "text">) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : "Copy"} withArrow>
          <ActionIcon
            variant="subtle"
            color={copied ? "green" : "gray"}
            size="sm"
            onClick={copy}
            aria-label={copied ? `${label}: copied` : `Copy ${label.toLowerCase()}`}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

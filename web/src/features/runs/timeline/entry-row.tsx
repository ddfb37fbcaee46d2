// One entry: what it came to in a line, and on demand what it was called with and what it answered.

import { Badge, Code, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconMessage2, IconNote, IconTool, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";
import { RawText } from "../events/raw-text.tsx";
import { entryFacts, technicalFacts } from "./entry-facts.ts";
import { entryWords } from "./entry-words.ts";
import { type EntryMark, marksOf } from "./lanes.ts";

const kindIcons = { model: IconMessage2, tool: IconTool, effect: IconWorld, platform: IconNote } as const;
const kindWords = { model: "Model", tool: "Tool", effect: "Outside world", platform: "Platform" } as const;

const markWords: Readonly<Record<EntryMark, readonly [string, string]>> = {
  failed: ["Failed", tone.failure],
  uncertain: ["May or may not have happened", tone.strong],
  running: ["Under way", "blue"],
};

type EntryRowProps = { readonly entry: RunEntry };

export function EntryRow({ entry }: EntryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const error = entry.error === entry.result ? null : entry.error;
  const technical = technicalFacts(entry);
  const hasMore = entry.args !== null || entry.result !== null || error !== null || technical.length > 0;
  const line = <EntryLine entry={entry} />;
  if (!hasMore) return <div className="entry-row">{line}</div>;
  return (
    <>
      <UnstyledButton className="entry-row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {line}
      </UnstyledButton>
      {isOpen ? (
        <Stack gap="xs" className="entry-more">
          {error === null ? null : <RawText label="Why it failed" text={error} />}
          {technical.length === 0 ? null : (
            <Text size="xs" c="dimmed" className="breakable">
              {technical.join(" · ")}
            </Text>
          )}
          {entry.tool === null ? null : (
            <Text size="xs">
              Tool: <Code fz="xs">{entry.tool}</Code>
            </Text>
          )}
          {entry.args === null ? null : <RawText label="Arguments" text={entry.args} isCut={entry.is_cut} />}
          {entry.result === null ? null : <RawText label="Result" text={entry.result} isCut={entry.is_cut} />}
        </Stack>
      ) : null}
    </>
  );
}

function EntryLine({ entry }: EntryRowProps) {
  const Icon = kindIcons[entry.kind];
  const facts = entryFacts(entry);
  return (
    <>
      <Icon size={16} stroke={1.6} aria-label={kindWords[entry.kind]} className="unshrinkable" />
      <div className="grow">
        <Group gap={6} wrap="wrap">
          <Text span size="sm" className="breakable">
            {entryWords(entry)}
          </Text>
          {marksOf(entry).map((mark) => (
            <Badge key={mark} size="sm" variant="light" color={markWords[mark][1]} tt="none">
              {markWords[mark][0]}
            </Badge>
          ))}
        </Group>
        {facts.length === 0 ? null : (
          <Text size="xs" c="dimmed" className="breakable">
            {facts.join(" · ")}
          </Text>
        )}
      </div>
    </>
  );
}

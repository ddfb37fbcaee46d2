// One write that waits: what it would do, why the model wants it, and the decision, with feedback if there is any.

import { Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { projectsQuery } from "../../../lib/data/projects.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { StagedChanges } from "./staged-changes.tsx";
import { summaryWords } from "./staged-words.ts";
import type { Decide } from "./use-decide.ts";

/** As the contract has it. */
const noteMax = 4_000;

type CardProps = {
  readonly write: StagedWrite;
  readonly decide: Decide;
  readonly away: string | null;
  readonly isBusy: boolean;
};

export function StagedWriteCard(props: CardProps) {
  const { write } = props;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Change ${write.position}`}>
      <Stack gap="xs">
        <Text fw={600} className="breakable" dir="auto">
          {summaryWords(write)}
        </Text>
        <Where write={write} />
        {write.why === "" ? null : (
          <Text size="sm" c="dimmed" className="breakable" dir="auto">
            “{write.why}”
          </Text>
        )}
        {write.note === "" ? null : (
          <Text size="sm" className="breakable" dir="auto">
            Asked again: {write.note}
          </Text>
        )}
        <StagedChanges write={write} />
        <DecideOne {...props} />
      </Stack>
    </Paper>
  );
}

/** Which projects it would write to, as far as they are known. */
function Where({ write: { changes } }: Pick<CardProps, "write">) {
  const { data } = useInfiniteQuery(projectsQuery(false));
  const ids = new Set(changes.map(({ project_id: id }) => id));
  const names = data?.pages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)).map(({ name }) => name)) ?? [];
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" className="breakable" dir="auto">
      In {names.length === 1 ? "project" : "projects"} {names.map((name) => `“${name}”`).join(", ")}
    </Text>
  );
}

function DecideOne({ write, decide, away, isBusy }: CardProps) {
  const [note, setNote] = useState("");
  const common = { size: "xs", variant: "default", offBecause: away, loading: isBusy } as const;
  return (
    <Group gap="xs" align="flex-end" className="decide-one">
      <TextInput
        className="grow decide-note"
        miw={180}
        size="xs"
        label="Feedback (optional)"
        placeholder="What should be different, if you reject it"
        maxLength={noteMax}
        dir="auto"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <ControlButton {...common} says="Written exactly as shown" onClick={() => decide([write], "approve", note)}>
        Approve
      </ControlButton>
      <ControlButton
        {...common}
        says="Not written; the run gets your feedback"
        onClick={() => decide([write], "reject", note)}
      >
        Reject
      </ControlButton>
    </Group>
  );
}

// One write that waits: what it would do, why the model wants it, and the decision, with feedback if there is any.

import { Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { StagedChanges } from "./staged-changes.tsx";
import { summaryWords } from "./staged-words.ts";
import type { Decide } from "./writes-approval.tsx";

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

function DecideOne({ write, decide, away, isBusy }: CardProps) {
  const [note, setNote] = useState("");
  const common = { size: "xs", variant: "default", offBecause: away, loading: isBusy } as const;
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        className="grow"
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

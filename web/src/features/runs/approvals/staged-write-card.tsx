// One write that waits: what it would do, why the model wants it, and the decision, with a note if there is one.

import { Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../controls/control-button.tsx";
import { StagedChanges } from "./staged-changes.tsx";
import { type Decision, useDecide } from "./use-decide.ts";

/** As the contract has it. */
const noteMax = 4_000;

export function StagedWriteCard({ write }: { readonly write: StagedWrite }) {
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Change ${write.position}`}>
      <Stack gap="xs">
        <Text fw={600} className="breakable" dir="auto">
          {write.position}. {capital(write.summary)}
        </Text>
        {write.why === "" ? null : (
          <Text size="sm" c="dimmed" className="breakable" dir="auto">
            It says: “{write.why}”
          </Text>
        )}
        {write.note === "" ? null : (
          <Text size="sm" className="breakable" dir="auto">
            Asked again: {write.note}
          </Text>
        )}
        <StagedChanges write={write} />
        <DecideOne write={write} />
      </Stack>
    </Paper>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function DecideOne({ write }: { readonly write: StagedWrite }) {
  const [note, setNote] = useState("");
  const decide = useDecide();
  const away = useAway();
  const say = (decision: Decision) => decide.mutate([{ change_id: write.id, decision, note: note.trim() }]);
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        className="grow"
        miw={180}
        size="xs"
        label="A note to the run"
        placeholder="What should be different, if you reject it"
        maxLength={noteMax}
        dir="auto"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <ControlButton
        size="xs"
        says="It is written exactly as shown, or you are asked again"
        offBecause={away}
        loading={decide.isPending}
        onClick={() => say("approve")}
      >
        Approve
      </ControlButton>
      <ControlButton
        size="xs"
        variant="default"
        says="Nothing of it is written; the run is told, with your note"
        offBecause={away}
        loading={decide.isPending}
        onClick={() => say("reject")}
      >
        Reject
      </ControlButton>
    </Group>
  );
}

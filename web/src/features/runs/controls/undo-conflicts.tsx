// Things that others have worked on since the run: for each, leave it as it is or take the run's part back all the same.

import { Button, Group, Paper, Radio, Stack, Text } from "@mantine/core";
import { Time } from "../../../ui/time.tsx";
import { type UndoChoice, type UndoChoices, type UndoConflict, whoWords, withAll, withChoice } from "./undo-choices.ts";

type UndoConflictsProps = {
  readonly choices: UndoChoices;
  readonly onChoose: (choices: UndoChoices) => void;
};

export function UndoConflicts({ choices, onChoose }: UndoConflictsProps) {
  const { seen, chosen } = choices;
  if (seen.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Things others have worked on since">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          Choose what becomes of each of these
        </Text>
        {seen.length > 1 ? (
          <Group gap="xs">
            <Button size="compact-xs" variant="default" onClick={() => onChoose(withAll(choices, "skip"))}>
              Leave all
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => onChoose(withAll(choices, "force"))}>
              Overwrite all
            </Button>
          </Group>
        ) : null}
      </Group>
      {seen.map((conflict) => (
        <Conflict
          key={conflict.thing.ref}
          conflict={conflict}
          choice={chosen[conflict.thing.ref]}
          onChoose={(choice) => onChoose(withChoice(choices, conflict.thing.ref, choice))}
        />
      ))}
    </Stack>
  );
}

type ConflictProps = {
  readonly conflict: UndoConflict;
  readonly choice: UndoChoice | undefined;
  readonly onChoose: (choice: UndoChoice) => void;
};

function Conflict({ conflict, choice, onChoose }: ConflictProps) {
  const { thing, who, by, can_force: canForce, message } = conflict;
  const whom = whoWords(conflict);
  return (
    <Paper withBorder p="xs">
      <Radio.Group
        value={choice ?? ""}
        onChange={(value) => onChoose(value === "force" ? "force" : "skip")}
        label={`${thing.kind === "edge" ? "link" : thing.kind}: ${thing.title}`}
        description={
          <>
            {message}
            {whom === null ? "" : `, ${whom}`}
            {who === null ? null : (
              <>
                {" "}
                <Time at={who.at} />
              </>
            )}
            {by === null ? null : `: ${by.kind === "edge" ? "link" : by.kind} “${by.title}”`}
          </>
        }
      >
        <Group gap="md" mt="xs">
          <Radio value="skip" label="Leave it as it is now" />
          {canForce ? <Radio value="force" label="Overwrite: take the run's part back all the same" /> : null}
        </Group>
      </Radio.Group>
    </Paper>
  );
}

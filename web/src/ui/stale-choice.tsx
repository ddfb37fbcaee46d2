// Someone else saved first: shows both versions and lets the writer choose. Closing it changes nothing.

import { Button, CopyButton, Group, Paper, ScrollArea, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Dialog } from "./dialog.tsx";

export type StaleField = { readonly label: string; readonly mine: string; readonly theirs: string };

type StaleChoiceProps = {
  readonly fields: readonly StaleField[];
  readonly saving: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
};

export function StaleChoice({ fields, saving, onKeepMine, onTakeTheirs, onClose }: StaleChoiceProps) {
  return (
    <Dialog onClose={onClose} title="This was changed while you were editing" size="xl">
      <Stack>
        <Text size="sm">
          Someone else, or another tab of yours, saved a newer version. Nothing you typed is lost: choose which version
          stays, or close this to go on editing.
        </Text>
        {fields.map((field) => (
          <FieldPair key={field.label} {...field} />
        ))}
        <Group justify="flex-end">
          <CopyButton value={fields.map((field) => field.mine).join("\n\n")}>
            {({ copied, copy }) => (
              <Button variant="subtle" onClick={copy}>
                {copied ? "Copied" : "Copy mine"}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onTakeTheirs} disabled={saving}>
            Take theirs
          </Button>
          <Button onClick={onKeepMine} loading={saving} data-autofocus>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function FieldPair({ label, mine, theirs }: StaleField) {
  return (
    <Stack gap={4} component="section" aria-label={label}>
      <Title order={3} size="h6">
        {label}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        <Version name="Mine" text={mine} />
        <Version name="Theirs" text={theirs} />
      </SimpleGrid>
    </Stack>
  );
}

function Version({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Paper withBorder p="xs">
      <Text size="xs" fw={600} c="dimmed">
        {name}
      </Text>
      <ScrollArea.Autosize mah={220}>
        <Text size="sm" className="pre-wrap">
          {text || "(empty)"}
        </Text>
      </ScrollArea.Autosize>
    </Paper>
  );
}

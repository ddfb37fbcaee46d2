// Someone else saved first: shows both versions and lets the writer choose. Closing it changes nothing.

import { Button, CopyButton, Group, Paper, ScrollArea, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { Versioned, VersionedSave } from "../lib/use-versioned-save.ts";
import { Dialog } from "./dialog.tsx";

export type StaleField = { readonly label: string; readonly mine: string; readonly theirs: string };

type StaleChoiceProps<Thing extends Versioned, Patch> = {
  readonly saving: VersionedSave<Thing, Patch>;
  readonly compare: (mine: Patch, theirs: Thing) => readonly StaleField[];
};

export function StaleChoice<Thing extends Versioned, Patch>({ saving, compare }: StaleChoiceProps<Thing, Patch>) {
  if (saving.conflict === null) return null;
  const fields = compare(saving.conflict.patch, saving.conflict.current);
  return (
    <Dialog onClose={saving.dismiss} title="This was changed while you were editing" size="xl">
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
          <Button variant="default" onClick={saving.takeTheirs} disabled={saving.isSaving}>
            Take theirs
          </Button>
          <Button onClick={saving.keepMine} loading={saving.isSaving} data-autofocus>
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

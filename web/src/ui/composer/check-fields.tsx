// Checks of one's own: homework is not done before the platform saw each of them hold.

import { Button, Checkbox, CloseButton, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { runLimits } from "../../../../src/protocol/kinds.ts";
import { randomKey } from "../../lib/random-key.ts";
import { CheckForm } from "./check-form.tsx";
import { type CheckKind, checkKinds, emptyCheck } from "./homework-draft.ts";
import type { ComposerForm } from "./use-composer.ts";

const kindWords: Readonly<Record<CheckKind, string>> = {
  document_has: "A document has what I ask for",
  entity_exists: "A certain thing is there",
  entity_count: "It made so many things",
  judge: "A judge agrees",
  http_ok: "A web address answers",
};

export function CheckFields({ form }: { readonly form: ComposerForm }) {
  const { checks, isJudged } = form.values;
  return (
    <Stack component="fieldset" gap="xs" className="plain-fieldset">
      <Text component="legend" fw={700}>
        Checks of your own
      </Text>
      <Text size="sm" c="dimmed">
        It makes checks itself. Yours come on top: it is not done before each of them holds.
      </Text>
      {checks.map((check, position) => (
        <CheckRow key={check.key} form={form} position={position} />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={checks.length >= runLimits.checks}
          onClick={() => form.insertListItem("checks", emptyCheck(randomKey()))}
        >
          Add a check
        </Button>
      </div>
      <Checkbox
        label="A judge reads the result before it is done"
        description="One more call of a model, which reads the work against what you asked for. Without it only what can be counted is checked."
        checked={isJudged}
        onChange={(event) => form.setFieldValue("isJudged", event.currentTarget.checked)}
      />
    </Stack>
  );
}

type CheckRowProps = { readonly form: ComposerForm; readonly position: number };

function CheckRow({ form, position }: CheckRowProps) {
  const name = `Check ${position + 1}`;
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-end" wrap="nowrap" gap="xs">
          <Select
            label={name}
            className="grow"
            data={checkKinds.map((value) => ({ value, label: kindWords[value] }))}
            allowDeselect={false}
            {...form.getInputProps(`checks.${position}.kind`)}
          />
          <CloseButton
            size="lg"
            aria-label={`Remove check ${position + 1}`}
            onClick={() => form.removeListItem("checks", position)}
          />
        </Group>
        <CheckForm form={form} position={position} />
      </Stack>
    </Paper>
  );
}

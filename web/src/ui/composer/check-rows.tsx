// Rows for checks of one's own, each of a kind, and the button that adds one.

import { Button, CloseButton, Group, Paper, Select, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { runLimits } from "../../../../src/protocol/kinds.ts";
import { randomKey } from "../../lib/random-key.ts";
import { CheckForm, type ChecksForm } from "./check-form.tsx";
import { type CheckKind, checkKinds, emptyCheck, isForAgents } from "./homework-draft.ts";

const kindWords: Readonly<Record<CheckKind, string>> = {
  command_succeeds: "A command succeeds",
  file_exists: "A file exists",
  document_has: "A document meets requirements",
  entity_exists: "Something with a title exists",
  entity_count: "The run made a number of things",
  judge: "A judge agrees",
  http_ok: "A web address answers",
};

type CheckRowsProps = {
  readonly form: ChecksForm;
  /** How many more there may be; left out: as many as a run may have. */
  readonly most?: number;
};

export function CheckRows({ form, most = runLimits.checks }: CheckRowsProps) {
  const { checks, engine } = form.values;
  return (
    <>
      {checks.map((check, position) => (
        <CheckRow key={check.key} form={form} position={position} />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={checks.length >= most}
          onClick={() => form.insertListItem("checks", emptyCheck(randomKey(), engine))}
        >
          Add a check
        </Button>
      </div>
    </>
  );
}

type CheckRowProps = { readonly form: ChecksForm; readonly position: number };

function CheckRow({ form, position }: CheckRowProps) {
  const name = `Check ${position + 1}`;
  const { engine, checks } = form.values;
  const offered = checkKinds.filter(
    (kind) => engine === "agent" || !isForAgents(kind) || kind === checks[position]?.kind,
  );
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-end" wrap="nowrap" gap="xs">
          <Select
            label={name}
            className="grow"
            data={offered.map((value) => ({ value, label: kindWords[value] }))}
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

// What homework may use, how much it asks, what counts as done, and which model does it.

import { Autocomplete, Combobox, Divider, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { nameModel } from "../../../../src/protocol/words/model.ts";
import { modelsQuery } from "../../lib/data/runs.ts";
import { BudgetFields } from "./budget-fields.tsx";
import { CheckFields } from "./check-fields.tsx";
import { writeModeChoices } from "./homework-draft.ts";
import { permissionWords } from "./permission-words.ts";
import type { ComposerForm } from "./use-composer.ts";

type AdvancedFieldsProps = { readonly form: ComposerForm; readonly id: string };

export function AdvancedFields({ form, id }: AdvancedFieldsProps) {
  // An agent has a model of its own, and its writes are files of a branch, which is merged or discarded as a whole.
  const isAgent = form.values.engine === "agent";
  return (
    <Stack id={id} role="group" aria-label="Advanced" gap="md">
      <BudgetFields form={form} />
      {isAgent ? null : <PermissionField form={form} />}
      <CheckFields form={form} />
      {isAgent ? null : <ModelField form={form} />}
      <Divider />
    </Stack>
  );
}

function PermissionField({ form }: { readonly form: ComposerForm }) {
  return (
    <Radio.Group label="Approvals" labelProps={{ fz: "md", fw: 700 }} {...form.getInputProps("writeMode")}>
      <Stack gap="xs" mt="xs">
        {writeModeChoices.map((value) => {
          const [label, description] = permissionWords[value];
          return <Radio key={value} value={value} label={label} description={description} />;
        })}
      </Stack>
    </Radio.Group>
  );
}

function ModelField({ form }: { readonly form: ComposerForm }) {
  const models = useQuery(modelsQuery).data;
  const usual = models?.roles.find(({ role }) => role === "planner")?.model;
  return (
    <Autocomplete
      label="Model"
      description="Plans and does the work. Summaries and judging use the default models."
      placeholder={usual === undefined ? "Default" : `Default: ${nameModel(usual)}`}
      data={[...new Set(models?.choices ?? [])]}
      limit={50}
      rightSection={<Combobox.Chevron />}
      rightSectionPointerEvents="none"
      {...form.getInputProps("model")}
    />
  );
}

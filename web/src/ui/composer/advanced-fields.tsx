// What homework may use, how much it asks, what counts as done, and which model does it.

import { Autocomplete, Divider, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "../../lib/data/runs.ts";
import { BudgetFields } from "./budget-fields.tsx";
import { CheckFields } from "./check-fields.tsx";
import { writeModeChoices } from "./homework-draft.ts";
import type { ComposerForm } from "./use-composer.ts";

type AdvancedFieldsProps = { readonly form: ComposerForm; readonly id: string };

export function AdvancedFields({ form, id }: AdvancedFieldsProps) {
  return (
    <Stack id={id} role="group" aria-label="Advanced" gap="md">
      <BudgetFields form={form} />
      <PermissionField form={form} />
      <CheckFields form={form} />
      <ModelField form={form} />
      <Divider />
    </Stack>
  );
}

const permissions: Readonly<Record<(typeof writeModeChoices)[number], readonly [string, string]>> = {
  autopilot: ["Autopilot", "Works without asking. Everything it writes in your projects can be undone."],
  approve_plan: [
    "Approve the plan first",
    "Shows you its plan and its checks; nothing else is written before your yes.",
  ],
  per_write: ["Approve every write", "Prepares its writes and waits; only what you approved is written."],
};

function PermissionField({ form }: { readonly form: ComposerForm }) {
  return (
    <Radio.Group label="How much it asks" labelProps={{ fz: "md", fw: 700 }} {...form.getInputProps("writeMode")}>
      <Stack gap="xs" mt="xs">
        {writeModeChoices.map((value) => {
          const [label, description] = permissions[value];
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
      description="Plans and does the work. Summaries and judging stay with the models of this installation."
      placeholder={usual === undefined ? "As usual" : `As usual: ${usual}`}
      data={[...new Set(models?.choices ?? [])]}
      limit={50}
      {...form.getInputProps("model")}
    />
  );
}

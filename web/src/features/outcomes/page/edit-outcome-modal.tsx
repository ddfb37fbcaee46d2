// Editing an outcome's name, brief, how many tasks run at once and what it may cost.

import { NativeSelect, NumberInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { api } from "../../../lib/api.ts";
import { useVersionedEdit } from "../../../lib/use-versioned-save.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";

type Fields = { name: string; brief: string; workers: string; maxCostUsd: number | "" };

const fieldsOf = ({ name, brief, workers, max_cost_usd: max }: Outcome): Fields => ({
  name,
  brief,
  workers: String(workers),
  maxCostUsd: max ?? "",
});

const toPatch = ({ name, brief, workers, maxCostUsd }: Fields) => ({
  name: name.trim(),
  ...(brief.trim() === "" ? {} : { brief: brief.trim() }),
  workers: Number(workers),
  max_cost_usd: maxCostUsd === "" ? null : maxCostUsd,
});

const labels: Readonly<Record<keyof Fields, string>> = {
  name: "Name",
  brief: "Brief",
  workers: "Tasks at once",
  maxCostUsd: "Cost limit in dollars",
};

export function EditOutcomeModal({ onClose }: { readonly onClose: () => void }) {
  const outcome = useOutcome();
  const keep = useKeepOutcome();
  const form = useForm<Fields>({
    initialValues: fieldsOf(outcome),
    validate: { name: (value) => (value.trim() === "" ? "Give the outcome a name" : null) },
  });
  const { saving, save } = useVersionedEdit<Outcome, Fields>(outcome, {
    send: (fields, version) =>
      api(routes.outcomes.update, { params: { outcomeId: outcome.id }, body: { version, ...toPatch(fields) } }),
    keep,
    onSaved: onClose,
    fill: (current) => form.setValues(fieldsOf(current)),
  });
  return (
    <FormModal
      title="Edit outcome"
      onClose={onClose}
      onSubmit={form.onSubmit(save)}
      action="Save outcome"
      isBusy={saving.isSaving}
      stale={<StaleChoice saving={saving} compare={staleFields} />}
    >
      <TextInput
        label={labels.name}
        withAsterisk
        maxLength={300}
        data-autofocus
        dir="auto"
        {...form.getInputProps("name")}
      />
      <Textarea
        label={labels.brief}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={runLimits.objective}
        dir="auto"
        {...form.getInputProps("brief")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect label={labels.workers} data={["1", "2", "3"]} {...form.getInputProps("workers")} />
        <NumberInput
          label={labels.maxCostUsd}
          placeholder="No limit"
          prefix="$"
          min={0.01}
          decimalScale={2}
          hideControls
          {...form.getInputProps("maxCostUsd")}
        />
      </SimpleGrid>
    </FormModal>
  );
}

function staleFields(mine: Fields, current: Outcome) {
  const theirs = fieldsOf(current);
  const names = Object.keys(labels) as (keyof Fields)[];
  return names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => ({ label: labels[name], mine: String(mine[name]), theirs: String(theirs[name]) }));
}

// Those of HOMЯ's settings that are chosen from a list: which model looks, how soon it asks, who answers.

import { Autocomplete, NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "../../../lib/data/runs.ts";
import type { ConfigSettings } from "./config-draft.ts";
import { modeChoices, modelChoices, thresholdChoices } from "./config-spec.ts";
import type { ConfigForm } from "./use-config-form.ts";

type ChoiceProps = { readonly form: ConfigForm; readonly defaults: ConfigSettings };
type Choices = readonly { readonly value: string; readonly label: string }[];

const labelOf = (choices: Choices, value: string): string =>
  choices
    .find((choice) => choice.value === value)
    ?.label.split(":")[0]
    ?.toLowerCase() ?? value;

export function ModelFields({ form, defaults }: ChoiceProps) {
  const models = useQuery(modelsQuery).data?.choices ?? [];
  return (
    <>
      <Select
        label="Model for checks"
        description={`The main model notices more and costs more. Default: ${labelOf(modelChoices, defaults.config.observation_model)}.`}
        data={modelChoices}
        allowDeselect={false}
        {...form.getInputProps("model")}
      />
      {form.values.model === "other" ? (
        <Autocomplete label="Name of the model" data={models} maxLength={200} {...form.getInputProps("modelName")} />
      ) : null}
    </>
  );
}

export function AskFields({ form, defaults }: ChoiceProps) {
  return (
    <Select
      label="How soon HOMЯ asks"
      description={`Default: ${labelOf(thresholdChoices, defaults.config.escalation_threshold)}.`}
      data={thresholdChoices}
      allowDeselect={false}
      {...form.getInputProps("threshold")}
    />
  );
}

export function AnswerFields({ form, defaults }: ChoiceProps) {
  return (
    <>
      <Select
        label="Who answers"
        description={`Questions about security and approvals are always yours. Default: ${labelOf(modeChoices, defaults.auto_resolve.mode)}.`}
        data={modeChoices}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
      {form.values.mode === "manual" ? null : (
        <NumberInput
          label="How sure the model has to be"
          description={`Below this, the question is yours. Default: ${Math.round(defaults.auto_resolve.threshold * 100)}%.`}
          suffix="%"
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps("sureness")}
        />
      )}
      <NumberInput
        label="Hours until a question answers itself"
        description="Then the recommended option is chosen. Empty: the question waits for you. Default: empty."
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps("deadlineHours")}
      />
    </>
  );
}

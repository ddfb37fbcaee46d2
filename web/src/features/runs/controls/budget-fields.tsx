// The budgets of a run as fields, with what was used of each where that is known.

import { NumberInput, SimpleGrid } from "@mantine/core";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import type { BudgetForm, BudgetName, BudgetUse } from "./budget-form.ts";

type BudgetFieldsProps = {
  readonly form: BudgetForm;
  readonly onChange: (form: BudgetForm) => void;
  readonly uses?: Readonly<Record<BudgetName, BudgetUse>>;
};

type Field = {
  readonly name: BudgetName;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly isRequired?: boolean;
  readonly digits?: number;
};

const fields: readonly Field[] = [
  { name: "iterations", label: "Iterations", min: 1, max: runLimits.iterations, isRequired: true },
  {
    name: "minutes",
    label: "Minutes at work",
    min: 0.02,
    max: runLimits.runningMs / 60_000,
    isRequired: true,
    digits: 2,
  },
  { name: "usd", label: "Cost in dollars", min: 0.000_001, max: runLimits.costUsd, digits: 6 },
  { name: "tokens", label: "Tokens", min: 1, max: runLimits.tokens },
  { name: "toolCalls", label: "Tool calls", min: 1, max: runLimits.toolCalls },
];

export function BudgetFields({ form, onChange, uses }: BudgetFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {fields.map(({ name, label, min, max, isRequired = false, digits = 0 }) => (
        <NumberInput
          key={name}
          label={label}
          description={describe(uses?.[name], isRequired)}
          placeholder={isRequired ? "" : "No limit"}
          required={isRequired}
          min={min}
          max={max}
          decimalScale={digits}
          thousandSeparator=","
          hideControls
          value={form[name]}
          onChange={(value) => onChange({ ...form, [name]: value === "" ? "" : Number(value) })}
        />
      ))}
    </SimpleGrid>
  );
}

function describe(use: BudgetUse | undefined, isRequired: boolean): string {
  const empty = isRequired ? "" : "Empty: no limit";
  if (!use) return empty;
  const used = use.isUsedUp ? `${use.used} used: all of it` : `${use.used} used so far`;
  return [used, empty].filter((part) => part !== "").join(". ");
}

// Fields of HOMЯ's settings: each says what it changes and what it is by default.

import { NumberInput, Stack, Switch, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type ConfigSettings, fieldOf, numberIn } from "./config-draft.ts";
import { type NumberKey, numberWords, type SwitchKey, switchWords } from "./config-spec.ts";
import type { ConfigForm } from "./use-config-form.ts";

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="fieldset" gap="sm" className="plain-fieldset">
      <Text component="legend" fw={700} mb={4}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}

type FieldProps<Name> = {
  readonly form: ConfigForm;
  readonly name: Name;
  readonly defaults: ConfigSettings["config"];
};

export function SwitchField({ form, name, defaults }: FieldProps<SwitchKey>) {
  const { label, about } = switchWords[name];
  return (
    <Switch
      label={label}
      description={`${about} Default: ${defaults[name] ? "on" : "off"}.`}
      {...form.getInputProps(`switches.${name}`, { type: "checkbox" })}
    />
  );
}

export function NumberField({ form, name, defaults }: FieldProps<NumberKey>) {
  const { label, about } = numberWords[name];
  return (
    <NumberInput
      label={label}
      description={`${about} Default: ${numberIn(defaults, name).toLocaleString("en")}.`}
      clampBehavior="none"
      allowDecimal={false}
      thousandSeparator=","
      {...form.getInputProps(`numbers.${fieldOf(name)}`)}
    />
  );
}

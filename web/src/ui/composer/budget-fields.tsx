// How much homework may use, with what earlier homework came to as a guide.

import { Checkbox, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { defaultBudget } from "../../../../src/protocol/kinds.ts";
import { estimateQuery } from "../../lib/data/runs.ts";
import { estimateWords, isBelowUsual } from "./estimate-words.ts";
import type { ComposerForm } from "./use-composer.ts";

const usualMinutes = defaultBudget.maxRunningMs / 60_000;
const common = { min: 0, thousandSeparator: ",", hideControls: true, clampBehavior: "none" } as const;

export function BudgetFields({ form }: { readonly form: ComposerForm }) {
  const estimate = useQuery(estimateQuery).data;
  const { maxCostUsd, isCostHard, engine } = form.values;
  return (
    <Stack component="fieldset" gap="xs" className="plain-fieldset">
      <Text component="legend" fw={700}>
        Limits
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <NumberInput
          label="Iterations"
          placeholder={String(defaultBudget.maxIterations)}
          {...common}
          {...form.getInputProps("maxIterations")}
        />
        <NumberInput
          label="Minutes of work"
          placeholder={String(usualMinutes)}
          {...common}
          {...form.getInputProps("maxMinutes")}
        />
        <NumberInput
          label="Cost in dollars"
          placeholder="No limit"
          prefix="$"
          {...common}
          {...form.getInputProps("maxCostUsd")}
        />
        <NumberInput label="Tokens" placeholder="No limit" {...common} {...form.getInputProps("maxTokens")} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {estimate ? estimateWords(estimate) : "What is left empty stays as it is shown in grey."}
      </Text>
      {estimate && isBelowUsual(estimate, maxCostUsd) ? (
        <Text size="sm" fw={600} role="status">
          Half of your homework cost more than that; it may stop before it is done.
        </Text>
      ) : null}
      {/* What an agent costs is known only once it has worked. */}
      {engine === "agent" ? null : (
        <Checkbox
          label="Never cross the cost limit"
          description={
            maxCostUsd === ""
              ? "Set a cost first."
              : "Refuses a call that could cost more than what is left. Else the iteration under way is finished first."
          }
          disabled={maxCostUsd === ""}
          checked={isCostHard}
          onChange={(event) => form.setFieldValue("isCostHard", event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

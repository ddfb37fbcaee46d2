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
          placeholder={`Default: ${defaultBudget.maxIterations}`}
          {...common}
          {...form.getInputProps("maxIterations")}
        />
        <NumberInput
          label="Minutes of work"
          placeholder={`Default: ${usualMinutes}`}
          {...common}
          {...form.getInputProps("maxMinutes")}
        />
        <NumberInput
          label="Cost in dollars"
          placeholder="Default: no limit"
          prefix="$"
          {...common}
          {...form.getInputProps("maxCostUsd")}
        />
        <NumberInput label="Tokens" placeholder="Default: no limit" {...common} {...form.getInputProps("maxTokens")} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {estimate ? estimateWords(estimate) : "…"}
      </Text>
      {estimate && isBelowUsual(estimate, maxCostUsd) ? (
        <Text size="sm" fw={600} role="status">
          Half of your runs cost more than this. The run may stop before it is done.
        </Text>
      ) : null}
      {/* What an agent costs is known only once it has worked. */}
      {engine === "agent" ? null : (
        <Checkbox
          label="Strict cost limit"
          description={`${maxCostUsd === "" ? "Set a cost first. " : ""}Stops before a model call that could exceed the limit. Without the tick, the iteration under way finishes first and can exceed it.`}
          disabled={maxCostUsd === ""}
          checked={isCostHard}
          onChange={(event) => form.setFieldValue("isCostHard", event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

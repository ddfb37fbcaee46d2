// Checks of one's own: homework is not done before the platform saw each of them hold.

import { Checkbox, Stack, Text } from "@mantine/core";
import { CheckRows } from "./check-rows.tsx";
import type { ComposerForm } from "./use-composer.ts";

export function CheckFields({ form }: { readonly form: ComposerForm }) {
  const { isJudged, engine } = form.values;
  const isAgent = engine === "agent";
  return (
    <Stack component="fieldset" gap="xs" className="plain-fieldset">
      <Text component="legend" fw={700}>
        Your checks
      </Text>
      <Text size="sm" c="dimmed">
        All must pass before the run is done. The planner adds its own.
      </Text>
      <CheckRows form={form} />
      <Checkbox
        label={
          isAgent
            ? "An agent reviews the changes before the run is done"
            : "A judge reads the result before the run is done"
        }
        description={
          isAgent
            ? "Another agent, if one is installed. Without a review, only your checks and changed files count."
            : "One more model call compares the result with your objective. Without it, only what can be counted is checked."
        }
        checked={isJudged}
        onChange={(event) => form.setFieldValue("isJudged", event.currentTarget.checked)}
      />
    </Stack>
  );
}

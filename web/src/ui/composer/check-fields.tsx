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
        Checks of your own
      </Text>
      <Text size="sm" c="dimmed">
        It makes checks itself. Yours come on top: it is not done before each of them holds.
      </Text>
      <CheckRows form={form} />
      <Checkbox
        label={
          isAgent ? "An agent reviews the changes before the run is done" : "A judge reads the result before it is done"
        }
        description={
          isAgent
            ? "Another agent where there is one. Without a review only your checks and changed files count."
            : "One more call of a model, which reads the work against what you asked for. Without it only what can be counted is checked."
        }
        checked={isJudged}
        onChange={(event) => form.setFieldValue("isJudged", event.currentTarget.checked)}
      />
    </Stack>
  );
}

// What would stop the run if it went on like this, said before it does.

import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Run } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";

const titles: Readonly<Record<Run["warnings"][number]["kind"], string>> = {
  no_progress: "No changes lately",
  repetition: "The run repeats itself",
  same_error: "The same error again",
  claim_rejected: "The run said it is done, but a check failed",
  tool_missing: "The run asks for tools that do not exist",
  budget: "A limit is nearly reached",
};

export function RunWarnings() {
  const { run, view } = useRun();
  const { status } = view.state;
  // One that has stopped says why itself.
  if (run.warnings.length === 0 || !(goesOnByItself(status) || status === "waiting_on_user")) return null;
  return (
    <Stack gap="xs">
      {run.warnings.map((warning) => (
        <Alert
          key={`${warning.kind} ${warning.text}`}
          color={tone.plain}
          title={titles[warning.kind]}
          icon={<IconAlertTriangle aria-hidden />}
        >
          <Text size="sm" className="breakable" dir="auto">
            {warning.text}
          </Text>
        </Alert>
      ))}
    </Stack>
  );
}

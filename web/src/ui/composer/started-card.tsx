// Homework was handed over: said at once, with the way to its page.

import { Alert, Group, Text } from "@mantine/core";
import { IconRocket } from "@tabler/icons-react";
import { ordinal } from "../../lib/ordinal.ts";
import { ButtonLink } from "../links.tsx";
import type { Started } from "./use-composer.ts";

type StartedCardProps = { readonly started: Started; readonly onDismiss: () => void };

export function StartedCard({ started, onDismiss }: StartedCardProps) {
  return (
    <Alert
      color="green"
      role="status"
      title="Homework started"
      icon={<IconRocket aria-hidden />}
      withCloseButton
      closeButtonLabel="Close this notice"
      onClose={onDismiss}
    >
      <Text size="sm" lineClamp={2} className="breakable" mb={4}>
        {started.objective}
      </Text>
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="row-text">
          {started.placeInLine === null
            ? "The run starts now. You can close this tab."
            : `It is ${ordinal(started.placeInLine)} in the queue and starts by itself. You can close this tab.`}
        </Text>
        <ButtonLink to="/homework/runs/$runId" params={{ runId: started.runId }} size="xs">
          Watch it work
        </ButtonLink>
      </Group>
    </Alert>
  );
}

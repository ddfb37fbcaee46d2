// An answer that HOMЯ would give, which counts only if the reader agrees.

import { Alert, Group, Stack, Text } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import type { Escalation } from "../../../../../src/protocol/api.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { optionLabel } from "./escalation-answer.ts";
import { useConfirm, useReject } from "./use-escalation.ts";

type ProposedAnswerProps = {
  readonly escalation: Escalation;
  readonly proposed: NonNullable<Escalation["proposed"]>;
};

export function ProposedAnswer({ escalation, proposed }: ProposedAnswerProps) {
  const away = useAway();
  const confirm = useConfirm(escalation);
  const reject = useReject(escalation);
  return (
    <Alert
      color="blue"
      icon={<IconBulb aria-hidden />}
      title={`HOMЯ suggests: ${optionLabel(escalation, proposed.selected_option)}`}
      className="breakable"
    >
      <Stack gap="xs">
        <Text size="sm" dir="auto">
          {proposed.reason} ({Math.round(proposed.confidence * 100)}% sure)
        </Text>
        <Group gap="xs">
          <ControlButton
            size="xs"
            says="Takes this answer. Paused tasks go on with it."
            offBecause={away}
            loading={confirm.isPending}
            onClick={() => confirm.mutate(undefined)}
          >
            Accept suggestion
          </ControlButton>
          <ControlButton
            size="xs"
            variant="default"
            says="Removes the suggestion. The question stays open."
            offBecause={away}
            loading={reject.isPending}
            onClick={() => reject.mutate(undefined)}
          >
            Reject suggestion
          </ControlButton>
        </Group>
      </Stack>
    </Alert>
  );
}

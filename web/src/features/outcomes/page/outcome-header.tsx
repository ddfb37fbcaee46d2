// The top of an outcome's pages: its name, how it stands, since when, and what one can do.

import { Box, Group, Text, Title } from "@mantine/core";
import { AnchorLink } from "../../../ui/links.tsx";
import { Crumbs } from "../../../ui/page-header.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { OutcomeStatusBadge } from "../outcome-status-badge.tsx";
import { OutcomeControls } from "./outcome-controls.tsx";

export function OutcomeHeader() {
  const outcome = useOutcome();
  return (
    <Box mb="md">
      <Crumbs
        crumbs={[
          <AnchorLink key="outcomes" to="/outcomes">
            Outcomes
          </AnchorLink>,
          <Text key="here" span aria-current="page" truncate maw={420} dir="auto">
            {outcome.name}
          </Text>,
        ]}
      />
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box className="row-text">
          <Title order={1} size="h3" className="breakable" dir="auto">
            {outcome.name}
          </Title>
          <Group gap="sm" mt={6}>
            <OutcomeStatusBadge outcome={outcome} />
            <Text size="sm" c="dimmed">
              Created <Time at={outcome.created_at} /> · Updated <Time at={outcome.updated_at} />
            </Text>
          </Group>
        </Box>
        <OutcomeControls />
      </Group>
    </Box>
  );
}

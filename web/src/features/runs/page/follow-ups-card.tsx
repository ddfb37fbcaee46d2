// The runs that follow this one up.

import { Group } from "@mantine/core";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { useRun } from "../run-context.tsx";

export function FollowUpsCard() {
  const { followUps } = useRun();
  if (followUps.length === 0) return null;
  return (
    <Card title="Follow-ups" className="not-printed">
      <ul className="plain-list">
        {followUps.map(({ id, title, status }) => (
          <Group key={id} component="li" className="run-row" gap="xs" wrap="nowrap" justify="space-between">
            <AnchorLink size="sm" className="breakable" to="/homework/runs/$runId" params={{ runId: id }} dir="auto">
              {title}
            </AnchorLink>
            <RunStatusBadge status={status} />
          </Group>
        ))}
      </ul>
    </Card>
  );
}

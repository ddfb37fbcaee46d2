// What there is to decide, at the bottom of the window wherever one has scrolled.

import { Box, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

type DecisionBarProps = { readonly says: string; readonly above?: ReactNode; readonly children: ReactNode };

export function DecisionBar({ says, above, children }: DecisionBarProps) {
  return (
    <Box className="decision-bar not-printed" role="group" aria-label="Your decision">
      {above}
      <Group gap="sm" justify="space-between">
        <Text size="sm" fw={600} className="row-text" role="status">
          {says}
        </Text>
        <Group gap="xs">{children}</Group>
      </Group>
    </Box>
  );
}

// What one sees when something does not exist, or exists for others only. The two look the same on purpose.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { isAgentsOnly } from "../lib/page-set.ts";
import { ButtonLink } from "./links.tsx";
import { usePageTitle } from "./use-page-title.ts";

export function NotFoundNotice() {
  usePageTitle("Not found");
  return (
    <Stack align="center" py="xl" gap="md" ta="center">
      <Title order={1} size="h2">
        Not found
      </Title>
      <Text maw={460}>
        {isAgentsOnly
          ? "This does not exist. Perhaps it was deleted."
          : "This does not exist or you may not see it. Perhaps it was deleted, or someone has yet to add you to the project."}
      </Text>
      <Group justify="center">
        {isAgentsOnly ? (
          <ButtonLink to="/agents">Go to all projects</ButtonLink>
        ) : (
          <ButtonLink to="/projects">Go to your projects</ButtonLink>
        )}
        <Button variant="default" onClick={() => window.history.back()}>
          Go back
        </Button>
      </Group>
    </Stack>
  );
}

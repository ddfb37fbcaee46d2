// What one sees when something does not exist, or exists for others only. The two look the same on purpose.

import { Button, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconMapPinOff } from "@tabler/icons-react";
import { isAgentsOnly } from "../lib/page-set.ts";
import { ButtonLink } from "./links.tsx";
import { usePageTitle } from "./use-page-title.ts";

export function NotFoundNotice() {
  usePageTitle("Not found");
  return (
    <Stack align="center" py="xl" gap="md" ta="center">
      <ThemeIcon size={72} radius="100%" variant="light" aria-hidden>
        <IconMapPinOff size={36} stroke={1.6} />
      </ThemeIcon>
      <Title order={1} size="h2">
        Not found
      </Title>
      <Text maw={460}>
        {isAgentsOnly
          ? "Nothing is at this address. It may have been deleted."
          : "Nothing is at this address, or you have no access to it. It may have been deleted, or its project has to be shared with you first."}
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

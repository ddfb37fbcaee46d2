// What one sees in the place of an outcome that is not there, or is somebody else's. The two look the same on purpose.

import { Button, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconTargetOff } from "@tabler/icons-react";
import { ButtonLink } from "../../../ui/links.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";

export function OutcomeGone() {
  usePageTitle("Outcome not found");
  return (
    <Stack align="center" py="xl" gap="md" ta="center">
      <ThemeIcon size={72} radius="xl" variant="light" aria-hidden>
        <IconTargetOff size={36} />
      </ThemeIcon>
      <Title order={1} size="h2">
        Outcome not found
      </Title>
      <Text maw={460}>
        There is no such outcome, or it is not yours. Perhaps it was deleted, or the address was cut off.
      </Text>
      <Group justify="center">
        <ButtonLink to="/outcomes">Go to your outcomes</ButtonLink>
        <Button variant="default" onClick={() => window.history.back()}>
          Go back
        </Button>
      </Group>
    </Stack>
  );
}

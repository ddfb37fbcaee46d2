// What one sees in the place of a run that is not there, or is somebody else's. The two look the same on purpose.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { ButtonLink } from "../../../ui/links.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";

/** `wasHere`: the page showed it a moment ago. */
export function RunGone({ wasHere }: { readonly wasHere: boolean }) {
  usePageTitle("Run not found");
  return (
    <Stack align="center" py="xl" gap="md" ta="center">
      <Title order={1} size="h2">
        {wasHere ? "This run is gone" : "Run not found"}
      </Title>
      <Text maw={460}>
        {wasHere
          ? "It was here a moment ago. Perhaps it was deleted, or you may not see it any more."
          : "There is no such run, or it is not yours. Perhaps the address was cut off."}
      </Text>
      <Group justify="center">
        <ButtonLink to="/homework">Go to your homework</ButtonLink>
        <Button variant="default" onClick={() => window.history.back()}>
          Go back
        </Button>
      </Group>
    </Stack>
  );
}

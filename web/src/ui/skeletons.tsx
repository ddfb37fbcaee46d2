// Grey shapes in the place of what is being loaded.

import { Group, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

const rows = ["a", "b", "c", "d"];

export function RowsSkeleton() {
  return (
    <Stack gap="sm" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      {rows.map((row) => (
        <Skeleton key={row} height={56} radius="md" />
      ))}
    </Stack>
  );
}

export function PageSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton height={14} width={180} />
      <Skeleton height={32} width="60%" />
      <Group>
        <Skeleton height={34} width={120} />
        <Skeleton height={34} width={120} />
      </Group>
      <Skeleton height={240} radius="md" />
    </Stack>
  );
}

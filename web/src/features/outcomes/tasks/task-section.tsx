// A part of a task with its heading.

import { Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

export function TaskSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" gap={6} aria-labelledby={id}>
      <Title order={4} size="h5" id={id}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

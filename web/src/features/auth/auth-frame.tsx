// The frame of the pages for someone not signed in.

import { Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "../../ui/mark.tsx";

export function AuthFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="center-page">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Group gap={6} mb="xs">
          <Mark />
          <Text fw={700}>Homework</Text>
        </Group>
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}

// The frame of the pages for someone not signed in.

import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export function AuthFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="center-page">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Text fw={700} c="dimmed">
          Homework
        </Text>
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}

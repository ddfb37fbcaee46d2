// A part of the overview: a heading, what is said beside it, and the thing itself.

import { Group, Paper, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

type CardProps = {
  readonly title: string;
  /** The title on paper, where it is no question. */
  readonly printed?: string;
  readonly beside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

export function Card({ title, printed, beside, className, children }: CardProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} className={className}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h4" id={id}>
          {printed === undefined ? (
            title
          ) : (
            <>
              <span className="not-printed">{title}</span>
              <span className="only-printed">{printed}</span>
            </>
          )}
        </Title>
        {typeof beside === "string" ? (
          <Text size="sm" c="dimmed">
            {beside}
          </Text>
        ) : (
          beside
        )}
      </Group>
      {children}
    </Paper>
  );
}

// The top of a page: where one is, the heading, and what one can do here.

import { Box, Breadcrumbs, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

type PageHeaderProps = {
  readonly title: string;
  readonly crumbs?: readonly ReactNode[];
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
};

export function PageHeader({ title, crumbs = [], beside, actions }: PageHeaderProps) {
  return (
    <Box mb="md">
      <Crumbs crumbs={crumbs} />
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" className="row-text">
          <Title order={1} size="h2" className="breakable">
            {title}
          </Title>
          {beside}
        </Group>
        {actions ? <Group gap="xs">{actions}</Group> : null}
      </Group>
    </Box>
  );
}

export function Crumbs({ crumbs }: { readonly crumbs: readonly ReactNode[] }) {
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumb">
      <Breadcrumbs mb="xs" separatorMargin={6} fz="sm" className="crumbs">
        {crumbs}
      </Breadcrumbs>
    </nav>
  );
}

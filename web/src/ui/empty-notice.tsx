// Nothing here yet: says why that is fine and what to do next.

import { EmptyState } from "@mantine/core";
import type { ReactNode } from "react";

type EmptyNoticeProps = {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
};

export function EmptyNotice({ icon, title, children, actions }: EmptyNoticeProps) {
  return (
    <EmptyState icon={icon} title={title} description={children} variant="light" py="xl">
      {actions ? <EmptyState.Actions>{actions}</EmptyState.Actions> : null}
    </EmptyState>
  );
}

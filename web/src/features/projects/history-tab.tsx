// Everything that was ever written in the project.

import { Title, VisuallyHidden } from "@mantine/core";
import { useProject } from "../../lib/current-route.ts";
import { History } from "../../ui/history.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";

export function HistoryTab() {
  const project = useProject();
  usePageTitle("History", project.name);
  return (
    <section>
      <VisuallyHidden>
        <Title order={2}>History</Title>
      </VisuallyHidden>
      <History projectId={project.id} />
    </section>
  );
}

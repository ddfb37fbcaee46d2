// The runs of one project: those that were given it, and the one that made it.

import { Stack } from "@mantine/core";
import { IconMoodSmile } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useProject } from "../../../lib/current-route.ts";
import { runsQuery } from "../../../lib/data/runs.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { runGroups } from "./run-groups.ts";
import { RunsSection } from "./runs-section.tsx";
import "./runs-list.css";

export function ProjectRunsTab() {
  const project = useProject();
  usePageTitle("Homework", project.name);
  const all = useInfiniteQuery(runsQuery({ projectId: project.id }));
  const isNone = all.data?.pages.every((page) => page.items.length === 0) ?? false;
  return (
    <Stack gap="md">
      {isNone ? (
        <EmptyNotice icon={<IconMoodSmile aria-hidden />} title="No runs in this project yet">
          Start one with “Start homework here” on the overview.
        </EmptyNotice>
      ) : (
        runGroups.map((group) => <RunsSection key={group} filter={{ group, projectId: project.id }} />)
      )}
    </Stack>
  );
}

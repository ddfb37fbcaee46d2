// Everything HOMЯ saw, did and asked, newest first, beside the page; and what the tasks know of each other.

import { NativeSelect, Stack, Tabs, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { HomrActivity } from "../../../../../src/protocol/api.ts";
import { activityQuery } from "../../../lib/data/homr.ts";
import { dayOf } from "../../../lib/dates.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { SidePanel } from "../../../ui/side-panel.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { ActivityRow } from "./activity-row.tsx";
import { activityChoices, groupByDay } from "./activity-words.ts";
import { KnowledgeList } from "./knowledge-list.tsx";
import { ObservationDetails } from "./observation-details.tsx";

type ActivityPanelProps = {
  /** The observation that one was led to. */
  readonly observationId: string | undefined;
  readonly onClose: () => void;
};

export function ActivityPanel({ observationId, onClose }: ActivityPanelProps) {
  return (
    <SidePanel title="Activity log" size="xl" onClose={onClose}>
      <Text size="sm" c="dimmed" mb="xs">
        How tasks ended, how HOMЯ judged them, and what was asked and decided. Newest first.
      </Text>
      {observationId === undefined ? null : (
        <Stack component="section" gap="xs" mb="lg" aria-label="Observation">
          <Title order={3} size="h5">
            Observation
          </Title>
          <ObservationDetails observationId={observationId} />
        </Stack>
      )}
      <Tabs defaultValue="activity" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
          <Tabs.Tab value="knowledge">Shared knowledge</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="activity">
          <ActivityList />
        </Tabs.Panel>
        <Tabs.Panel value="knowledge">
          <KnowledgeList />
        </Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}

const types = Object.keys(activityChoices) as readonly HomrActivity["type"][];
const choices = [
  { value: "", label: "Everything" },
  ...types.map((value) => ({ value, label: activityChoices[value] })),
];

function ActivityList() {
  const { id } = useOutcome();
  const [chosen, setChosen] = useState("");
  const type = types.find((each) => each === chosen);
  const activity = useInfiniteQuery(activityQuery(id, { type }));
  return (
    <Stack gap="sm">
      <NativeSelect
        aria-label="Show"
        maw={220}
        data={choices}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <QueryView query={activity}>
        {({ pages }) => {
          const lines = pages.flatMap((page) => page.items);
          if (lines.length === 0)
            return (
              <Text c="dimmed">{type === undefined ? "Nothing has happened yet." : "Nothing of this kind yet."}</Text>
            );
          return (
            <>
              {groupByDay(lines, dayOf).map((group) => (
                <section key={group.day} aria-label={group.day}>
                  <Title order={3} size="h6" c="dimmed">
                    {group.day === dayOf(new Date().toISOString()) ? "Today" : group.day}
                  </Title>
                  <ol className="plain-list outcome-lines">
                    {group.lines.map((line) => (
                      <ActivityRow key={line.seq} line={line} />
                    ))}
                  </ol>
                </section>
              ))}
              <LoadMore query={activity} />
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}

// What a run used, iteration by iteration, and its plan, for who would rather look than read. Loaded when it is shown: the
// charts are the largest part of the pages.

import { SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { seriesQuery } from "../../../lib/data/runs.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRun } from "../run-context.tsx";
import { endedOnly } from "./figures-over-time.ts";
import { MeasurePicture } from "./measure-picture.tsx";
import { PlanPicture } from "./plan-picture.tsx";
import "@mantine/charts/styles.css";
import "./pictures.css";

export function RunPictures() {
  const { run } = useRun();
  const series = useQuery(seriesQuery(run.id));
  return (
    <section aria-labelledby="run-pictures">
      <Stack gap="md">
        <Title order={2} size="h4" id="run-pictures">
          Charts
        </Title>
        <QueryView query={series}>
          {({ items: all }) => {
            const items = endedOnly(all);
            return items.length === 0 ? (
              <Text c="dimmed">No charts before the first iteration has ended.</Text>
            ) : (
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
                <MeasurePicture measure="cost_micro_usd" items={items} run={run} />
                <MeasurePicture measure="running_ms" items={items} run={run} />
                <MeasurePicture measure="tokens" items={items} run={run} />
                <PlanPicture plan={run.plan} iteration={run.iteration} />
              </SimpleGrid>
            );
          }}
        </QueryView>
      </Stack>
    </section>
  );
}

// What a run did: iteration by iteration, or as the raw events behind a switch.

import { Switch } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useRun } from "../run-context.tsx";
import { Timeline } from "./timeline.tsx";

// Few people ask for raw data.
const Events = lazy(async () => ({ default: (await import("../events/events.tsx")).Events }));

export function ActivityTab() {
  const { run } = useRun();
  const { events = false } = useSearch({ from: "/in/homework/runs/$runId/activity" });
  const navigate = useNavigate({ from: "/homework/runs/$runId/activity" });
  usePageTitle("Activity", run.title);
  return (
    <>
      <Switch
        mb="sm"
        size="sm"
        className="raw-switch"
        label="Show raw events"
        checked={events}
        onChange={(change) =>
          void navigate({ search: { events: change.currentTarget.checked || undefined }, replace: true })
        }
      />
      {events ? (
        <Suspense fallback={<RowsSkeleton />}>
          <Events />
        </Suspense>
      ) : (
        <Timeline />
      )}
    </>
  );
}

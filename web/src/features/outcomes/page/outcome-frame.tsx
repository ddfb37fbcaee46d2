// Around every page of one outcome: reads it, follows it live, and shows its header, its tabs, and what the address opens beside
// them: `?task=` a task, `?activity=true` the activity log, `?settings=true` HOMЯ's settings.

import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Outcome } from "../../../../../src/protocol/api.ts";
import { outcomeQuery } from "../../../lib/data/outcomes.ts";
import { codeOf } from "../../../lib/failure.ts";
import { useOutcomeLive } from "../../../lib/live/use-outcome.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { OutcomeProvider } from "../outcome-context.tsx";
import { OutcomeGone } from "./outcome-gone.tsx";
import { OutcomeHeader } from "./outcome-header.tsx";
import { OutcomeTabs } from "./outcome-tabs.tsx";
import "../outcomes.css";

const TaskDrawer = lazy(async () => ({ default: (await import("../tasks/task-drawer.tsx")).TaskDrawer }));
const ActivityPanel = lazy(async () => ({ default: (await import("../activity/activity-panel.tsx")).ActivityPanel }));
const ConfigModal = lazy(async () => ({ default: (await import("../config/config-modal.tsx")).ConfigModal }));

export function OutcomeFrame() {
  const { outcomeId } = useParams({ from: "/in/outcomes/$outcomeId" });
  const query = useQuery(outcomeQuery(outcomeId));
  // A malformed id in the address is refused as invalid, and means the same to the reader.
  const code = query.error === null ? null : codeOf(query.error);
  if (code === "not_found" || code === "invalid_request") return <OutcomeGone />;
  return (
    <QueryView query={query} skeleton={<PageSkeleton />}>
      {(outcome) => <FollowedOutcome key={outcomeId} outcome={outcome} />}
    </QueryView>
  );
}

function FollowedOutcome({ outcome }: { readonly outcome: Outcome }) {
  useOutcomeLive(outcome);
  return (
    <OutcomeProvider value={outcome}>
      <OutcomeHeader />
      <OutcomeTabs />
      <Outlet />
      <OpenBeside />
    </OutcomeProvider>
  );
}

function OpenBeside() {
  const search = useSearch({ from: "/in/outcomes/$outcomeId" });
  const { task, settings, activity, observation } = search;
  const navigate = useNavigate();
  const close = () => void navigate({ to: ".", search: { view: search.view }, replace: true, resetScroll: false });
  return (
    <Suspense fallback={null}>
      {task === undefined ? null : <TaskDrawer key={task} taskId={task} onClose={close} />}
      {task === undefined && (activity || observation !== undefined) ? (
        <ActivityPanel observationId={observation} onClose={close} />
      ) : null}
      {settings ? <ConfigModal onClose={close} /> : null}
    </Suspense>
  );
}

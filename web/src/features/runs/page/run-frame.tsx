// Around every page of one run: reads it, follows it live, and shows its header, its controls and its tabs.

import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { runQuery } from "../../../lib/data/runs.ts";
import { codeOf } from "../../../lib/failure.ts";
import { useRunLive } from "../../../lib/live/use-run.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { type RunOnPage, RunProvider } from "../run-context.tsx";
import { RunGone } from "./run-gone.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunTabs } from "./run-tabs.tsx";
import "./run-page.css";

export function RunFrame() {
  const { runId } = useParams({ from: "/in/homework/runs/$runId" });
  const query = useQuery(runQuery(runId));
  const code = codeOf(query.error);
  if (code === "not_found" || code === "invalid_request") return <RunGone wasHere={query.data !== undefined} />;
  return (
    <QueryView query={query} skeleton={<PageSkeleton />}>
      {({ run, usage }) => <FollowedRun key={runId} run={run} usage={usage} />}
    </QueryView>
  );
}

function FollowedRun({ run, usage }: Omit<RunOnPage, "view">) {
  const view = useRunLive(run);
  return (
    <RunProvider value={{ run, usage, view }}>
      <RunHeader />
      <RunTabs />
      <Outlet />
    </RunProvider>
  );
}

// Around every page of one run: reads it, follows it live, and shows its header, its controls and its tabs.

import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { runQuery } from "../../../lib/data/runs.ts";
import { codeOf } from "../../../lib/failure.ts";
import { useRunLive } from "../../../lib/live/use-run.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { DecisionBar } from "../approvals/decision-bar.tsx";
import { type RunOnPage, RunProvider } from "../run-context.tsx";
import { RunGone } from "./run-gone.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunTabs } from "./run-tabs.tsx";
import { useIsResultTab } from "./use-is-result-tab.ts";
import "./run-page.css";

export function RunFrame() {
  const { runId } = useParams({ from: "/in/homework/runs/$runId" });
  const query = useQuery(runQuery(runId));
  const code = codeOf(query.error);
  if (code === "not_found" || code === "invalid_request") return <RunGone wasHere={query.data !== undefined} />;
  return (
    <QueryView query={query} skeleton={<PageSkeleton />}>
      {({ run, usage, outcome_task: outcomeTask, follows, follow_ups: followUps }) => (
        <FollowedRun key={runId} {...{ run, usage, outcomeTask, follows, followUps }} />
      )}
    </QueryView>
  );
}

function FollowedRun(read: Omit<RunOnPage, "view">) {
  const { run } = read;
  const view = useRunLive(run);
  return (
    <RunProvider value={{ ...read, view }}>
      <RunHeader />
      <RunTabs />
      <Outlet />
      {view.state.status === "waiting_on_user" ? <ToTheDecision runId={run.id} /> : null}
    </RunProvider>
  );
}

/** The result has the decision itself; the other tabs lead there. */
function ToTheDecision({ runId }: { readonly runId: string }) {
  if (useIsResultTab()) return null;
  return (
    <DecisionBar says="The run is waiting for you.">
      <ButtonLink to="/homework/runs/$runId" params={{ runId }}>
        Review
      </ButtonLink>
    </DecisionBar>
  );
}

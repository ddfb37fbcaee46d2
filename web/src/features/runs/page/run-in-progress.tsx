// A run that has not ended: what it does now, its plan, what it has made so far, and a box to say something to it.

import { Stack, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { AnchorLink } from "../../../ui/links.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { EndActions } from "../controls/end-actions.tsx";
import { OutputsByKind } from "../outputs/outputs-by-kind.tsx";
import { useRun } from "../run-context.tsx";
import { ChecksCard } from "./checks-card.tsx";
import { MessagesCard } from "./messages-card.tsx";
import { NowCard } from "./now-card.tsx";
import { PlanCard } from "./plan-card.tsx";

const WorkCard = lazy(async () => ({ default: (await import("./work-card.tsx")).WorkCard }));

export function RunInProgress() {
  const { run, view } = useRun();
  const { state } = view;
  const isWaiting = state.status === "waiting_on_user";
  // The question about the plan shows the plan and its checks itself.
  const isPlanAsked = isWaiting && state.questions.some(({ kind }) => kind === "approve_plan");
  const hasNotes = run.plan.some(({ evidence }) => evidence.some(({ kind }) => kind === "document"));
  return (
    <div className="result">
      <Stack className="result-main">
        {isWaiting ? null : <NowCard action={goesOnByItself(state.status) ? null : <EndActions />} />}
        {isPlanAsked ? null : <PlanCard />}
        {run.engine === "agent" ? (
          <Suspense fallback={<RowsSkeleton />}>
            <WorkCard />
          </Suspense>
        ) : null}
        <OutputsByKind title="Outputs so far" exceptId={null}>
          {hasNotes ? (
            <Text size="sm" c="dimmed" mt="xs">
              Notes are under{" "}
              <AnchorLink size="sm" underline="always" to="/homework/runs/$runId/sources" params={{ runId: run.id }}>
                Sources
              </AnchorLink>
              .
            </Text>
          ) : null}
        </OutputsByKind>
      </Stack>
      <Stack className="result-aside">
        {isPlanAsked ? null : <ChecksCard />}
        {/* What to change in a plan is said where it is approved. */}
        {isPlanAsked && run.messages.length === 0 ? null : <MessagesCard />}
      </Stack>
    </div>
  );
}

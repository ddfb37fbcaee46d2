// The plan of a run: each step with how it stands, who works on it, and what shows that it is done.

import { Text } from "@mantine/core";
import { counted } from "../../../../../src/protocol/figures.ts";
import type { ViewState } from "../../../../../src/protocol/run-view.ts";
import { Card } from "../../../ui/card.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";
import { useOutputTitles } from "./artifact-links.tsx";
import { PlanSteps } from "./plan-steps.tsx";

export function PlanCard() {
  const { run, view } = useRun();
  const begun = begunWords(view.state);
  const hasEnded = run.status === "failed" || run.status === "canceled";
  const titles = useOutputTitles(
    run.id,
    run.plan.some(({ evidence }) => evidence.length > 0),
  );
  const counting = run.plan.filter(({ status }) => status !== "dropped");
  const done = counting.filter(({ status }) => status === "done").length;
  return (
    <Card
      title="Plan"
      {...(counting.length > 0 ? { beside: `${done} of ${counted(counting.length, "step")} done` } : {})}
    >
      {run.plan.length === 0 ? (
        <Text size="sm" c="dimmed">
          {hasEnded ? "The run ended before it had a plan." : "No plan yet. The first iteration makes one."}
        </Text>
      ) : (
        <PlanSteps runId={run.id} steps={run.plan} titles={titles} {...(begun === null ? {} : { begun })} />
      )}
    </Card>
  );
}

/** What is said of a step that was begun while the run stands still; null while it works. */
function begunWords(state: ViewState): string | null {
  if (goesOnByItself(state.status)) return null;
  if (state.status === "waiting_on_user") return "Waiting for you";
  return state.status === "stopped" && state.reason === "paused" ? "Paused" : "Not finished";
}

// The one thing that a person does next with a task, as a button beside it: answer, approve, retry, watch, or open its result.

import { Button } from "@mantine/core";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import type { TaskDialogs } from "./use-task-dialogs.tsx";

type TaskStepProps = {
  readonly task: OutcomeTask;
  readonly dialogs: TaskDialogs;
  readonly isGateDue: boolean;
  readonly withLooks?: boolean;
};

const look = { size: "compact-xs", className: "unshrinkable task-step" } as const;

/** `isGateDue`: the task waits for the reader alone; `withLooks`: also where there is nothing to do but look. */
export function TaskStep({ task, dialogs, isGateDue, withLooks = false }: TaskStepProps) {
  const { number, run_id: runId } = task;
  if (task.run_status === "waiting_on_user" && runId !== null)
    return (
      <ButtonLink
        {...look}
        color={tone.needsYou}
        to="/homework/runs/$runId"
        params={{ runId }}
        aria-label={`Answer #${number}`}
      >
        Answer
      </ButtonLink>
    );
  if (task.status === "paused" && task.paused_by[0] !== undefined)
    return (
      <ButtonLink
        {...look}
        color={tone.needsYou}
        to="/outcomes/$outcomeId"
        params={{ outcomeId: task.outcome_id }}
        search={{ escalation: task.paused_by[0] }}
        aria-label={`Answer #${number}`}
      >
        Answer
      </ButtonLink>
    );
  if (task.status === "failed")
    return (
      <Button {...look} variant="default" onClick={() => dialogs.startOver(task)} aria-label={`Retry #${number}`}>
        Retry
      </Button>
    );
  const gate = isGateDue ? task.gates.find(({ given }) => given === null) : undefined;
  if (gate !== undefined)
    return (
      <ButtonLink
        {...look}
        color={tone.needsYou}
        to="."
        search={(old) => ({ ...old, task: task.id })}
        resetScroll={false}
        aria-label={`${gateWords[gate.kind]} #${number}`}
      >
        {gateWords[gate.kind]}
      </ButtonLink>
    );
  if (!withLooks || runId === null || (task.status !== "completed" && task.status !== "running")) return null;
  const words = task.status === "completed" ? "Open result" : "Watch";
  return (
    <ButtonLink
      {...look}
      variant="default"
      to="/homework/runs/$runId"
      params={{ runId }}
      aria-label={`${words} of #${number}`}
    >
      {words}
    </ButtonLink>
  );
}

const gateWords = { human_approval: "Approve", document_required: "Add document" } as const;

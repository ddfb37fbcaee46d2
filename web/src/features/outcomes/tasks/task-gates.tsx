// What a person has to give before the task begins, and what was given.

import { Button, Group, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { taskLimits } from "../../../../../src/protocol/kinds.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { TaskSection } from "./task-section.tsx";
import { isSettled } from "./task-words.ts";

type Gate = OutcomeTask["gates"][number];

export function TaskGates({ task }: { readonly task: OutcomeTask }) {
  if (task.gates.length === 0) return null;
  return (
    <TaskSection title="Needed from you">
      {task.gates.map((gate) =>
        gate.given === null && !isSettled(task) ? (
          <OpenGate key={gate.id} task={task} gate={gate} />
        ) : (
          <Text key={gate.id} size="sm" className="breakable" dir="auto">
            ✓ {gate.label}
            {gate.given === null ? "" : `: ${gate.given}`}
          </Text>
        ),
      )}
    </TaskSection>
  );
}

function OpenGate({ task, gate }: { readonly task: OutcomeTask; readonly gate: Gate }) {
  const { id: outcomeId } = useOutcome();
  const [given, setGiven] = useState("");
  const isApproval = gate.kind === "human_approval";
  const satisfy = useOutcomeCommand({
    failure: isApproval ? "The approval was not saved" : "The document was not saved",
    send: (text: string) =>
      api(routes.outcomeTasks.satisfyGate, {
        params: { outcomeId, taskId: task.id, gateId: gate.id },
        body: { given: text },
      }),
    onDone: () => showDone(isApproval ? `Approved: ${gate.label}` : `Saved: ${gate.label}`),
  });
  const text = given.trim();
  return (
    <Paper
      withBorder
      p="sm"
      component="form"
      aria-label={gate.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== "" || isApproval) satisfy.mutate(text || "Approved");
      }}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600} className="breakable" dir="auto">
          {gate.label}
        </Text>
        <Textarea
          label={isApproval ? "Note (optional)" : "Text or link of the document"}
          description="The worker reads it"
          autosize
          minRows={isApproval ? 1 : 3}
          maxRows={10}
          maxLength={taskLimits.given}
          dir="auto"
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" size="xs" loading={satisfy.isPending} disabled={!isApproval && text === ""}>
            {isApproval ? "Approve" : "Save document"}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

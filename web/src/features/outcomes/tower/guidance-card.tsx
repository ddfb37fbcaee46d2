// What the reader tells the tasks: guidance that stands in their prompts from the next iteration on, until it is taken back.

import { Badge, Button, Group, NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Intervention, type OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { api } from "../../../lib/api.ts";
import { interventionsQuery, outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { Card } from "../../../ui/card.tsx";
import { ControlButton } from "../../../ui/control-button.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Time } from "../../../ui/time.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { Receipts } from "./receipts.tsx";

export function GuidanceCard() {
  const { status } = useOutcome();
  // Before the start, the plan itself is edited.
  if (status === "dormant") return null;
  return (
    <Card title="Guidance">
      <Stack gap="md">
        {status === "archived" ? null : <GuidanceForm />}
        <GivenGuidance />
      </Stack>
    </Card>
  );
}

const wordsOf = (kept: unknown) => (typeof kept === "string" ? kept : "");
const isOpen = ({ status }: OutcomeTask) => status === "pending" || status === "running" || status === "paused";

function GuidanceForm() {
  const { id } = useOutcome();
  const away = useAway();
  const draft = useDraft(`homework-guidance:${id}`, wordsOf);
  const [taskId, setTaskId] = useState("");
  const open = (useQuery(outcomeTasksQuery(id)).data ?? []).filter(isOpen);
  const send = useOutcomeCommand({
    failure: "Your guidance was not sent",
    send: (message: string) =>
      api(
        routes.outcomes.intervene,
        { params: { outcomeId: id }, body: { message, ...(taskId === "" ? {} : { task_id: taskId }) } },
        { idempotencyKey: randomKey() },
      ),
    onDone: () => {
      draft.change("");
      draft.forget();
      showDone("Guidance sent. Tasks read it before their next step.");
    },
  });
  const off = away ?? (draft.value.trim() === "" ? "Write something first" : null);
  const submit = () => {
    if (off === null && !send.isPending) send.mutate(draft.value.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Add guidance"
          description="Tasks read it before their next step."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={runLimits.message}
          dir="auto"
          value={draft.value}
          onChange={(event) => draft.change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <NativeSelect
            aria-label="For which task"
            className="grow"
            data={[
              { value: "", label: "All tasks" },
              ...open.map((task) => ({ value: task.id, label: `#${task.number} ${task.title}` })),
            ]}
            value={taskId}
            onChange={(event) => setTaskId(event.currentTarget.value)}
          />
          <ControlButton
            type="submit"
            size="sm"
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            className="unshrinkable"
            says="Sends your guidance to the tasks"
            offBecause={off}
            loading={send.isPending}
          >
            Send guidance
          </ControlButton>
        </Group>
      </Stack>
    </form>
  );
}

function GivenGuidance() {
  const { id } = useOutcome();
  const given = useInfiniteQuery(interventionsQuery(id));
  const items = given.data?.pages.flatMap((page) => page.items) ?? [];
  if (items.length === 0) return null;
  return (
    <div>
      <ul className="plain-list outcome-lines" aria-label="Guidance given">
        {items.map((item) => (
          <GuidanceRow key={item.id} item={item} />
        ))}
      </ul>
      <LoadMore query={given} />
    </div>
  );
}

const statusWords: Readonly<Record<Intervention["status"], string>> = {
  pending: "Pending",
  acknowledged: "Passed to tasks",
  completed: "Done",
  dismissed: "Taken back",
};

function GuidanceRow({ item }: { readonly item: Intervention }) {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id)).data ?? [];
  const task = tasks.find((each) => each.id === item.task_id);
  const takeBack = useOutcomeCommand({
    failure: "The guidance was not taken back",
    send: () => api(routes.outcomes.takeBack, { params: { outcomeId: id, interventionId: item.id } }),
  });
  const isHeard = item.type === "redirect" && item.status === "acknowledged";
  return (
    <li>
      <Text size="sm" className="pre-wrap" dir="auto">
        {item.message}
      </Text>
      <Group gap="xs" justify="space-between" mt={4}>
        <Group gap="xs">
          <Badge size="sm" variant="light" tt="none" color={isHeard ? "blue" : "gray"}>
            {statusWords[item.status]}
          </Badge>
          <Text size="xs" c="dimmed">
            {task === undefined ? "For all tasks" : `For task #${task.number}`} · <Time at={item.created_at} />
          </Text>
        </Group>
        {isHeard ? (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={takeBack.isPending}
            onClick={() => takeBack.mutate(undefined)}
            aria-label={`Take back: ${item.message.slice(0, 80)}`}
          >
            Take back
          </Button>
        ) : null}
      </Group>
      {item.type === "redirect" ? <Receipts itemId={item.id} /> : null}
    </li>
  );
}

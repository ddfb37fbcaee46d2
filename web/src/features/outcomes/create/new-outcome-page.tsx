// A new outcome: from a rough brief that HOMЯ drafts a plan from, or written by hand. Nothing starts before the person says so.

import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconPencil, IconSparkles } from "@tabler/icons-react";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { keys } from "../../../lib/data/keys.ts";
import { meQuery } from "../../../lib/data/me.ts";
import { ownTimeZone } from "../../../lib/dates.ts";
import { messageOf } from "../../../lib/failure.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { IntentFields } from "../intent/intent-fields.tsx";
import { type NewOutcome, type NewOutcomeProblem, problemOf, readNewOutcome, requestOf } from "./new-outcome.ts";
import { OutcomeSettings } from "./outcome-settings.tsx";
import { TaskFields } from "./task-fields.tsx";
import "../outcomes.css";
import { tone } from "../../../lib/tones.ts";

const modes = [
  { value: "brief", label: "From a brief" },
  { value: "hand", label: "By hand" },
];

const explainers = {
  brief: "HOMЯ drafts the intent, the approach and the tasks. You edit the draft, then start it.",
  hand: "You write the tasks. The outcome is created, and waits until you start it.",
} as const;

export function NewOutcomePage() {
  usePageTitle("New outcome");
  const { draft, problem, create, submit, away } = useNewOutcome();
  const { value } = draft;
  const change = (part: Partial<NewOutcome>) => draft.change({ ...value, ...part });
  return (
    <>
      <PageHeader
        title="New outcome"
        crumbs={[
          <AnchorLink key="outcomes" to="/outcomes">
            Outcomes
          </AnchorLink>,
          <Text key="here" span aria-current="page">
            New outcome
          </Text>,
        ]}
      />
      <Paper withBorder p="md" maw={860}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <SegmentedControl
              aria-label="How to begin"
              data={modes}
              value={value.mode}
              onChange={(mode) => change({ mode: mode === "hand" ? "hand" : "brief" })}
            />
            {value.mode === "brief" ? (
              <BriefField value={value} problem={problem} change={change} />
            ) : (
              <HandFields value={value} problem={problem} change={change} />
            )}
            <OutcomeSettings value={value} onChange={change} />
            {create.error ? (
              <Alert color={tone.failure} title="Not created" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {messageOf(create.error)}
              </Alert>
            ) : null}
            <Group justify="space-between" gap="sm">
              <Text size="sm" c="dimmed" className="row-text">
                {away ?? explainers[value.mode]}
              </Text>
              <Button
                type="submit"
                loading={create.isPending}
                disabled={away !== null}
                leftSection={
                  value.mode === "brief" ? <IconSparkles size={16} aria-hidden /> : <IconPencil size={16} aria-hidden />
                }
              >
                {value.mode === "brief" ? "Draft the plan" : "Create outcome"}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  );
}

function useNewOutcome() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // People who share a browser do not read each other's drafts.
  const { user } = useSuspenseQuery(meQuery).data;
  const draft = useDraft(`homework-new-outcome:${user.id}`, readNewOutcome);
  const away = useAway();
  const [hasTried, setTried] = useState(false);
  const create = useCreate(routes.outcomes.create, {
    showsOwnErrors: true,
    onSuccess: ({ id }) => {
      draft.forget();
      void queryClient.invalidateQueries({ queryKey: keys.outcomes });
      void navigate({ to: "/outcomes/$outcomeId", params: { outcomeId: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problemOf(draft.value) === null && !create.isPending)
      create.mutate({ body: requestOf(draft.value, ownTimeZone()) });
  };
  return { draft, away, create, submit, problem: hasTried ? problemOf(draft.value) : null };
}

type FieldsProps = {
  readonly value: NewOutcome;
  readonly problem: NewOutcomeProblem | null;
  readonly change: (part: Partial<NewOutcome>) => void;
};

const errorOf = (problem: NewOutcomeProblem | null, field: NewOutcomeProblem["field"]) =>
  problem?.field === field ? problem.text : null;

function BriefField({ value, problem, change }: FieldsProps) {
  return (
    <Textarea
      label="What do you want to achieve?"
      description="A rough brief is enough. Say what matters and what must not happen."
      placeholder="A website for our repair café: opening hours, how to bring something in, and a page per volunteer"
      autosize
      autoFocus
      minRows={5}
      maxRows={20}
      maxLength={runLimits.objective}
      dir="auto"
      error={errorOf(problem, "brief")}
      value={value.brief}
      onChange={(event) => change({ brief: event.currentTarget.value })}
      onKeyDown={sendOnCtrlEnter}
    />
  );
}

function HandFields({ value, problem, change }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        withAsterisk
        maxLength={300}
        dir="auto"
        error={errorOf(problem, "name")}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <IntentFields value={value.intent} onChange={(intent) => change({ intent })} />
      <TaskFields tasks={value.tasks} error={errorOf(problem, "tasks")} onChange={(tasks) => change({ tasks })} />
      <Textarea
        label="Approach"
        description="Optional. How the work is done: design, technology, order. Every task reads it."
        autosize
        minRows={2}
        maxRows={14}
        dir="auto"
        value={value.approach}
        onChange={(event) => change({ approach: event.currentTarget.value })}
      />
    </>
  );
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

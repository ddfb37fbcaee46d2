// Starting a task. What was typed survives a reload, and a task that could not be started.

import { Alert, Autocomplete, Button, Group, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { routes } from "../../../../../src/protocol/api.ts";
import { agentProjectsQuery, agentsInfoQuery } from "../../../lib/data/agents.ts";
import { keys } from "../../../lib/data/keys.ts";
import { messageOf } from "../../../lib/failure.ts";
import { tone } from "../../../lib/tones.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { emptyDraft, problemsOf, readDraft, type StartDraft, toRequest } from "./start-draft.ts";

export function StartPage() {
  usePageTitle("Start a task", "Agents");
  const { project } = useSearch({ strict: false }) as { readonly project?: string };
  const draft = useDraft("homework.start-task", (kept) => readDraft(kept, project));
  const info = useQuery(agentsInfoQuery).data;
  const own = useQuery(agentProjectsQuery).data?.items.filter(({ kind }) => kind === "own") ?? [];
  const projects = own.map(({ project_id: id }) => id);
  const start = useStart(draft.value, projects, () => {
    draft.change(emptyDraft);
    draft.forget();
  });
  const refused = info?.why_not_start ?? null;
  return (
    <Stack gap={0} maw={760}>
      <PageHeader
        title="Start a task"
        crumbs={[
          <AnchorLink key="all" to="/agents">
            Agents
          </AnchorLink>,
        ]}
      />
      {refused === null ? null : (
        <Alert color={tone.plain} mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {refused}
        </Alert>
      )}
      <form
        aria-label="Start a task"
        onSubmit={(event) => {
          event.preventDefault();
          start.send();
        }}
      >
        <Fields draft={draft} projects={projects} agents={info?.agents.map(({ name }) => name) ?? []} />
        {start.error ? (
          <Alert
            color={tone.failure}
            mt="md"
            role="alert"
            title="The task was not started"
            icon={<IconAlertTriangle aria-hidden />}
          >
            <Text size="sm" className="pre-wrap">
              {messageOf(start.error)}
            </Text>
          </Alert>
        ) : null}
        <Group mt="lg" justify="space-between">
          <Text size="sm" c="dimmed">
            Runs in the background. You can close this tab.
          </Text>
          <Button
            type="submit"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={start.isPending}
            disabled={!start.isReady || refused !== null}
          >
            Start task
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

type FieldsProps = {
  readonly draft: { readonly value: StartDraft; readonly change: (value: StartDraft) => void };
  readonly projects: readonly string[];
  readonly agents: readonly string[];
};

function Fields({ draft, projects, agents }: FieldsProps) {
  const { value, change } = draft;
  const problems = problemsOf(value);
  const isNew = value.project !== "" && problems.project === null && !projects.includes(value.project);
  const names = agents.includes(value.agent) || value.agent === "" ? agents : [...agents, value.agent];
  return (
    <Stack gap="md">
      <Textarea
        label="What do you want done?"
        description="The agent reads this as TASK.md, each time it starts."
        autosize
        minRows={6}
        maxRows={24}
        dir="auto"
        data-autofocus
        value={value.prompt}
        onChange={(event) => change({ ...value, prompt: event.currentTarget.value })}
      />
      <Autocomplete
        label="Project"
        description={isNew ? "This project will be created." : "Choose one, or type a new name."}
        data={[...projects]}
        value={value.project}
        error={problems.project}
        onChange={(project) => change({ ...value, project })}
      />
      <TextInput
        label="Work folder (optional)"
        description="Absolute path of the folder the agent works in. Default: the project's folder, or the task's own."
        placeholder="/home/me/my-repository"
        value={value.folder}
        error={problems.folder}
        onChange={(event) => change({ ...value, folder: event.currentTarget.value })}
      />
      <Select
        label="Agent (optional)"
        description="Default: as in the settings of run-agent."
        data={[...names]}
        value={value.agent === "" ? null : value.agent}
        clearable
        placeholder={names.length === 0 ? "None was found on this machine" : "Default"}
        onChange={(agent) => change({ ...value, agent: agent ?? "" })}
      />
    </Stack>
  );
}

function useStart(draft: StartDraft, projects: readonly string[], onStarted: () => void) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useCreate(routes.agents.start, {
    showsOwnErrors: true,
    onSuccess: ({ task_id: agentTask }) => {
      onStarted();
      void queryClient.invalidateQueries({ queryKey: keys.agents });
      void navigate({
        to: "/agents/projects/$agentProject/tasks/$agentTask",
        params: { agentProject: draft.project, agentTask },
      });
    },
  });
  const { project, folder } = problemsOf(draft);
  const isReady = draft.prompt.trim() !== "" && draft.project !== "" && project === null && folder === null;
  return {
    isReady,
    isPending: create.isPending,
    error: create.error,
    send: () => {
      if (isReady && !create.isPending) create.mutate(toRequest(draft, projects));
    },
  };
}

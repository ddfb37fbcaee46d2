// What a task is about: TASK.md, the tasks it waits for, its facts, and its other files.

import { Code, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { agentTaskQuery, type TaskPlace, taskFileQuery } from "../../../lib/data/agents.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { FactList } from "../fact-list.tsx";
import { FileText } from "../file-text.tsx";

export function DetailsTab() {
  const { agentProject = "", agentTask = "" } = useParams({ strict: false });
  const place = { agentProject, agentTask };
  const task = useQuery(agentTaskQuery(place));
  return (
    <QueryView query={task}>
      {(shown) => (
        <Stack gap="lg">
          <section aria-label="Objective">
            <Title order={2} size="h4" mb="xs">
              Objective
            </Title>
            {shown.text === "" ? <Text c="dimmed">TASK.md is empty.</Text> : <LazyMarkdown text={shown.text} />}
          </section>
          {shown.depends_on.length === 0 ? null : <WaitsFor place={place} tasks={shown.depends_on} />}
          <section aria-label="Facts">
            <Title order={2} size="h4" mb="xs">
              Facts
            </Title>
            <FactList place={place} />
          </section>
          <section aria-label="Files">
            <Title order={2} size="h4" mb="xs">
              Files
            </Title>
            <Text size="sm" c="dimmed" mb="xs" className="breakable">
              In <Code>{shown.folder}</Code>
            </Text>
            {shown.files.map(({ name, bytes }) => (
              <TaskFile key={name} place={place} name={name} bytes={bytes} />
            ))}
          </section>
        </Stack>
      )}
    </QueryView>
  );
}

function WaitsFor({ place, tasks }: { readonly place: TaskPlace; readonly tasks: readonly string[] }) {
  return (
    <section aria-label="Depends on">
      <Title order={2} size="h4" mb="xs">
        Depends on
      </Title>
      {tasks.map((task) => (
        <Text key={task}>
          <AnchorLink
            to="/agents/projects/$agentProject/tasks/$agentTask"
            params={{ agentProject: place.agentProject, agentTask: task }}
            className="breakable"
          >
            {task}
          </AnchorLink>
        </Text>
      ))}
    </section>
  );
}

type TaskFileProps = { readonly place: TaskPlace; readonly name: string; readonly bytes: number };

function TaskFile({ place, name, bytes }: TaskFileProps) {
  const [isOpen, setOpen] = useState(false);
  const file = useQuery({ ...taskFileQuery(place, name), enabled: isOpen });
  return (
    <details className="agent-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} <span className="faint">({bytes.toLocaleString("en")} bytes)</span>
      </summary>
      {isOpen ? <QueryView query={file}>{(shown) => <FileText file={shown} />}</QueryView> : null}
    </details>
  );
}

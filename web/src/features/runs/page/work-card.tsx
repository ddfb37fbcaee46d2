// What the agents of a run did to files: branch, commits, files and the diff, and what becomes of it.

import { Alert, Button, Code, Group, List, Spoiler, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { runWorkQuery } from "../../../lib/data/runs.ts";
import { messageOf } from "../../../lib/failure.ts";
import { tone } from "../../../lib/tones.ts";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { useRun } from "../run-context.tsx";

const stateWords = { open: "not merged", merged: "merged", discarded: "discarded" } as const;

export function WorkCard() {
  const { run } = useRun();
  const work = useQuery(runWorkQuery(run.id)).data?.work;
  if (!work) return null;
  return (
    <Card title="Files" beside={work.repository === null ? "its own folder" : stateWords[work.state]}>
      <Stack gap="xs">
        <Text size="sm" className="breakable">
          {work.repository === null
            ? "Readable files are documents of the project"
            : `${work.branch} of ${work.repository}`}{" "}
          · {work.host}
        </Text>
        {work.agent_task === null ? null : (
          <AnchorLink
            size="sm"
            to="/agents/projects/$agentProject/tasks/$agentTask"
            params={{ agentProject: work.agent_task.project_id, agentTask: work.agent_task.task_id }}
          >
            Agents, live logs and messages
          </AnchorLink>
        )}
        <Lines lines={(work.record?.commits ?? []).map(({ id, title }) => `${id.slice(0, 10)} ${title}`)} />
        <Lines lines={(work.record?.files ?? []).map(({ path, change }) => `${change}: ${path}`)} />
        <Lines lines={work.record?.facts ?? []} />
        <Noticed lines={work.record?.noticed ?? []} />
        {work.diff === "" ? null : (
          <Spoiler maxHeight={240} showLabel="Show the whole diff" hideLabel="Show less">
            <Code block>{work.diff}</Code>
          </Spoiler>
        )}
        {work.repository !== null && work.state === "open" ? <Decide runId={run.id} /> : null}
      </Stack>
    </Card>
  );
}

function Noticed({ lines }: { readonly lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <Alert color={tone.needsYou} title="Changed in your repository, outside of the branch">
      By you or by an agent, while the agents worked:
      <Lines lines={lines} />
    </Alert>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={line} className="breakable">
          {line}
        </List.Item>
      ))}
    </List>
  );
}

/** A run that is at work says so itself when it is asked. */
function Decide({ runId }: { readonly runId: string }) {
  const queryClient = useQueryClient();
  const [isSure, setIsSure] = useState(false);
  const settle = useMutation({
    mutationFn: (verb: "merge" | "discard") => api(routes.runs[verb], { params: { runId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.run(runId) }),
  });
  const told = settle.error ? messageOf(settle.error) : toWords(settle.data);
  return (
    <>
      {told === null ? null : (
        <Alert color={tone.failure} role="alert" title="Nothing was done">
          {told}
        </Alert>
      )}
      <Group gap="xs">
        <Button size="xs" loading={settle.isPending} onClick={() => settle.mutate("merge")}>
          Merge branch
        </Button>
        <Button
          size="xs"
          variant={isSure ? "filled" : "default"}
          color={isSure ? tone.strong : tone.plain}
          loading={settle.isPending}
          onClick={() => (isSure ? settle.mutate("discard") : setIsSure(true))}
        >
          {isSure ? "Discard all of its work" : "Discard branch"}
        </Button>
      </Group>
    </>
  );
}

type Settled = Awaited<ReturnType<typeof api<typeof routes.runs.merge>>> | { readonly kind: "discarded" };

function toWords(settled: Settled | undefined): string | null {
  if (settled?.kind === "conflicts") return `Changed on both sides: ${settled.files.join(", ")}. Merge it by hand.`;
  return settled?.kind === "in_the_way" ? settled.why : null;
}

// One run of an agent: its log live, its output, its prompt, and what is known of it.

import { Alert, Badge, Code, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { AgentRunDetail } from "../../../../../src/protocol/api.ts";
import { agentRunQuery, type RunPlace, runFileQuery } from "../../../lib/data/agents.ts";
import { tone } from "../../../lib/tones.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { HeartbeatBadge, RunBadge } from "../badges.tsx";
import { FileText } from "../file-text.tsx";
import { RunFacts } from "../task/runs-tab.tsx";
import { StopRunButton } from "../task/stop-buttons.tsx";
import { LogView } from "./log-view.tsx";
import { useLog } from "./use-log.ts";

type Part = "log" | "output" | "prompt" | "record";
const parts: readonly { readonly value: Part; readonly label: string }[] = [
  { value: "log", label: "Log" },
  { value: "output", label: "Output" },
  { value: "prompt", label: "Prompt" },
  { value: "record", label: "Details" },
];

export function RunTab() {
  const { agentProject = "", agentTask = "", agentRun = "" } = useParams({ strict: false });
  return <Run key={agentRun} place={{ agentProject, agentTask, agentRun }} />;
}

function Run({ place }: { readonly place: RunPlace }) {
  const run = useQuery(agentRunQuery(place));
  const [part, setPart] = useState<Part>("log");
  usePageTitle(`Run ${place.agentRun}`, place.agentProject);
  // Followed whichever part is shown: it also keeps the task's own line right.
  const log = useLog(place);
  return (
    <QueryView query={run}>
      {(shown) => (
        <Stack gap="sm">
          <RunHeader place={place} run={shown} />
          <SegmentedControl
            aria-label="Part of the run"
            value={part}
            onChange={(value) => setPart(value as Part)}
            data={[...parts]}
          />
          {part === "log" ? (
            <QueryView query={log.first}>
              {() => (
                <div>
                  <LogView
                    lines={log.book.lines}
                    isActive={shown.is_active}
                    hasEarlier={log.hasEarlier}
                    onEarlier={log.loadEarlier}
                  />
                </div>
              )}
            </QueryView>
          ) : null}
          {part === "output" ? <RunFile place={place} run={shown} name="output.md" isMarkdown /> : null}
          {part === "prompt" ? <RunFile place={place} run={shown} name="prompt.md" /> : null}
          {part === "record" ? <Record run={shown} place={place} /> : null}
        </Stack>
      )}
    </QueryView>
  );
}

const watchWords: Readonly<Record<string, string>> = {
  waiting: "Waiting for an answer",
  idle: "Idle",
  stuck: "No recent output",
};

function RunHeader({ place, run }: { readonly place: RunPlace; readonly run: AgentRunDetail }) {
  const { watch } = run;
  return (
    <Stack gap={4}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{run.agent || "Unknown agent"}</Text>
          <RunBadge run={run} />
          {run.is_active ? <HeartbeatBadge at={run.last_output_at ?? run.started_at} /> : null}
          {run.is_active && watch !== null && watch.state !== "active" ? (
            <Badge variant="light" color={tone.plain} tt="none">
              {watchWords[watch.state] ?? watch.state}
            </Badge>
          ) : null}
        </Group>
        {run.is_active ? <StopRunButton place={place} run={run} /> : null}
      </Group>
      <Text size="sm" c="dimmed" className="breakable">
        <RunFacts run={run} />
      </Text>
      <Group gap="md">
        {run.parent_run_id === null ? null : <RunLink place={place} label="Parent run" runId={run.parent_run_id} />}
        {run.previous_run_id === null ? null : (
          <RunLink place={place} label="Previous attempt" runId={run.previous_run_id} />
        )}
      </Group>
      {run.error === null ? null : (
        <Alert
          color={run.status === "unknown" ? tone.plain : tone.failure}
          icon={<IconAlertTriangle aria-hidden />}
          p="xs"
        >
          <Text size="sm" className="pre-wrap">
            {run.error}
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

type RunLinkProps = { readonly place: RunPlace; readonly label: string; readonly runId: string };

function RunLink({ place, label, runId }: RunLinkProps) {
  return (
    <AnchorLink
      to="/agents/projects/$agentProject/tasks/$agentTask/runs/$agentRun"
      params={{ ...place, agentRun: runId }}
      size="sm"
    >
      {label}
    </AnchorLink>
  );
}

type RunFileProps = {
  readonly place: RunPlace;
  readonly run: AgentRunDetail;
  readonly name: string;
  readonly isMarkdown?: boolean;
};

function RunFile({ place, run, name, isMarkdown = false }: RunFileProps) {
  const isThere = run.files.some((file) => file.name === name);
  const file = useQuery({ ...runFileQuery(place, name), enabled: isThere });
  if (!isThere)
    return (
      <Text c="dimmed">{run.is_active ? `${name} is written when the run ends.` : `This run has no ${name}.`}</Text>
    );
  return (
    <QueryView query={file}>
      {(shown) =>
        isMarkdown && shown.problem === null && !shown.is_cut && shown.text.trim() !== "" ? (
          <LazyMarkdown text={shown.text} />
        ) : (
          <FileText file={shown} />
        )
      }
    </QueryView>
  );
}

function Record({ run, place }: { readonly run: AgentRunDetail; readonly place: RunPlace }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ["Agent", [run.agent, run.agent_version].filter(Boolean).join(" ")],
    ["Model", run.model],
    ["Chosen because", run.chosen_because],
    ["Work folder", run.work_folder],
    ["Run folder", run.folder],
    ["Command", run.command_line],
    ["Process", run.pid === null ? null : `${run.pid}${run.host === null ? "" : ` on ${run.host}`}`],
    [
      "Tokens",
      run.usage === null
        ? null
        : `${run.usage.input_tokens.toLocaleString("en")} in, ${run.usage.output_tokens.toLocaleString("en")} out`,
    ],
    ["Stopped by", run.stop_requested === null ? null : `${run.stop_requested.by}: ${run.stop_requested.reason}`],
  ];
  return (
    <Stack gap="sm">
      <dl className="run-record">
        {facts.map(([name, value]) =>
          value === null || value === "" ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Code className="breakable">{value}</Code>
              </dd>
            </div>
          ),
        )}
      </dl>
      <RunFile place={place} run={run} name="run-info.yaml" />
    </Stack>
  );
}

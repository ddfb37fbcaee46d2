// One thing a run made, changed, linked or deleted: what it is, when, and on demand what changed in it.

import { Badge, Button, Group, Paper, Text } from "@mantine/core";
import { IconChevronRight, IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { EntitySummary, RunOutput } from "../../../../../src/protocol/api.ts";
import { projectQuery } from "../../../lib/data/projects.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import { TaskTick } from "../../../ui/task-tick.tsx";
import { Time } from "../../../ui/time.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { OutputChanges } from "./output-changes.tsx";
import { opWords, timesWords, titleWords } from "./output-groups.ts";

type OutputRowProps = {
  readonly runId: string;
  readonly output: RunOutput;
  /** The task as it is now; undefined for other kinds, and before it is known. */
  readonly task?: EntitySummary | undefined;
};

export function OutputRow({ runId, output, task }: OutputRowProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        {task ? <OutputTick task={task} /> : <OutputIcon kind={output.kind} />}
        <div className="grow">
          <OutputTitle output={output} />
          <Group gap="xs" className="output-facts">
            <Text size="xs" c="dimmed">
              {task === undefined ? "" : `${wordsOf(task.state_key)} · `}
              {opWords[output.op]}
              {timesWords(output)} · <Time at={output.at} />
            </Text>
            <Button
              variant="subtle"
              size="compact-xs"
              aria-expanded={isOpen}
              aria-controls={panel}
              leftSection={<IconChevronRight size={14} aria-hidden className={isOpen ? "turned" : undefined} />}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? "Hide what changed" : "Show what changed"}
            </Button>
          </Group>
        </div>
        <OutputBadges output={output} />
      </Group>
      <div id={panel}>{isOpen ? <OutputChanges runId={runId} output={output} /> : null}</div>
    </Paper>
  );
}

/** Not offered before it is known whether the reader may tick it. */
function OutputTick({ task }: { readonly task: EntitySummary }) {
  const role = useQuery(projectQuery(task.project_id)).data?.role;
  return <TaskTick task={task} isReadOnly={role === undefined || role === "viewer"} />;
}

function OutputIcon({ kind }: Pick<RunOutput, "kind">) {
  if (kind === "edge") return <IconLink size={18} stroke={1.6} className="unshrinkable" aria-hidden />;
  return <KindIcon kind={kind} />;
}

function OutputTitle({ output }: Pick<OutputRowProps, "output">) {
  const { kind, project_id: projectId, id, is_there: isThere, is_gone: isGone } = output;
  const name = titleWords(output);
  const words = isGone ? <s>{name}</s> : <bdi>{name}</bdi>;
  if (kind === "edge" || !isThere)
    return (
      <Text fw={600} lineClamp={3} className="breakable">
        {words}
      </Text>
    );
  return (
    <EntityLink kind={kind} projectId={projectId} id={id} fw={600} lineClamp={3} className="breakable">
      {words}
    </EntityLink>
  );
}

function OutputBadges({ output }: Pick<OutputRowProps, "output">) {
  if (!output.is_gone) return null;
  return (
    <Badge variant="light" color="gray" tt="none" className="unshrinkable">
      {output.op === "deleted" ? "Restored since" : "Deleted"}
    </Badge>
  );
}

// One thing a run made, changed, linked or deleted: what it is, when, and on demand what changed in it.

import { Badge, Button, Group, Paper, Text } from "@mantine/core";
import { IconChevronRight, IconLink, IconSquare, IconSquareCheck } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { OutputChanges } from "./output-changes.tsx";
import { opWords, titleWords, whenWords } from "./output-groups.ts";

type OutputRowProps = {
  readonly runId: string;
  readonly output: RunOutput;
  /** How a task stands now; undefined for other kinds, and before it is known. */
  readonly state?: string | undefined;
};

export function OutputRow({ runId, output, state }: OutputRowProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const when = whenWords(output);
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <OutputIcon kind={output.kind} state={state} />
        <div className="grow">
          <OutputTitle output={output} />
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {state === undefined ? "" : `${wordsOf(state)} · `}
              {opWords[output.op]}
              {when === "" ? "" : ` ${when}`} · <Time at={output.at} />
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

type OutputIconProps = { readonly kind: RunOutput["kind"]; readonly state: string | undefined };

function OutputIcon({ kind, state }: OutputIconProps) {
  const common = { size: 18, stroke: 1.6, className: "unshrinkable" } as const;
  if (kind === "edge") return <IconLink {...common} aria-hidden />;
  if (kind !== "task" || state === undefined) return <KindIcon kind={kind} />;
  return state === "done" ? (
    <IconSquareCheck {...common} className="unshrinkable run-green" role="img" aria-label="Done" />
  ) : (
    <IconSquare {...common} role="img" aria-label="Not done" />
  );
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

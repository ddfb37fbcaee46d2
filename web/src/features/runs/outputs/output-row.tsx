// One thing a run made, changed, linked or deleted: what it is, when, and on demand what changed in it.

import { Badge, Button, Group, Paper, Text } from "@mantine/core";
import { IconChevronRight, IconLink } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import { OutputChanges } from "./output-changes.tsx";
import { kindWords, titleWords, whenWords } from "./output-groups.ts";

type OutputRowProps = { readonly runId: string; readonly output: RunOutput };

export function OutputRow({ runId, output }: OutputRowProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const when = whenWords(output);
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <OutputIcon kind={output.kind} />
        <div className="grow">
          <OutputTitle output={output} />
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {kindWords[output.kind]}
              {when === "" ? "" : ` · ${when}`} · <Time at={output.at} />
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

function OutputIcon({ kind }: { readonly kind: RunOutput["kind"] }) {
  if (kind === "edge") return <IconLink size={18} stroke={1.6} aria-hidden className="unshrinkable" />;
  return <KindIcon kind={kind} />;
}

function OutputTitle({ output }: Omit<OutputRowProps, "runId">) {
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

function OutputBadges({ output }: Omit<OutputRowProps, "runId">) {
  return (
    <>
      {output.is_bookkeeping ? (
        <Badge variant="default" tt="none" className="unshrinkable">
          The run's own
        </Badge>
      ) : null}
      {output.is_gone ? (
        <Badge variant="light" color="gray" tt="none" className="unshrinkable">
          {output.op === "deleted" ? "Brought back since" : "Gone since"}
        </Badge>
      ) : null}
    </>
  );
}

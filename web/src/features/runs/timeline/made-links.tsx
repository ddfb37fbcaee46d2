// What an iteration made or changed, as links; each is looked up when the iteration is opened.

import { Group, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import type { RunIteration } from "../../../../../src/protocol/api.ts";
import { outputQuery } from "../../../lib/data/runs.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { AnchorLink } from "../../../ui/links.tsx";

/** More are listed under Result. */
const shownMax = 12;

type MadeLinksProps = { readonly runId: string; readonly artifacts: RunIteration["artifacts"] };

export function MadeLinks({ runId, artifacts }: MadeLinksProps) {
  const ids = [...new Set(artifacts.map(({ id }) => id))];
  const looked = useQueries({
    queries: ids.slice(0, shownMax).map((id) => ({ ...outputQuery(runId, id), retry: false, staleTime: 60_000 })),
  });
  const found = looked.flatMap(({ data }) => (data ? [data.output] : []));
  if (ids.length === 0) return null;
  // Those that could not be found, too: there they are listed with what became of them.
  const others = looked.some(({ isPending }) => isPending) ? 0 : ids.length - found.length;
  return (
    <Group gap="xs" aria-label="What it made or changed" role="group">
      <Text size="sm" fw={600}>
        Made or changed:
      </Text>
      {found.map((output) =>
        output.kind === "edge" || output.is_gone ? (
          <Text key={output.id} span size="sm" c="dimmed" className="breakable">
            {output.title || output.kind}
          </Text>
        ) : (
          <EntityLink
            key={output.id}
            kind={output.kind}
            projectId={output.project_id}
            id={output.id}
            size="sm"
            underline="always"
            className="breakable"
          >
            {output.title || "untitled"}
          </EntityLink>
        ),
      )}
      {others > 0 ? (
        <AnchorLink size="sm" underline="always" to="/homework/runs/$runId" params={{ runId }}>
          {found.length === 0 ? `${others} under Result` : `${others} more under Result`}
        </AnchorLink>
      ) : null}
    </Group>
  );
}

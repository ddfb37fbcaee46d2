// What a run made, as links: to the thing itself where its project is known, else to where the run lists it.

import { Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Run, RunOutput } from "../../../../../src/protocol/api.ts";
import { outputsQuery } from "../../../lib/data/runs.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { AnchorLink } from "../../../ui/links.tsx";

type Artifact = Run["plan"][number]["evidence"][number];
type Titles = ReadonlyMap<string, RunOutput>;

/** The things that the run lists first; `isWanted`: whether anything is to be linked at all. */
export function useOutputTitles(runId: string, isWanted: boolean): Titles {
  const { data } = useInfiniteQuery({ ...outputsQuery(runId), enabled: isWanted });
  return new Map(data?.pages.flatMap(({ items }) => items.map((item) => [item.id, item] as const)));
}

type ArtifactLinksProps = {
  readonly runId: string;
  readonly artifacts: readonly Artifact[];
  readonly titles: Titles;
};

/** More are in the list of outputs. */
const shownMax = 6;

export function ArtifactLinks({ runId, artifacts, titles }: ArtifactLinksProps) {
  if (artifacts.length === 0) return null;
  const more = artifacts.length - shownMax;
  return (
    <Group gap="xs">
      {artifacts.slice(0, shownMax).map((artifact) => (
        <ArtifactLink
          key={`${artifact.kind} ${artifact.id}`}
          runId={runId}
          artifact={artifact}
          found={titles.get(artifact.id)}
        />
      ))}
      {more > 0 ? (
        <AnchorLink size="xs" to="/homework/runs/$runId" params={{ runId }}>
          and {more} more
        </AnchorLink>
      ) : null}
    </Group>
  );
}

type ArtifactLinkProps = {
  readonly runId: string;
  readonly artifact: Artifact;
  readonly found: RunOutput | undefined;
};

function ArtifactLink({ runId, artifact, found }: ArtifactLinkProps) {
  const rest = { size: "xs", className: "breakable", dir: "auto" } as const;
  if (found && found.kind !== "edge" && !found.is_gone)
    return (
      <EntityLink {...rest} kind={found.kind} projectId={found.project_id} id={found.id}>
        {found.title === "" ? found.kind : found.title}
      </EntityLink>
    );
  if (artifact.kind === "document")
    return (
      <AnchorLink {...rest} to="/homework/runs/$runId/sources" params={{ runId }} search={{ document: artifact.id }}>
        {found?.title ?? "a document"}
      </AnchorLink>
    );
  // A path in the work folder; the card of files has the rest.
  if (artifact.kind === "file") return <Text {...rest}>{artifact.id}</Text>;
  return (
    <AnchorLink {...rest} to="/homework/runs/$runId" params={{ runId }}>
      {found?.title || artifact.kind}
    </AnchorLink>
  );
}

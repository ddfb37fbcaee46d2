// Who wrote a document, each run with the way to it, and when it changed last.

import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { Author, Entity } from "../../../../src/protocol/api.ts";
import { authorsQuery } from "../../lib/data/entities.ts";
import { membersQuery } from "../../lib/data/projects.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Time } from "../../ui/time.tsx";

/** More than these are counted. */
const namedMax = 4;

export function DocumentByline({ entity }: { readonly entity: Entity }) {
  const authors = useQuery(authorsQuery(entity.project_id, entity.id)).data?.items ?? [];
  const more = authors.length - namedMax;
  return (
    <Group gap="xs" component="section" aria-label="Authors">
      <StateBadge state={entity.state_key} />
      <Text size="sm" c="dimmed" className="row-text breakable">
        {authors.length > 0 ? "Written by " : ""}
        {authors.slice(0, namedMax).map((author, index) => (
          <Fragment key={author.run_id ?? author.actor_id ?? "unknown"}>
            {index > 0 ? ", " : ""}
            <AuthorName author={author} projectId={entity.project_id} />
          </Fragment>
        ))}
        {more > 0 ? ` and ${more} more` : ""}
        {authors.length > 0 ? " · changed " : "Changed "}
        <Time at={entity.updated_at} />
      </Text>
    </Group>
  );
}

function AuthorName({ author, projectId }: { readonly author: Author; readonly projectId: string }) {
  const members = useQuery(membersQuery(projectId)).data?.items;
  if (author.run_id === null) return members?.find(({ user_id }) => user_id === author.actor_id)?.name ?? "someone";
  if (author.run_objective === null) return "someone’s run";
  return (
    <>
      the run{" "}
      <AnchorLink to="/homework/runs/$runId" params={{ runId: author.run_id }} underline="always">
        {shorten(author.run_objective)}
      </AnchorLink>
    </>
  );
}

const shownMax = 80;

function shorten(objective: string): string {
  const [line = ""] = objective.trim().split("\n");
  return line.length > shownMax ? `${line.slice(0, shownMax).trimEnd()}…` : line;
}

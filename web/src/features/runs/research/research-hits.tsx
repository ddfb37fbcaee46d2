// What a search in a run found, best match first: its documents open beside, other things on their own page.

import { Group, Stack, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SearchHit } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { runSearchQuery } from "../../../lib/data/run-research.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Snippet } from "../../../ui/snippet.tsx";

type ResearchHitsProps = {
  readonly runId: string;
  readonly text: string;
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string) => void;
};

export function ResearchHits({ runId, text, chosenId, onChoose }: ResearchHitsProps) {
  const hits = useQuery(runSearchQuery(runId, text));
  return (
    <section aria-label="Found" aria-busy={hits.isFetching}>
      <VisuallyHidden role="status">{hits.data ? `${hits.data.items.length} found` : ""}</VisuallyHidden>
      <QueryView query={hits}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed" px="xs">
              Nothing found. Try fewer or other words; empty the field to see the tree again.
            </Text>
          ) : (
            <>
              <Text size="xs" c="dimmed" px="xs" mb={4}>
                {counted(items.length, "match").replace(/matchs$/, "matches")}
              </Text>
              <Stack component="ul" gap={2} className="plain-list research-hits">
                {items.map((hit) => (
                  <li key={hit.id}>
                    <Hit hit={hit} isChosen={hit.id === chosenId} onChoose={onChoose} />
                  </li>
                ))}
              </Stack>
            </>
          )
        }
      </QueryView>
    </section>
  );
}

type HitProps = {
  readonly hit: SearchHit;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
};

function Hit({ hit, isChosen, onChoose }: HitProps) {
  if (hit.kind === "document")
    return (
      <UnstyledButton className="research-hit" aria-current={isChosen} onClick={() => onChoose(hit.id)}>
        <HitWords hit={hit} />
      </UnstyledButton>
    );
  return (
    <EntityLink kind={hit.kind} projectId={hit.project_id} id={hit.id} underline="never" className="research-hit">
      <HitWords hit={hit} />
    </EntityLink>
  );
}

function HitWords({ hit }: { readonly hit: SearchHit }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={hit.kind} size={16} />
      <span className="grow">
        <Text span size="sm" fw={600} lineClamp={2} className="breakable">
          <bdi>{hit.title}</bdi>
        </Text>
        <Snippet pieces={hit.snippet} />
      </span>
    </Group>
  );
}

// What a search found, best match first.

import { Group, Paper, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconSearchOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { OutcomeHit, SearchHit } from "../../../../src/protocol/api.ts";
import { type SearchKind, searchQuery } from "../../lib/data/search.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { OutcomeHitIcon, OutcomeHitLink, outcomeHitWords } from "../../ui/outcome-hit.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Snippet } from "../../ui/snippet.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { wordsOf } from "../../ui/wording.ts";

/** The most the contract gives; there are no further pages. */
const hitsShown = 50;

type SearchResultsProps = {
  readonly text: string;
  readonly kind: SearchKind | undefined;
  readonly notes: boolean;
};

export function SearchResults({ text, kind, notes }: SearchResultsProps) {
  const hits = useQuery(searchQuery({ text, kind, notes, limit: hitsShown }));
  return (
    <section aria-busy={hits.isFetching}>
      <VisuallyHidden>
        <Title order={2}>Results</Title>
        <span role="status">{hits.data ? `${hits.data.items.length + hits.data.outcomes.length} found` : ""}</span>
      </VisuallyHidden>
      <QueryView query={hits}>
        {({ items, outcomes }) =>
          items.length + outcomes.length === 0 ? (
            <NothingFound />
          ) : (
            <Stack component="ul" gap="xs" className="plain-list">
              {outcomes.map((hit) => (
                <OutcomeHitRow key={hit.id} hit={hit} />
              ))}
              {items.map((hit) => (
                <HitRow key={hit.id} hit={hit} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </section>
  );
}

function HitRow({ hit }: { readonly hit: SearchHit }) {
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <KindIcon kind={hit.kind} />
        <div className="grow">
          <EntityLink kind={hit.kind} projectId={hit.project_id} id={hit.id} fw={600} className="breakable">
            {hit.title}
          </EntityLink>
          <Text size="xs" c="dimmed">
            {wordsOf(hit.kind)}
            {hit.kind === "project" ? "" : ` in ${hit.project_name}`}
          </Text>
          <Snippet pieces={hit.snippet} />
        </div>
        <StateBadge state={hit.state_key} />
      </Group>
    </Paper>
  );
}

function OutcomeHitRow({ hit }: { readonly hit: OutcomeHit }) {
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <OutcomeHitIcon kind={hit.kind} />
        <div className="grow">
          <OutcomeHitLink hit={hit} fw={600} className="breakable" dir="auto">
            {hit.title}
          </OutcomeHitLink>
          <Text size="xs" c="dimmed">
            {outcomeHitWords[hit.kind]}
            {hit.kind === "outcome" ? "" : ` in ${hit.outcome_name}`}
          </Text>
          <Snippet pieces={hit.snippet} />
        </div>
        <StateBadge state={hit.state_key} />
      </Group>
    </Paper>
  );
}

function NothingFound() {
  return (
    <EmptyNotice icon={<IconSearchOff aria-hidden />} title="Nothing found">
      Try fewer or other words, or look in everything instead of one kind.
    </EmptyNotice>
  );
}

// Facts that agents wrote down, the newest first.

import { Alert, Paper, Stack, Text } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AgentFact } from "../../../../src/protocol/api.ts";
import { type BusPlace, factsQuery } from "../../lib/data/agents.ts";
import { tone } from "../../lib/tones.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";

export function FactList({ place }: { readonly place: BusPlace }) {
  const facts = useQuery(factsQuery(place));
  return (
    <QueryView query={facts}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyNotice icon={<IconBulb aria-hidden />} title="No facts yet">
            Agents write down here what the next run should know.
          </EmptyNotice>
        ) : (
          <Stack gap="sm" component="ul" className="plain-list">
            {items.map((fact) => (
              <Fact key={fact.file} fact={fact} />
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

function Fact({ fact }: { readonly fact: AgentFact }) {
  return (
    <Paper withBorder p="md" component="li">
      <Text fw={600} className="breakable" dir="auto">
        {fact.title || fact.file}
      </Text>
      {Number.isNaN(Date.parse(fact.created_at)) ? null : (
        <Text size="sm" c="dimmed" mb="xs">
          <Time at={fact.created_at} />
        </Text>
      )}
      <LazyMarkdown text={fact.text} />
      {fact.problem === null ? null : (
        <Alert color={tone.failure} mt="xs" p="xs">
          {fact.problem}
        </Alert>
      )}
    </Paper>
  );
}

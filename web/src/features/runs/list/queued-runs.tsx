// Runs that are queued, one line each, in the order in which they start. After a few, the others are shown when asked for.

import { Button, Paper, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import type { ListedRun } from "../../../../../src/protocol/api.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { Time } from "../../../ui/time.tsx";
import { placeWords } from "./row-words.ts";

const shownAtFirst = 3;

export function QueuedRuns({ runs }: { readonly runs: readonly ListedRun[] }) {
  const [isWhole, setWhole] = useState(false);
  const headingId = useId();
  const shown = isWhole || runs.length <= shownAtFirst + 1 ? runs : runs.slice(0, shownAtFirst);
  if (runs.length === 0) return null;
  return (
    <>
      <Title order={3} size="h6" mt="sm" mb={6} id={headingId}>
        Queued <span className="run-count">{runs.length.toLocaleString("en")}</span>
      </Title>
      <Paper component="ul" withBorder className="plain-list queued-runs" aria-labelledby={headingId}>
        {shown.map((run) => (
          <li key={run.id} data-run={run.id} className="queued-run">
            <AnchorLink
              to="/homework/runs/$runId"
              params={{ runId: run.id }}
              size="sm"
              fw={600}
              className="breakable grow"
              dir="auto"
            >
              {run.title}
            </AnchorLink>
            <Text component="div" size="xs" c="dimmed" className="queued-facts">
              <strong>{placeWords(run)}</strong>
              <span>
                queued <Time at={run.created_at} />
              </span>
            </Text>
          </li>
        ))}
      </Paper>
      {shown.length < runs.length ? (
        <Button size="compact-sm" variant="subtle" mt={6} onClick={() => setWhole(true)}>
          Show all {runs.length.toLocaleString("en")} queued
        </Button>
      ) : null}
    </>
  );
}

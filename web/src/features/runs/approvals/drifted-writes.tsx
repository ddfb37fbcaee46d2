// Writes that were approved and still came to nothing, because something had changed since; with what it was.

import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { useRun } from "../run-context.tsx";
import { driftedWritesQuery } from "./staged-queries.ts";
import { summaryWords } from "./staged-words.ts";

export function DriftedWrites() {
  const { run } = useRun();
  const { data: drifted = [] } = useQuery(driftedWritesQuery(run.id));
  if (drifted.length === 0) return null;
  return (
    <Alert color={tone.failure} title={`${counted(drifted.length, "approved change")} not written`}>
      <Stack gap="xs">
        <Text size="sm">
          Something had changed since you approved. Nothing was written; the run knows and may ask again.
        </Text>
        <ul className="plain-list">
          {drifted.map((write) => (
            <li key={write.id}>
              <Text size="sm" className="breakable" dir="auto">
                {summaryWords(write)}: {write.note}
              </Text>
            </li>
          ))}
        </ul>
      </Stack>
    </Alert>
  );
}

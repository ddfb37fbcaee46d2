// The last few notes a run made for itself.

import { Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { scratchpadQuery } from "../../lib/data/runs.ts";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";

const notesShown = 3;

export function ScratchpadTail({ runId }: { readonly runId: string }) {
  const notes = useInfiniteQuery(scratchpadQuery(runId, notesShown)).data?.pages[0]?.items ?? [];
  return (
    <section aria-label="Its latest notes">
      <Title order={4} size="h6" mb={4}>
        Its latest notes
      </Title>
      {notes.length === 0 ? (
        <Text size="sm" c="dimmed">
          It has not noted anything yet.
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="live-notes" tabIndex={0} aria-label="Notes">
          <Stack gap="xs">
            {notes.map(({ heading, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notes have no id, and the list is replaced as a whole
              <Paper key={`${heading}-${index}`} withBorder p="xs">
                <Text size="xs" fw={600} c="dimmed" className="breakable" dir="auto">
                  {heading}
                </Text>
                <div className="small-text">
                  <LazyMarkdown text={text} />
                </div>
              </Paper>
            ))}
          </Stack>
        </section>
      )}
    </section>
  );
}

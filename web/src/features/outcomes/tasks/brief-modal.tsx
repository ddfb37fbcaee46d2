// What a prompt said of the outcome, word for word, and which of HOMЯ's notes it carried.

import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { BriefSummary, HomrContext } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { homrContextQuery } from "../../../lib/data/homr.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { briefQuery } from "./task-queries.ts";

type BriefModalProps = { readonly brief: BriefSummary; readonly onClose: () => void };

export function BriefModal({ brief: { run_id: runId, iteration, attempt, items }, onClose }: BriefModalProps) {
  const { id } = useOutcome();
  const brief = useQuery(briefQuery(id, runId, iteration));
  return (
    <Dialog title={`What the worker was told: attempt ${attempt}, iteration ${iteration}`} size="xl" onClose={onClose}>
      <Stack>
        <CarriedNotes items={items} />
        <Title order={3} size="h5">
          The whole text
        </Title>
        <QueryView query={brief}>
          {({ text }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
            <section className="brief-text" tabIndex={0} aria-label="The whole text" dir="auto">
              {text}
            </section>
          )}
        </QueryView>
      </Stack>
    </Dialog>
  );
}

type Note = { readonly id: string; readonly kind: string; readonly content: string };

function notesOf({ discoveries, decisions, constraints, injections }: HomrContext): readonly Note[] {
  const named = (kind: string, all: readonly { readonly id: string; readonly content: string }[]) =>
    all.map(({ id, content }) => ({ id, kind, content }));
  return [
    ...injections.map(({ id, content, priority }) => ({ id, kind: priorityWords[priority], content })),
    ...named("Decision", decisions),
    ...named("Constraint", constraints),
    ...named("Discovery", discoveries),
  ];
}

const priorityWords = { must_know: "Must know", should_know: "Should know", nice_to_know: "Nice to know" } as const;

function CarriedNotes({ items }: { readonly items: readonly string[] }) {
  const { id } = useOutcome();
  const context = useQuery(homrContextQuery(id));
  return (
    <section aria-label="Notes from HOMЯ">
      <Title order={3} size="h5" mb={4}>
        Notes from HOMЯ
      </Title>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          This prompt carried none.
        </Text>
      ) : (
        <QueryView query={context}>{(known) => <Notes items={items} known={notesOf(known)} />}</QueryView>
      )}
    </section>
  );
}

function Notes({ items, known }: { readonly items: readonly string[]; readonly known: readonly Note[] }) {
  const carried = known.filter(({ id }) => items.includes(id));
  const gone = items.length - carried.length;
  return (
    <>
      <ul className="task-lines">
        {carried.map(({ id, kind, content }) => (
          <Text key={id} component="li" size="sm" className="breakable" dir="auto">
            <b>{kind}:</b> {content}
          </Text>
        ))}
      </ul>
      {gone > 0 ? (
        <Text size="xs" c="dimmed">
          {counted(gone, "note")} {gone === 1 ? "was" : "were"} merged or removed since; the text below still has{" "}
          {gone === 1 ? "it" : "them"}.
        </Text>
      ) : null}
    </>
  );
}

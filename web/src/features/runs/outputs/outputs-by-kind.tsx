// What a run made, changed, linked and deleted, kind by kind; live while it works.

import { Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { outputsQuery } from "../../../lib/data/runs.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { groupByKind, type KindGroup, pluralWords } from "./output-groups.ts";
import { OutputRow } from "./output-row.tsx";
import { type TasksById, useTasks } from "./use-tasks.ts";

type OutputsByKindProps = {
  readonly title: string;
  /** The one that is shown whole elsewhere. */
  readonly exceptId: string | null;
  /** Said below the list. */
  readonly children?: ReactNode;
};

export function OutputsByKind({ title, exceptId, children }: OutputsByKindProps) {
  const { run } = useRun();
  useReadAlong("outputs");
  const query = useInfiniteQuery({ ...outputsQuery(run.id, false), placeholderData: keepPreviousData });
  const all = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const groups = groupByKind(all.filter(({ id }) => id !== exceptId));
  const tasks = useTasks(all);
  return (
    <QueryView query={query}>
      {() =>
        groups.length === 0 ? null : (
          <section aria-label={title} className="outputs">
            <Title order={2} size="h4" mb="xs">
              {title}
            </Title>
            <Stack gap="md">
              {groups.map((group) => (
                <Kind key={group.kind} group={group} isPartial={query.hasNextPage} tasks={tasks} />
              ))}
            </Stack>
            <LoadMore query={query} />
            {children}
          </section>
        )
      }
    </QueryView>
  );
}

type KindProps = { readonly group: KindGroup; readonly isPartial: boolean; readonly tasks: TasksById };

function Kind({ group: { kind, outputs }, isPartial, tasks }: KindProps) {
  const { run } = useRun();
  const heading = (
    <>
      {pluralWords[kind]}{" "}
      <Text span c="dimmed" fw={400}>
        {outputs.length}
        {isPartial ? "+" : ""}
      </Text>
    </>
  );
  const rows = (
    <Stack component="ul" gap="xs" className="plain-list">
      {outputs.map((output) => (
        <OutputRow key={`${output.op}${output.id}`} runId={run.id} output={output} task={tasks.get(output.id)} />
      ))}
    </Stack>
  );
  // Links are what holds things together, not what one came to read.
  if (kind === "edge")
    return (
      <details className="fold">
        <Text component="summary" fw={600}>
          {heading}
        </Text>
        {rows}
      </details>
    );
  return (
    <section aria-labelledby={`outputs-${kind}`}>
      <Title order={3} size="h6" mb="xs" id={`outputs-${kind}`}>
        {heading}
      </Title>
      {rows}
    </section>
  );
}

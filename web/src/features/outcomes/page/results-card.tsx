// What came of the tasks: the result of each that is done, with the way to it and to the report of its run.

import { Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OutcomeTask, Run } from "../../../../../src/protocol/api.ts";
import { type EntityKind, entityKinds } from "../../../../../src/protocol/kinds.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { runQuery } from "../../../lib/data/runs.ts";
import { Card } from "../../../ui/card.tsx";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { useOutcome } from "../outcome-context.tsx";

/** The board leads to those of the others. */
const resultsShown = 20;

type Primary = NonNullable<NonNullable<Run["report"]>["primary_output"]>;
type Result = { readonly task: OutcomeTask; readonly runId: string; readonly primary: Primary };

/** Pending until all of them are known for the first time: shown one by one, they would push what stands below them away under a click. */
export function useResults() {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id));
  const done = (tasks.data ?? [])
    .flatMap((task) => (task.status === "completed" && task.run_id !== null ? [{ task, runId: task.run_id }] : []))
    .toSorted((a, b) => a.task.number - b.task.number)
    .slice(0, resultsShown);
  const runs = useQueries({ queries: done.map(({ runId }) => ({ ...runQuery(runId), staleTime: 60_000 })) });
  const results = done.flatMap((each, n): Result[] => {
    const primary = runs[n]?.data?.run.report?.primary_output ?? null;
    return primary === null ? [] : [{ ...each, primary }];
  });
  const isKnown = !tasks.isPending && !runs.some((run) => run.isPending);
  const [wasKnown, setWasKnown] = useState(isKnown);
  if (isKnown && !wasKnown) setWasKnown(true);
  return { results, isPending: !isKnown && !wasKnown };
}

export function ResultsCard({ results }: { readonly results: readonly Result[] }) {
  if (results.length === 0) return null;
  return (
    <Card title="Results">
      <ul className="plain-list outcome-lines" aria-label="Results">
        {results.map((result) => (
          <ResultLine key={result.task.id} {...result} />
        ))}
      </ul>
    </Card>
  );
}

function ResultLine({ task, runId, primary: { id, type, title, project_id: projectId, opening } }: Result) {
  const kind = entityKinds.find((each): each is EntityKind => each === type);
  return (
    <li>
      <Text fw={600} className="breakable" dir="auto">
        {kind && projectId ? (
          <EntityLink kind={kind} projectId={projectId} id={id}>
            {title}
          </EntityLink>
        ) : (
          title
        )}
      </Text>
      {opening === "" ? null : (
        <Text component="div" size="sm" lineClamp={3} className="breakable outcome-opening" dir="auto">
          <LazyMarkdown text={opening} />
        </Text>
      )}
      <Text size="xs" c="dimmed" className="breakable" dir="auto">
        #{task.number} {task.title} ·{" "}
        <AnchorLink size="xs" underline="always" to="/homework/runs/$runId" params={{ runId }}>
          Report of its run
        </AnchorLink>
      </Text>
    </li>
  );
}

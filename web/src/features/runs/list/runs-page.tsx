// The list of one's runs, with the composer on top. Without any run yet it is a welcome.

import { useQuery } from "@tanstack/react-query";
import { useLocation, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { runCountsQuery } from "../../../lib/data/runs.ts";
import { Composer } from "../../../ui/composer/composer.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { FirstRun } from "./first-run.tsx";
import { groupCounts, groupFromAddress, groupWords } from "./run-groups.ts";
import { RunsFilter } from "./runs-filter.tsx";
import { RunsList } from "./runs-list.tsx";
import "./runs-list.css";

export function RunsPage() {
  const { group: word, q } = useSearch({ from: "/in/homework" });
  const group = groupFromAddress(word);
  const counts = useQuery(runCountsQuery);
  const groups = counts.data ? groupCounts(counts.data.counts) : undefined;
  const field = useFocusOnNew();
  usePageTitle(q === undefined ? undefined : `“${q}”`, group && groupWords[group]);
  if (counts.isPending) return <PageSkeleton />;
  const isFirst = groups?.all === 0;
  return (
    <>
      {isFirst ? <FirstRun /> : <PageHeader title="Homework" />}
      <Composer fieldRef={field} />
      {isFirst ? null : (
        <>
          <RunsFilter group={group} q={q} counts={groups} />
          <RunsList group={group} q={q} />
        </>
      )}
    </>
  );
}

/** `/homework#new` puts the cursor where one writes, also for someone who is here already. */
function useFocusOnNew() {
  const field = useRef<HTMLTextAreaElement>(null);
  const { hash, state } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state means that someone asked again
  useEffect(() => {
    if (hash === "new") field.current?.focus();
  }, [hash, state]);
  return field;
}

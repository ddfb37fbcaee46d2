// Home: what happened since the last visit in one sentence, a line to hand over work, and the runs. Without any run yet it is a welcome.

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useRef } from "react";
import type { AgentQuestion, RunNews } from "../../../../../src/protocol/api.ts";
import { homeQuery, modelsQuery, newsQuery, runCountsQuery } from "../../../lib/data/runs.ts";
import { Composer } from "../../../ui/composer/composer.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { FirstRun } from "./first-run.tsx";
import { newsSentence } from "./news-words.ts";
import { archivedWord, groupCounts, groupFromAddress, groupWords } from "./run-groups.ts";
import { RunsFilter } from "./runs-filter.tsx";
import { RunsList } from "./runs-list.tsx";
import { useFocusOnHash } from "./use-focus-on-hash.ts";
import "./runs-list.css";

const AgentQuestions = lazy(async () => ({ default: (await import("./agent-questions.tsx")).AgentQuestions }));

/** Few have agents that ask: the others do not fetch what shows it. */
const AskedByAgents = ({ asked }: { readonly asked: readonly AgentQuestion[] | undefined }) =>
  asked?.length ? (
    <Suspense fallback={null}>
      <AgentQuestions asked={asked} />
    </Suspense>
  ) : null;

export function RunsPage() {
  const { group: word, q } = useSearch({ from: "/in/homework" });
  const isArchived = word === archivedWord;
  const group = groupFromAddress(word);
  const counts = useQuery(runCountsQuery);
  const home = useQuery(homeQuery);
  const news = useQuery({ ...newsQuery, enabled: !home.isLoading });
  const questions = counts.data?.open_questions ?? 0;
  const groups = counts.data ? groupCounts(counts.data.counts) : undefined;
  usePageTitle(q === undefined ? undefined : `“${q}”`, isArchived ? "Archived" : group && groupWords[group]);
  const isFirst = groups?.all === 0 && !isArchived;
  // The welcome stands above the composer and names the model: shown later, it would push the composer away under a click.
  const models = useQuery({ ...modelsQuery, enabled: isFirst });
  const isReady = !counts.isPending && !home.isLoading && !(isFirst ? models.isPending : news.isPending);
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOnHash("new", field, isReady);
  if (!isReady) return <PageSkeleton />;
  return (
    <>
      {isFirst ? <FirstRun /> : <PageHeader title="Homework" />}
      {isFirst || news.data === undefined ? null : (
        <NewsLine
          news={news.data}
          questions={countQuestions(counts.data)}
          canceled={counts.data?.counts.canceled ?? 0}
        />
      )}
      <Composer fieldRef={field} isCompact={!isFirst} />
      <AskedByAgents asked={counts.data?.agent_questions} />
      {isFirst ? null : (
        <RunsList
          group={group}
          q={q}
          isArchived={isArchived}
          since={news.data?.since ?? null}
          questions={questions}
          filter={<RunsFilter group={group} q={q} counts={groups} />}
        />
      )}
    </>
  );
}

type Standing = { readonly open_questions: number; readonly agent_questions: readonly AgentQuestion[] };

const countQuestions = (standing: Standing | undefined): number =>
  standing === undefined ? 0 : standing.open_questions + standing.agent_questions.length;

type NewsLineProps = { readonly news: RunNews; readonly questions: number; readonly canceled: number };

function NewsLine({ news, ...also }: NewsLineProps) {
  const sentence = newsSentence(news, also, Date.now());
  return sentence === null ? null : (
    <Text mb="sm" fw={600}>
      {sentence}
    </Text>
  );
}

// The list of one's outcomes: those that need the reader first, then by what changed last.

import { Stack } from "@mantine/core";
import { IconBulb, IconPlus, IconSearchOff, IconTargetArrow } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { Escalation, OutcomeSummary } from "../../../../../src/protocol/api.ts";
import { outcomeStatusWords } from "../../../../../src/protocol/words/outcome.ts";
import { openEscalationsQuery, outcomesQuery } from "../../../lib/data/outcomes.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { ButtonLink } from "../../../ui/links.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { countQuestions } from "../outcome-words.ts";
import { OutcomeRow } from "./outcome-row.tsx";
import { OutcomesFilter, statusFromAddress } from "./outcomes-filter.tsx";
import "../outcomes.css";

export function OutcomesPage() {
  const { status: word, q } = useSearch({ from: "/in/outcomes" });
  const status = statusFromAddress(word);
  const outcomes = useInfiniteQuery({ ...outcomesQuery({ status, q }), placeholderData: keepPreviousData });
  const questions = useQuery(openEscalationsQuery).data ?? [];
  const isFiltered = status !== undefined || q !== undefined;
  usePageTitle(q === undefined ? undefined : `“${q}”`, status && outcomeStatusWords[status], "Outcomes");
  return (
    <>
      <PageHeader title="Outcomes" actions={<Actions />} />
      <QueryView query={outcomes}>
        {({ pages }) => {
          const items = needsYouFirst(pages.flatMap((page) => page.items));
          if (items.length === 0 && !isFiltered) return <FirstOutcome />;
          return (
            <>
              <OutcomesFilter status={status} q={q} />
              {items.length === 0 ? <NothingFound /> : null}
              <Stack component="ul" gap="xs" className="plain-list">
                {items.map((outcome) => (
                  <OutcomeRow key={outcome.id} outcome={outcome} question={oldestOf(questions, outcome.id)} />
                ))}
              </Stack>
              <LoadMore query={outcomes} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

const needsYouFirst = (items: readonly OutcomeSummary[]): readonly OutcomeSummary[] => [
  ...items.filter((each) => countQuestions(each) > 0),
  ...items.filter((each) => countQuestions(each) === 0),
];

/** They come newest first. */
const oldestOf = (questions: readonly Escalation[], outcomeId: string) =>
  questions.findLast((each) => each.outcome_id === outcomeId);

const Actions = () => (
  <>
    <ButtonLink to="/memories" variant="default" leftSection={<IconBulb size={16} aria-hidden />}>
      Memory
    </ButtonLink>
    <NewOutcomeButton />
  </>
);

const NewOutcomeButton = () => (
  <ButtonLink to="/outcomes/new" leftSection={<IconPlus size={16} aria-hidden />}>
    New outcome
  </ButtonLink>
);

function FirstOutcome() {
  return (
    <EmptyNotice
      icon={<IconTargetArrow aria-hidden />}
      title="No outcomes yet"
      actions={
        <>
          <NewOutcomeButton />
          <ButtonLink to="/homework" hash="new" variant="default">
            Start one run instead
          </ButtonLink>
        </>
      }
    >
      An outcome is work that needs several tasks. Each task is a run of its own. HOMЯ checks every result against what
      you asked for, passes on what was learned, and asks you when a decision is yours.
    </EmptyNotice>
  );
}

function NothingFound() {
  return (
    <EmptyNotice
      icon={<IconSearchOff aria-hidden />}
      title="Nothing found"
      actions={
        <ButtonLink to="/outcomes" search={{}} variant="default">
          Show all outcomes
        </ButtonLink>
      }
    >
      No outcome matches. Try another word or another status.
    </EmptyNotice>
  );
}

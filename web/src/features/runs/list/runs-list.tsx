// The runs themselves, below the filter that counts them. Unfiltered: what needs the reader, what finished since their last visit, what
// is running, and everything from before. Filtered: what the filter leaves.

import { Stack } from "@mantine/core";
import { IconArchive, IconMoodSmile, IconSearchOff } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { type RunGroup, runsQuery } from "../../../lib/data/runs.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { ButtonLink } from "../../../ui/links.tsx";
import { OutcomeQuestions } from "./outcome-questions.tsx";
import { runGroups } from "./run-groups.ts";
import { RunsSection } from "./runs-section.tsx";
import { useKeepFocus } from "./use-keep-focus.ts";

type RunsListProps = {
  readonly group: RunGroup | undefined;
  readonly q: string | undefined;
  /** Archived runs instead of the others. */
  readonly isArchived: boolean;
  /** When the reader was last here; null: never. */
  readonly since: string | null;
  readonly filter: ReactNode;
  /** How many questions outcomes have. */
  readonly questions: number;
};

export function RunsList({ group, q, isArchived, since, filter, questions }: RunsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useKeepFocus(list);
  return (
    <Stack gap="md" ref={list} mt="md">
      <div key="filter">{filter}</div>
      {isArchived ? (
        <Archived key="archived" />
      ) : group === undefined && q === undefined ? (
        [<OutcomeQuestions key="outcomes" count={questions} />, ...sectionsFor(since)]
      ) : (
        <Found key="found" group={group} q={q} />
      )}
    </Stack>
  );
}

function sectionsFor(since: string | null): readonly ReactNode[] {
  const needsYou = <RunsSection key="needs_you" filter={{ group: "needs_you" }} />;
  const running = <RunsSection key="active" filter={{ group: "active" }} />;
  if (since === null) return [needsYou, running, <RunsSection key="finished" filter={{ group: "finished" }} />];
  const fresh = { group: "finished", endedSince: since } as const;
  return [
    needsYou,
    <RunsSection key="fresh" filter={fresh} title="Finished since your last visit" />,
    running,
    <RunsSection key="earlier" filter={{ group: "finished", endedBefore: since }} title="Earlier" />,
  ];
}

function Archived() {
  const none = (
    <EmptyNotice icon={<IconArchive aria-hidden />} title="Nothing is archived">
      Archive a run that has ended from the menu on its page.
    </EmptyNotice>
  );
  return <RunsSection filter={{ group: "finished", isArchived: true }} title="Archived" ifNone={none} />;
}

function Found({ group, q }: Pick<RunsListProps, "group" | "q">) {
  if (group !== undefined)
    return (
      <RunsSection key={group} filter={{ group, q }} ifNone={q ? <NothingFound q={q} /> : <NoneOf group={group} />} />
    );
  return (
    <Stack gap="md">
      {runGroups.map((each) => (
        <RunsSection key={each} filter={{ group: each, q }} />
      ))}
      {q === undefined ? null : <NothingFoundAnywhere q={q} />}
    </Stack>
  );
}

/** A section without runs says nothing, so one has to ask for all of them at once. */
function NothingFoundAnywhere({ q }: { readonly q: string }) {
  const found = useInfiniteQuery(runsQuery({ group: undefined, q }));
  const isNone = found.data?.pages.every((page) => page.items.length === 0) ?? false;
  return isNone ? <NothingFound q={q} /> : null;
}

function NothingFound({ q }: { readonly q: string }) {
  return (
    <EmptyNotice
      icon={<IconSearchOff aria-hidden />}
      title="Nothing found"
      actions={
        <ButtonLink to="/homework" search={{}} variant="default">
          Show all homework
        </ButtonLink>
      }
    >
      No title or objective has “{q}” in it here. Try another word, or a part of one.
    </EmptyNotice>
  );
}

const noneWords: Readonly<Record<RunGroup, readonly [string, string]>> = {
  needs_you: ["Nothing needs you", "Runs that have a question or want your approval show up here."],
  active: ["Nothing is in progress", "Hand over an objective above, and watch it work here."],
  finished: ["Nothing has finished yet", "Completed, stopped and canceled runs are kept here, with their reports."],
};

function NoneOf({ group }: { readonly group: RunGroup }) {
  const [title, text] = noneWords[group];
  return (
    <EmptyNotice icon={<IconMoodSmile aria-hidden />} title={title}>
      {text}
    </EmptyNotice>
  );
}

// The runs themselves: all groups one below the other, or the one that was chosen. What waits for the reader comes first.

import { Stack } from "@mantine/core";
import { IconMoodSmile, IconSearchOff } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type RunGroup, runsQuery } from "../../../lib/data/runs.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { ButtonLink } from "../../../ui/links.tsx";
import { runGroups } from "./run-groups.ts";
import { RunsSection } from "./runs-section.tsx";
import { useKeepFocus } from "./use-keep-focus.ts";

type RunsListProps = { readonly group: RunGroup | undefined; readonly q: string | undefined };

export function RunsList({ group, q }: RunsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useKeepFocus(list);
  return (
    <Stack gap="lg" ref={list}>
      {group === undefined ? (
        <>
          {runGroups.map((each) => (
            <RunsSection key={each} group={each} q={q} />
          ))}
          {q === undefined ? null : <NothingFoundAnywhere q={q} />}
        </>
      ) : (
        <RunsSection key={group} group={group} q={q} ifNone={q ? <NothingFound q={q} /> : <NoneOf group={group} />} />
      )}
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
      No objective has “{q}” in it here. Try another word, or a part of one.
    </EmptyNotice>
  );
}

const noneWords: Readonly<Record<RunGroup, readonly [string, string]>> = {
  needs_you: ["Nothing needs you", "Homework that has a question or wants your approval shows up here."],
  active: ["Nothing is running", "Hand over an objective above, and watch it work here."],
  finished: ["Nothing has finished yet", "What is done, stopped or canceled is kept here, with its report."],
};

function NoneOf({ group }: { readonly group: RunGroup }) {
  const [title, text] = noneWords[group];
  return (
    <EmptyNotice icon={<IconMoodSmile aria-hidden />} title={title}>
      {text}
    </EmptyNotice>
  );
}

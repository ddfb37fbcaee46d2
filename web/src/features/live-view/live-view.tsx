// Everything that is at work right now, several runs at once: a list of them, and what the chosen one is doing.

import { Tabs } from "@mantine/core";
import { IconRocket } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { RunSummary } from "../../../../src/protocol/api.ts";
import { runsQuery } from "../../lib/data/runs.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { ButtonLink } from "../../ui/links.tsx";
import { RowsSkeleton } from "../../ui/skeletons.tsx";
import { FollowRun, useFollowedRuns } from "./followed-runs.tsx";
import "./live-view.css";
import { RunPanel } from "./run-panel.tsx";
import { RunTab } from "./run-tab.tsx";
import { shownRuns } from "./shown-runs.ts";

/** Runs followed event by event; the stream carries eight topics, and the page below has some of its own. */
const followedMax = 4;

export function LiveView({ isNarrow }: { readonly isNarrow: boolean }) {
  const { ids, listed, isLoading } = useShown();
  const { followed, tell } = useFollowedRuns();
  const [chosen, setChosen] = useState<string | null>(null);
  if (isLoading) return <RowsSkeleton />;
  const [first] = ids;
  if (first === undefined) return <NothingRuns />;
  const shown = chosen !== null && ids.includes(chosen) ? chosen : first;
  const followedIds = [...new Set([shown, ...ids])].slice(0, followedMax);
  const now = followed.get(shown);
  return (
    <>
      {followedIds.map((id) => (
        <FollowRun key={id} runId={id} tell={tell} />
      ))}
      <Tabs
        value={shown}
        onChange={setChosen}
        orientation={isNarrow ? "horizontal" : "vertical"}
        keepMounted={false}
        classNames={{ root: "live-tabs", list: "live-list", panel: "live-panel", tabLabel: "live-tab-label" }}
      >
        <Tabs.List aria-label="Homework at work">
          {ids.map((id) => (
            <RunTab
              key={id}
              runId={id}
              listed={listed.get(id)}
              followed={followedIds.includes(id) ? followed.get(id) : undefined}
            />
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>{now ? <RunPanel key={shown} {...now} /> : <RowsSkeleton />}</Tabs.Panel>
      </Tabs>
    </>
  );
}

function useShown() {
  const needsYou = useInfiniteQuery(runsQuery({ group: "needs_you" }));
  const active = useInfiniteQuery(runsQuery({ group: "active" }));
  const waiting = needsYou.data?.pages[0]?.items ?? [];
  const working = active.data?.pages[0]?.items ?? [];
  const before = useRef<readonly string[]>([]);
  const ids = shownRuns(before.current, waiting, working);
  useEffect(() => {
    before.current = ids;
  });
  const listed = new Map<string, RunSummary>([...waiting, ...working].map((run) => [run.id, run]));
  return { ids, listed, isLoading: needsYou.isPending || active.isPending };
}

function NothingRuns() {
  return (
    <EmptyNotice
      icon={<IconRocket aria-hidden />}
      title="Nothing is running"
      actions={<ButtonLink to="/homework">Go to your homework</ButtonLink>}
    >
      Hand over an objective, and you can watch it here from any page.
    </EmptyNotice>
  );
}

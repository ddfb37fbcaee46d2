// The iterations of a run, one below the other, the newest first. An address such as #iteration-12 opens that one.

import { Stack, Title, VisuallyHidden } from "@mantine/core";
import { IconTimelineEvent } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { newestIterationsQuery } from "../../../lib/data/runs.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRun } from "../run-context.tsx";
import { IterationList, type Target } from "./iteration-list.tsx";
import { knownIterations, numberInHash, type Order } from "./iteration-rows.ts";
import { TimelineToolbar } from "./timeline-toolbar.tsx";
import "./timeline.css";

// What few people open is fetched when they do.
const ForkModal = lazy(async () => ({ default: (await import("../controls/fork-modal.tsx")).ForkModal }));

export function Timeline() {
  const { run, view } = useRun();
  const newest = useQuery(newestIterationsQuery(run.id));
  const known = knownIterations(newest.data ?? [], view);
  const [order, setOrder] = useState<Order>("newest");
  const [withPlatform, setWithPlatform] = useState(false);
  const [target, setTarget] = useTarget();
  // Not in its row: rows go away while one scrolls, and while new ones come.
  const [forked, setForked] = useState<number | null>(null);
  return (
    <section>
      <VisuallyHidden>
        <Title order={2}>Timeline</Title>
      </VisuallyHidden>
      <QueryView query={newest}>
        {() =>
          known.last === 0 ? (
            <EmptyNotice icon={<IconTimelineEvent size={32} stroke={1.5} />} title="No iteration yet">
              What the run does appears here, iteration by iteration.
            </EmptyNotice>
          ) : (
            <Stack gap="sm">
              <TimelineToolbar
                last={known.last}
                order={order}
                onOrder={setOrder}
                withPlatform={withPlatform}
                onWithPlatform={setWithPlatform}
                onJump={setTarget}
              />
              <IterationList
                key={order}
                runId={run.id}
                known={known}
                order={order}
                withPlatform={withPlatform}
                target={target}
                onFork={setForked}
              />
            </Stack>
          )
        }
      </QueryView>
      <Suspense fallback={null}>
        {forked === null ? null : <ForkModal iteration={forked} onClose={() => setForked(null)} />}
      </Suspense>
    </section>
  );
}

/** Where to go: first what the address says, then what was asked for. Every time anew, also to the same one. */
function useTarget(): [Target | null, (iteration: number) => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const [asked, setAsked] = useState<{ readonly hash: string; readonly target: Target } | null>(null);
  const linked = numberInHash(hash);
  const jump = (iteration: number) =>
    setAsked((before) => ({ hash, target: { iteration, time: (before?.target.time ?? 0) + 1 } }));
  if (asked && asked.hash === hash) return [asked.target, jump];
  return [linked === null ? null : { iteration: linked, time: 0 }, jump];
}

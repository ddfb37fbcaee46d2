// The prompts of an attempt: each carried a brief on the outcome, which can be read word for word with what HOMЯ put into it.

import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { BriefSummary } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { taskBriefsQuery } from "./task-queries.ts";

const BriefModal = lazy(async () => ({ default: (await import("./brief-modal.tsx")).BriefModal }));

type AttemptBriefsProps = { readonly taskId: string; readonly runId: string };

export function AttemptBriefs({ taskId, runId }: AttemptBriefsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="xs"
        ta="left"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide prompts" : "What the worker was told"}
      </Anchor>
      {isOpen ? <Briefs taskId={taskId} runId={runId} /> : null}
    </>
  );
}

function Briefs({ taskId, runId }: AttemptBriefsProps) {
  const { id } = useOutcome();
  const briefs = useInfiniteQuery(taskBriefsQuery(id, taskId));
  const [shown, setShown] = useState<BriefSummary | null>(null);
  return (
    <QueryView query={briefs}>
      {({ pages }) => {
        const own = pages.flatMap(({ items }) => items).filter((brief) => brief.run_id === runId);
        return (
          <Stack gap={4}>
            {own.length === 0 ? (
              <Text size="xs" c="dimmed">
                No prompt yet
              </Text>
            ) : null}
            <ul className="plain-list" aria-label="Prompts">
              {own.map((brief) => (
                <Group key={brief.iteration} component="li" gap={6}>
                  <Anchor component="button" type="button" size="xs" onClick={() => setShown(brief)}>
                    Iteration {brief.iteration}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    <Time at={brief.at} /> ·{" "}
                    {brief.items.length === 0
                      ? "nothing from HOMЯ"
                      : `${counted(brief.items.length, "note")} from HOMЯ`}
                  </Text>
                </Group>
              ))}
            </ul>
            <LoadMore query={briefs} />
            <Suspense fallback={null}>
              {shown ? <BriefModal brief={shown} onClose={() => setShown(null)} /> : null}
            </Suspense>
          </Stack>
        );
      }}
    </QueryView>
  );
}

// What the run is doing this moment, in a line with a dot that breathes; nothing where that is not known.

import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { entriesQuery } from "../../../lib/data/runs.ts";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { underWayWords } from "./step-words.ts";

export function StepNow() {
  const { run, view } = useRun();
  const { state } = view;
  useReadAlong("entries");
  const isAtWork = state.status === "running" && state.since !== null && state.hold === null;
  const { data } = useInfiniteQuery({ ...entriesQuery(run.id, view.iteration), enabled: isAtWork, retry: false });
  const words = isAtWork ? underWayWords(data?.pages.flatMap(({ items }) => items) ?? []) : null;
  if (words === null) return null;
  return (
    <div className="run-step-now">
      <span className="live-dot unshrinkable" aria-hidden />
      <Text span size="sm" className="breakable" dir="auto">
        {words}
      </Text>
    </div>
  );
}

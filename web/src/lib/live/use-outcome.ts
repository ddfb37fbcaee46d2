// Keeps the page of an outcome up to date: what an event of its stream makes old is fetched again. Call it once per page.

import { useEffect } from "react";
import type { Outcome } from "../../../../src/protocol/api.ts";
import { outcomeEvent } from "../../../../src/protocol/routes/outcome-shapes.ts";
import { keys } from "../data/keys.ts";
import { useRefresher } from "./refresher.ts";
import { useLiveTopic } from "./tab-stream.ts";
import { touchedByOutcome } from "./touched-queries.ts";

/** Soon enough for someone who looks; one end of a task changes several things at once. */
const refreshEveryMs = 300;

export function useOutcomeLive({ id, last_seq: lastSeq, waiting_runs: waiting }: Outcome): void {
  const refresh = useRefresher(refreshEveryMs);
  const refreshAll = () => refresh(keys.outcome(id));
  useLiveTopic(
    `outcome:${id}`,
    lastSeq,
    ({ data }) => refresh(...touchedByOutcome(id, outcomeEvent.parse(data))),
    refreshAll,
    refreshAll,
  );
  // A run that asks is no event of the outcome; the task that it works on shows it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number means that a task is not what it was
  useEffect(() => refresh(keys.outcomeTasks(id)), [waiting]);
}

// The iterations of the run on the page: the newest ones at once, the others in blocks as they come into sight.

import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunIteration } from "../../../../../src/protocol/api.ts";
import { iterationBlockQuery, iterationsPerPage } from "../../../lib/data/runs.ts";
import { blocksFor, type KnownIterations } from "./iteration-rows.ts";

/** Those of these numbers that are known by now; the others are on their way. */
export function useIterationsInSight(
  runId: string,
  known: KnownIterations,
  numbers: readonly number[],
): (number: number) => RunIteration | undefined {
  const firsts = blocksFor(numbers, known.oldestOfNewest, iterationsPerPage);
  const blocks = useQueries({
    queries: firsts.map((first) => iterationBlockQuery(runId, first)),
    combine: (results) => results.map(({ data }) => data),
  });
  const older = useMemo(
    () => new Map(blocks.flatMap((block) => (block ?? []).map((iteration) => [iteration.iteration, iteration]))),
    [blocks],
  );
  return (number) => known.byNumber.get(number) ?? older.get(number);
}
